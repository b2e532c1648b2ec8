// Package cache answers eventually consistent Reads with what another operation has read, or is reading.
//
// A Cache is a Sink of the table's changes, and [Cache.Around] returns the Reads of operations, which are a
// loaders.Source around another one. Authorization is evaluated on each item for each reader, as ever: a Read has
// no viewer, and its key has the tenant.
//
// # Reads in flight
//
// The first operation that sends a Read is the leader of its flight; others that need the same Read meanwhile wait for
// its outcome. It is sent in the context of the leader. If that ends first, one of those that wait becomes the leader
// and sends the Read again, so that nobody fails because of another caller's deadline, and a request never outlives the
// operations that need it. Errors of the table are shared, because more requests would not help it.
//
// An operation does not join a flight that began before this process wrote the item, or anything in the partition: it
// would not see its caller's own write. It joins no flight that is older than a second either.
//
// # Reads of one change
//
// Operations with the same request.Scope, such as the events of one change to many subscribers, share Reads that have
// ended, too.
//
// # Items
//
// Items that were read by their keys are kept, missing ones included, if Settings.Bytes is not 0. The stream evicts
// them, no matter who has changed them, and own writes do so at once. An eventually consistent read that begins shortly
// after a change may still return the item as it was before. Its result is therefore not kept unless it began
// Options.Settle after the last change of the item. That also excludes reads that were in flight while it changed.
//
// No item is returned while the stream has not been read up to Options.MaxLag ago, nor any that was read longer than
// Settings.MaxAge ago. An item that is returned was therefore current within Options.MaxLag, provided that reads settle
// within Options.Settle, and was read within Settings.MaxAge in any case.
//
// Queries are not kept: a change does not identify all ranges that it concerns without an index of them. What they
// return is not kept either, so that large pages do not displace items that are read one by one. Strongly consistent
// reads go to the table. What they read is usually written next, and is not kept.
//
// # Why it is so
//
// Queries do not fill the cache. A page would displace the single items that are worth keeping, and it changes with
// each item in its range. Strongly consistent reads fill nothing either, because what they read is usually written
// next.
//
// A shared Read has no context of its own, which would need a goroutine for each Read, and let requests outlive their
// operations.
package cache
