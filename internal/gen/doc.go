// Package gen generates code from a schema that package directives has read. It is a gqlgen plugin.
//
// Generate runs it, in this order:
//
//  1. package directives reads and checks the schema. Findings end the run
//     before anything is written (generate.go, checks.go, previous.go).
//  2. Before gqlgen generates the models, the plugin configures which fields are read resolvers and which
//     Go types the scalars have (plugin.go, config.go). gqlgen loads packages as seldom as it can be made to
//     (gqlgen.go).
//  3. Once the models are known, the plugin looks for hand-written resolvers in the resolvers' package
//     (reads.go, resolvers.go, stale.go, unedited.go, gofile.go). It writes the functions that fill the models
//     (items.go), the design, the bound fields and the types (design.go, fields.go, types.go), the read resolvers
//     that are not hand-written (bodies.go) and the list of access patterns.
//  4. gqlgen writes the other resolvers and its executor.
//  5. All is compiled together with what a person has written (compile.go). After an error, the files are restored
//     (tree.go).
//
// Each step is a function over schema (schema.go): the design with gqlgen's Go names and types. Where resolvers are,
// receivers.go and resolvers.go say.
//
// Templates are thin: Go decides what they print. Everything that can be decided at run time is
// left to packages keys, loaders and item, so that generated code consists of data and the names of
// fields.
//
// # Why it is so
//
// A field is taken for hand-written when in doubt: one that is listed without need costs time, one that is missing
// would be answered wrongly.
package gen
