// Package resolvers answers the fields of the schema. The read resolvers are one
// line each, written by make generate and kept by it once they are edited; a
// field without a directive is resolved by hand.
package resolvers

// Resolver is the root of all resolvers.
type Resolver struct{}
