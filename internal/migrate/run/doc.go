// Package run carries out a migration of a table. Each file uses those below it.
//
//  1. run.go is the entry. It opens and begins a migration, takes the steps of the record, each once the replicas have
//     acknowledged the one before, and does what a state needs.
//  2. fill.go gives each object its form by the other design, and proves that all have one. convert.go gives attributes
//     with two forms the former one again. remove.go removes what only the design has that the table leaves.
//  3. watch.go follows other programs meanwhile, and has what stops the end of a migration (others.go).
//  4. complete.go gives one object its form by the other design; form.go says why it has none (blocked.go).
//     duplicates.go finds values that two objects have and only the later design wants to be unique.
//  5. counters.go counts what only the later design counts. indexes.go creates indexes that it needs, and asks how many
//     items the table has.
//  6. pass.go reads the whole table, page by page, and has the requests for single items.
//  7. migrator.go is what all of these share: the record, and how far the migration is (progress.go), which another
//     process goes on with, at a rate that can be changed meanwhile (rate.go).
//  8. side.go is the table by each of both designs.
//
// Two more entries need no Migrator. estimate.go computes what a migration would do, from statistics of the table and a
// sample of its items (sample.go), and which partition keys become hot (hot.go). adopt.go proves that a table without a
// record follows a design.
//
// # Why it is so
//
// A pass reads each object and computes the transaction that would write both forms, with the code that gateways write
// with. If it writes nothing, the object is complete. So the proof of completeness is the same code as the fill, and it
// holds for what gateways write meanwhile.
//
// Nothing is deleted before it is proven that the object to which it belongs has its form by the design that remains.
package run
