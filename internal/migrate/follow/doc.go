// Package follow keeps what is stored by the other design of a table right in the transactions of a gateway.
//
// While a table goes from one design to another one, each object has two forms: one by the design that is read, and one
// by the other design, its companion. A Follower extends a transaction by what the companion needs. It reads the base
// items that the transaction changes, and all items of the companion. From these images it computes what each stored
// item becomes. The conditions of the extended transaction are that the base items are as they were read, so that all
// writers of an object are in order; if they are not, everything is computed anew. Everything happens in the names and
// formats of the table, because both designs may need one item.
//
// Each file uses those below it:
//
//  1. follow.go is the entry: the steps in which a transaction is extended. Another entry, toolarge.go, finds mutations
//     that are too large then.
//  2. derive.go lets the companion follow from the object as it is, whatever was written before.
//  3. store.go decides what becomes of the companion, with its claims (claim.go), its counters (counter.go) and the
//     latest items (latest.go). visit.go names the places that have to be read for that.
//  4. object.go is an object in both designs, and inplace.go reads an attribute in the form of either.
//  5. hide.go leaves out what a caller must not write.
//  6. session.go is one call: its places, read and written together. place.go is one of them, and names.go has which
//     attributes a design governs.
//  7. workload.go says for a price what is written at most.
//  8. follower.go is what all of these know of both designs, and differing.go which types differ.
//
// Words: a place is a stored key with what becomes of its item. A design governs the attributes of an item that follow
// from it: fields, entries in indexes, the type. Where both govern an attribute and want other values, the side wins
// that the state writes in place.
package follow
