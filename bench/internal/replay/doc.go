// Package replay is a proxy that records the answers of a DynamoDB endpoint and then gives them again from memory,
// after a delay. The cost of the endpoint itself, and its variations, are then not part of what is measured.
//
// A request is known by its action and by a hash of its JSON that does not depend on the order of names in an object:
// the SDK writes them in a random order. A BatchGetItem is composed of what was recorded for each of its keys, because
// which keys are in one batch, and in what order, can depend on the time at which they are requested.
//
// The proxy runs on the same cores as the servers that are compared. To be cheap, it reads and writes HTTP/1.1 itself.
package replay
