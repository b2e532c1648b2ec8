// Package plan compiles operations: what each field reads, and who may see it.
//
// One operation, file by file:
//
//  1. newschema.go reads a GraphQL schema and the design of its table into a Schema (schema.go): the Kind of each field
//     (kind.go), the Format of what is stored (format.go), what keys show (keyonly.go), what entries of an index lack
//     (projection.go). api.go and apilive.go make the schema that clients see.
//  2. document.go keeps the plans of a document. A plan has no conditions, so that there is one for each combination of
//     the values of @skip and @include.
//  3. compile.go makes a Plan: a graph of Objects and their Fields (node.go). An Object is the node of a type and
//     the selection that is merged there (collect.go). Fragments that repeat a selection share its node, so that the
//     nodes do not multiply with the places at which a fragment is spread.
//  4. bind.go adds what differs from request to request: variables, viewer and consistency make a Bound plan (bound.go)
//     with the Arguments of its fields (arguments.go, values.go; input.go for mutations).
//  5. Package plan/price folds over the bound plan before anything is read. The plan keeps prices by the sizes of its
//     arguments (sizes.go).
//  6. conditions.go has the key conditions of fields, access.go the decisions of rules about them and about items, and
//     reads.go the Reads of a condition. Execution uses the same nodes, so that it cannot differ from the estimate.
//  7. item.go and readable.go check what has been read. notready.go has what the design does not serve at present.
//
// The functions of this package are pure: they have no context and neither read nor write.
//
// # Why it is so
//
// A plan has no conditions, so that no fold can forget one; clients use few combinations. A document keeps a bounded
// number of plans, because the caller chooses the values.
//
// Prices are kept by the numbers on which they depend: sizes of pages, partitions, ids by type, lengths of lists,
// consistency. By the values of all variables, a price would be computed anew for each user.
//
// Entries of an index that lack something are completed as a whole page, which the plan decides for a field and not for
// an item or a viewer: the estimate is what is executed. An item that has left the index is left out, because its new
// owner may be one whose items the viewer may not read.
//
// A subscription has one plan for its first state and its events, so that the folds over it exist once, and thousands
// of subscriptions to one document share it.
//
// The fields of introspection are nodes, so that its objects are counted before anything is executed, like those of any
// field.
//
// A position of a subscription names no viewer. Rules are decided for each event, on the item before and after it, and
// nothing else is relied on.
package plan
