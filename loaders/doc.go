// Package loaders reads what an operation selects with as few DynamoDB requests as the dependencies between its fields
// allow.
//
// A Read is one item by its key (a Get) or a range of an item collection (a Range). A wave is the set of Reads whose
// keys are known at the same time. Their requests run in parallel: GetItem, BatchGetItem, Query. When all of them have
// ended, the Reads that follow from their items are the next wave.
//
// One operation, file by file:
//
//  1. engine.go compiles, binds and prices an operation. begin.go begins it in a context (operation.go).
//  2. run.go makes a run and reads wave by wave until nothing is left to read.
//  3. start.go starts the Values of the fields of an object: it authorizes their conditions and registers their Reads.
//  4. requests.go turns the Reads of a wave into requests. waves.go sends them (query.go, gets.go), within limits that
//     executor.go keeps. source.go has the interface to the table, observer.go that of what is observed.
//  5. assemble.go merges the outcomes of a Value's Reads into a Page (page.go). finish.go authorizes its items, and
//     starts what is selected below them.
//  6. prune.go removes what cannot be read from lists and pages. prime.go keeps what resolvers will ask for.
//  7. Package answer writes the Values (value.go). For resolvers, resolve.go finds them by their place (place.go), and
//     load.go reads what is not there. intercept.go authorizes what neither of both has read.
//  8. mutate.go and write.go carry out mutations. event.go, images.go, first.go and live.go are about subscriptions.
//
// # Runs
//
// A run reads values and everything that is selected below them, wave by wave. A Value is what a field of the bound
// plan has at one place in the answer: an object, a list, or the page of a connection. It needs one or more states,
// which are the Reads of the run with their outcomes. Equal Reads have one state, and equal Gets or Ranges at one node
// of the plan have one Value. When all states of a Value are done, its items are checked against the schema and
// authorized, and become Instances: objects at a place, whose fields are the next Values. Lists and pages lack damaged
// items, and those that they cannot have because a field that is never null cannot be read (prune.go).
//
// A Value is started before its parent has been read if its condition follows from the parent's key. If the parent is
// then null, the Value is abandoned, with everything below it, unless it is also at another place.
//
// # Gets that wait, and Gets that join
//
// A Get is deferred if nothing below its object depends on its item and a later wave probably has Gets anyway. It is
// sent with the next BatchGetItem, or joins a Query of its partition, or is sent when nothing else is left to read.
//
// A Get joins the Query of a Range in its partition if its item is in the range, or sorts directly beside it. On the
// near side, the item comes first in the Query's direction. A far item comes last: plan.JoinsFar decides whether the
// Query asks for it as well. If the page was full, the Query may have ended before the item, and a later wave reads it
// by its key.
//
// # Entries of indexes
//
// An index may have only some attributes of its items. If its entries lack something that is selected, a Value waits
// for the Gets of the items on its page after its Ranges, and what is below the items is read after them.
//
// # Two executors
//
// Package answer writes the answer of an operation without hand-written Go from the Values of Operation.Read. For other
// operations, gqlgen calls resolvers, and they call Object, Objects, List or Connection. In a query, what does not
// depend on Go code was read before the first resolver runs, and a resolver finds its Value by the place of its field.
//
// Other resolvers load the condition that they pass: those that a person has edited, and those below Go code, such as
// the payload of a mutation. Only these conditions are loaded by a dataloader. It batches those of resolvers that run
// concurrently, its batch function makes one run of the batch that it receives, and its cache is the only one. The
// Values below a batch are added to that cache, because Go code may have read any number of objects. So are the Values
// that the directives of edited resolvers declare. They are read ahead, because an edited resolver usually reads them,
// and then does more.
//
// # Authorization, limits and writes
//
// A condition is authorized before its Reads are registered, and items before anything below them is read. The answer
// for an object that the viewer may not read, and its cost, do not depend on whether the object exists.
//
// Each operation has Values and a dataloader of its own, so that no decision is shared between callers. A Source may
// share items. Options limits what one operation and the process read at a time and in all.
//
// The resolvers of mutations use package write, and an operation is their write.Store. After a write, the operation
// continues without anything that it has read.
//
// # Why it is so
//
// A damaged item is missing in a list, with an error at the list, because an element that is not there has no path. The
// page is not filled up from behind: units, cursors and hasNextPage would depend on damage. So the last cursor may be
// that of a damaged item.
//
// A page of time buckets begins with one bucket and derives how many to read next from the density of those that it has
// read, at least twice as many: any fixed number is right for one density only. Without a lower end it reads at most
// keys.MaxBuckets, and a longer gap ends the paging: the alternative is a page that reads back to the year 0.
//
// What a Read has consumed is a part of a request, because a BatchGetItem serves several fields. So measured values are
// a list of requests with their parts, which add up to the cost without rounding.
//
// The first item of a Query that leaves its place is read again by a subscription: to keep a few more items would only
// move the question.
package loaders
