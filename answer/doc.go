// Package answer executes operations without hand-written Go: it writes the response's JSON from the plan and the items
// that loaders have read. There are no models and no resolvers.
//
// The JSON is byte for byte what gqlgen's executor and the generated code produce for the same operation.
package answer
