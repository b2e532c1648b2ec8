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
package plan
