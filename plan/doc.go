// Package plan compiles operations: what each field reads, what it costs at worst, and who may see it.
//
// Compile makes a Plan of an operation: a graph of Objects and their Fields. An Object is a node for one object type
// and the selection that is merged there. Fragments that repeat a selection share its node, so that the nodes do not
// multiply with the places at which a fragment is spread. A plan has no conditions: a Document keeps one for each of
// its operations and each combination of the values of @skip and @include.
//
// Bind adds what differs from request to request: variables, viewer and consistency. Everything else is a fold over
// the bound plan: its Price, Explanation and CachePolicy, the key conditions and Reads of its fields, and the decisions
// of access rules. Execution uses the same nodes, so that it cannot differ from the estimate.
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
