// Package loaders reads the fields of an operation with as few DynamoDB requests as the dependencies
// between them allow.
//
// A Read is one item by its key (a Get) or a range of an item collection (a Range). A wave is the set
// of Reads whose keys are known at the same time. Plan returns the requests of a wave: GetItem,
// BatchGetItem, Query. They run in parallel; when all of them have ended, the Reads that follow from
// their items make the next wave.
//
// An Operation prefetches: it registers Reads before their resolvers run. When a query starts, it walks
// the selection set with the Design and registers each Read whose key follows from arguments alone, at
// any depth. When a wave has ended, it does the same below each item. A resolver (Object, Objects, List,
// Connection) usually finds its Read registered and waits for it. A resolver that was edited to read
// something else registers its own Read, which joins the next wave.
//
// Each operation has a dataloader of its own, so nothing is read twice in an operation and nothing is
// shared between callers. A walk holds the operation's lock, so that everything that it registers is in
// the same wave.
//
// Before it reads, a resolver authorizes the viewer with the access rules of the schema. The answer for
// an object that the viewer may not read, and its cost, do not depend on whether the object exists.
//
// An Estimate is the worst-case cost of an operation. It is computed by a walk like that of the prefetch
// which assumes as many items as there can be.
//
// The resolvers of mutations use package write, and an operation is their write.Store. After a write,
// the operation continues without anything that it has read.
package loaders
