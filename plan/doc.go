// Package plan compiles operations: what each field reads, and who may see it.
//
// One operation, file by file:
//
//  1. newschema.go reads a GraphQL schema and the design of its table into a Schema (schema.go): the Kind of each field
//     (kind.go), the Format of what is stored (format.go), what keys show (keyonly.go) and what entries of an index lack
//     (projection.go). api.go and apilive.go make the schema that clients see.
//  2. document.go keeps the plans of a document. A plan has no conditions, so that there is one for each combination of
//     the values of @skip and @include.
//  3. compile.go makes a Plan: a graph of Objects and their Fields (node.go). An Object is a node for one object type and
//     the selection that is merged there (collect.go). Fragments that repeat a selection share its node, so that the
//     nodes do not multiply with the places at which a fragment is spread.
//  4. bind.go adds what differs from request to request: variables, viewer and consistency make a Bound plan (bound.go)
//     with the Arguments of its fields (arguments.go, values.go; input.go for mutations).
//  5. Package plan/price folds over the bound plan before anything is read. The plan keeps prices by the sizes of its
//     arguments (sizes.go).
//  6. conditions.go has the key conditions of fields, access.go the decisions of rules about them and about items, and
//     reads.go the Reads of a condition. Execution uses the same nodes, so that it cannot differ from the estimate.
//  7. item.go and readable.go check what has been read.
//
// The functions of this package are pure: they have no context and neither read nor write.
package plan
