// Package gen is the emitting half of the generator: a gqlgen plugin that turns
// what package directives has read from a schema into code.
//
// Generate runs it, in this order:
//
//  1. package directives reads and checks the schema. Findings end the run
//     before anything is written.
//  2. Before gqlgen makes the models, the plugin tells it which fields are read
//     resolvers and which Go types the scalars have (config.go).
//  3. When the models are known, the plugin writes the design, the bound fields and the types
//     (design.go, fields.go, types.go), what fills the models (items.go) and the
//     list of access patterns.
//  4. gqlgen writes its executor and the resolvers; the plugin supplies the body
//     of each read resolver that nobody has written (resolvers.go).
//
// Templates are thin: what they print is decided in Go. All that can be decided
// at run time is left to packages keys, loaders and item, so that generated code
// is only data and the names of fields.
package gen
