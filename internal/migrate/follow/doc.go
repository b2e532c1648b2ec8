// Package follow keeps what is stored by the other design of a table right in the transactions of a gateway.
//
// While a table goes from one design to another one, each object has two forms: one by the design that is read, and one
// by the other design, its companion. A Follower extends a transaction by what the companion needs. It reads the base
// items that the transaction changes, and all items of the companion. From these images it computes what each stored
// item becomes. The conditions of the extended transaction are that the base items are as they were read, so that all
// writers of an object are in order; if they are not, everything is computed anew. Everything happens in the names and
// formats of the table, because both designs may need one item.
//
// Words: a place is a stored key with what becomes of its item. A design governs the attributes of an item that follow
// from it: fields, entries in indexes, the type. Where both govern an attribute and want other values, the side wins
// that the state writes in place.
package follow
