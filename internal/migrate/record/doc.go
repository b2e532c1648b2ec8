// Package record keeps the record of a table's design in the table, with the replicas that act by it and the one
// process that carries out a migration.
//
//  1. store.go reads and writes the record.
//  2. replicas.go registers replicas, in one item. Each renewal returns the revision of the record, so that a replica
//     learns of a change without a request of its own.
//  3. member.go keeps this process registered, applies each new record, and then acknowledges it.
//  4. lock.go excludes a second migrator and keeps how far a migration is.
//
// # Why it is so
//
// Clocks are not compared: a replica has expired for others once its number of renewals has not changed for Lease by
// their clocks, and for itself once Lease has passed since it sent its last renewal that was carried out. It then
// answers nothing until it is registered again, so that it cannot act by a state that others have left.
//
// A table without a record has no replicas registered: nothing is written to it that it does not need. Its replicas
// look for a record as often as they would renew, and register when there is one.
//
// A replica registers and reads the record again before it acts by it. A migrator that has not seen it has moved at
// most one step, to a neighbouring state, and sees it before the next one.
package record
