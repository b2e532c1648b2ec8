// Package answer executes operations without hand-written Go: it writes the response's JSON from the plan and the items
// that loaders have read. There are no models and no resolvers.
//
// The JSON is byte for byte what gqlgen's executor and the generated code produce for the same operation.
//
// Each file uses those below it: answer.go is the entry, and mutations.go carries out the mutations of an operation
// first. object.go writes the fields of an object, and so the objects that they have, those of events too (live.go).
// value.go writes what an attribute stores, introspection.go what the schema is. writer.go writes JSON objects and
// lists, append.go texts and numbers, and errors.go keeps the errors. folder.go is for a schema without generated code.
//
// # Why it exists
//
// For each attribute gqlgen makes a model, a context and an interceptor's call, and for each element of a list a
// goroutine. gqlgen stays: for hand-written Go, and as the test of this package.
package answer
