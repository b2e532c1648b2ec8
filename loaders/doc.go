// Package loaders turns the fields of an operation into as few DynamoDB
// requests as its data dependencies allow.
//
// A Read is what a field wants: one item by its key (a Get), or a range of an
// item collection (a Range). All Reads that are known at the same time make a
// wave. A pure function, Plan, turns the Reads of a wave into requests: GetItem,
// BatchGetItem, Query. A wave's requests run in parallel; when all have
// answered, the Reads that follow from their items make the next wave.
//
// An Operation does this ahead of the resolvers. When an operation starts, it
// walks the selection set with the schema's Design and registers each Read
// whose key follows from arguments alone, however deep it is nested; when a
// wave has ended it does the same below each item. A resolver (Object, Objects,
// List, Connection) then finds its Read registered already, and waits for it. A
// resolver that was edited to read something else registers that Read itself
// and is batched with whatever is registered at the time.
//
// One dataloader of Reads per operation holds the results, so nothing is read
// twice in an operation and nothing is shared between callers. Its wait is only
// the tick that ends a wave: whatever is registered in one walk joins one wave,
// because the walk holds the operation's lock until it is done.
//
// A mutation's resolver reads and writes by package write, whose Store an operation
// is. After a write the operation continues without anything that it has read, so that
// what is resolved below the payload is read again.
package loaders
