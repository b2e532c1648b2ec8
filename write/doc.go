// Package write has what mutations need: the items in which an object is stored, the
// actions that create, change and delete them, and transactions.
//
// Mutate carries out a mutation of the schema, and Steps one that Go composes.
//
// Below both, a mutation checks its input and collects what is wrong as UserErrors. It may Read an object as it
// is now. Create, Update and Delete turn the stored items of objects, which generated functions
// return, into actions; Count changes a counter, Claim makes a value unique. The actions are the
// parts of one Transaction, and Commit carries it out. A part that fails is looked up by its name.
// Once commits a mutation that must be carried out once for each idempotency key.
//
// A context of package loaders has the Store that Read and Commit use. The package
// itself knows neither GraphQL nor DynamoDB's client.
//
// # Why it is so
//
// Parts have names, because DynamoDB reports failed conditions by the index of the action, and code that builds a
// transaction in one function and interprets its failure in another must not count actions. A part fails with its first
// action, the base item. If only a copy fails, the table is damaged.
//
// A write of one item is sent alone only if its condition no longer holds once it was carried out: it has no token, and
// could otherwise happen twice when an answer is lost. All others are transactions.
//
// A token does not prove that nothing was written: it is forgotten after ten minutes. A failed condition after an
// attempt without an answer is believed only if a condition still holds that the transaction would have ended.
//
// An update without a version is conditioned on all that was read, because copies, entries and claims follow from it.
// If that has changed, the update is made anew: its caller relied on no version.
//
// What is below an object, by onDelete, is deleted with it by one transaction as far as that is bounded: counters that
// are as they were read show that nothing was added. Otherwise the object becomes a tombstone, under which nothing can
// be created, and a Sweep deletes the rest. The list of tombstones is a partition of the table, because not every table
// has an index for it, and one that lags behind could miss what was created a moment ago.
//
// Claims have partitions of their own, so that no field can read one. A counter enforces the size of a collection,
// since it changes in the transaction anyway; a Query before each creation would be dearer and inexact. An object whose
// counters are not 0 is not deleted, unless the schema says that what they count is deleted with it.
//
// A malformed scalar is an error of the field, as for arguments of queries: no form of a person sends text as a time.
// UserErrors are for what a person can correct.
package write
