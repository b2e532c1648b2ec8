// Package answer executes operations without hand-written Go: it writes the response's JSON from the plan and the items
// that loaders have read. There are no models and no resolvers.
//
// The JSON is byte for byte what gqlgen's executor and the generated code produce for the same operation.
//
// # Why it exists
//
// For each attribute gqlgen makes a model, a context and an interceptor's call, and for each element of a list a
// goroutine. gqlgen stays: for hand-written Go, and as the test of this package.
package answer
