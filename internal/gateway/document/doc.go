// Package document turns the parameters of a request into a document that can be executed.
//
//  1. parameters.go reads query, operationName, variables and extensions from a URL or a body, with json.go.
//  2. persisted.go looks up the query of a hash; listed.go has the operations of a list (manifest.go) instead. store.go
//     chooses between them by the settings (settings.go).
//  3. document.go returns the valid document with its plans, from the cache (cache.go) if possible. Otherwise it parses
//     the query, checks its size (measure.go) and what its validation takes (fieldmerge.go), and validates it, by the
//     rules of the specification and that of numbers.go. Then it selects the operation.
//  4. variables.go coerces the variables to the types of their definitions.
//
// Each step may return a [response.Error].
package document
