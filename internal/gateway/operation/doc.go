// Package operation executes operations, each with its caller's share of a gateway.
//
//  1. authenticate.go finds the caller (address.go), who gets a seat (seat.go). It waits until the caller's share
//     allows the operation, see package share, and has what the operation takes until it is answered.
//  2. executor.go loads the operation from its document, see package document, and coerces its variables.
//  3. executor.go binds the plan to the request. authenticate.go rejects viewers without a tenant, if the table has
//     tenants.
//  4. budget.go reserves the price in the caller's budget, and counts the mutations of anonymous callers.
//  5. executor.go executes it by one of two executors, and commits the actual cost afterwards.
//  6. line.go writes the line of the log, and observe.go notifies the observer.
//
// The plan decides which of the two executors executes an operation. Package answer writes the answer of an
// operation whose fields are all directives, attributes or introspection. gqlgen executes operations with hand-written
// Go. It can execute all others as well: the responses are the same, byte for byte, with the one exception that
// TestWhatGqlgenMerges in internal/executors shows.
package operation
