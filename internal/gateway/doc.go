// Package gateway serves a GraphQL schema over HTTP.
//
// gateway.go puts the handlers together from a [Config]. A request to any path gets an id (log.go), and passes the
// rules for hosts and origins in package browser. A request to /graphql then takes these steps, in endpoint.go. Each
// may return a [response.Error]:
//
//  1. Package operation finds the viewer.
//  2. Package response chooses the media type of the response.
//  3. Package browser rejects requests from pages of foreign origins.
//  4. The endpoint reads the body, and the operation waits until its caller's share allows it, in package operation.
//  5. Package document reads the parameters, and returns the document with its plans and coerced variables.
//  6. Package operation binds the plan to the request, checks its price, reserves it in the caller's budget, and
//     executes it. A subscription is answered by package subscribe instead, which also has the WebSockets.
//  7. Package response writes the result, with the header Cache-Control.
//
// plan.go answers requests to /plan, which take the same steps up to the price, and table.go the questions of the page
// /table.
//
// The rules are those of the GraphQL over HTTP specification, edition September 2026
// (https://http-spec.graphql.org/September2026/), cited as "HTTP spec" in the packages of the gateway. Only package
// response decides which part of an error is sent to the caller and which part is only logged.
//
// # Why it is so
//
// An error with Retry-After means that nothing was executed, so that a client may send the operation again in its
// fetch, whatever library it uses.
//
// Errors are sorted by path: responses can be compared byte by byte, and of more errors than are listed, the same ones
// always are.
//
// What an answer costs this process is one number, its objects, at each place. Callers understand it and a plan knows
// it beforehand, which is worth more than an exact price. Objects with many fields count as several, because otherwise
// 190 aliases of a field would be free. Bytes are limited where they are buffered.
//
// When the deadline of an operation passes, fields whose Reads have ended are still answered: the caller has paid for
// them, and both executors would otherwise stop at other places.
//
// A mutation without a token counts when it is attempted, for its address and for all addresses together, so that
// values cannot be enumerated from many addresses. The price is that somebody with many addresses can block sign-ups
// for that time.
//
// With the local engine, pages of this machine are allowed and names of this machine are answered, always: a page gains
// nothing that a program of the same machine does not have. With a real table no default can be right.
//
// Headers of an operation are also values of connection_init, because a browser's WebSocket cannot send headers.
//
// A reload ends subscriptions as a restart does: a code of its own would have no other consequence for clients.
package gateway
