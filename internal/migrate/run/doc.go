// Package run carries out a migration of a table.
//
//  1. migrator.go takes the steps of the record, each once the replicas have acknowledged the one before, and does
//     what a state needs.
//  2. indexes.go creates indexes that the later design needs, and asks how many items the table has.
//  3. pass.go reads the whole table, page by page, at a rate that can be changed meanwhile (rate.go), and keeps how
//     far it is, so that another process can go on (progress.go).
//  4. fill.go gives each object its form by the other design, and proves that all have one (blocked.go has what
//     stops it); counters.go counts what only the other design counts. duplicates.go finds values that two objects
//     have and only the later design wants to be unique.
//  5. remove.go removes what only the design has that the table leaves.
//  6. adopt.go proves that a table without a record follows a design.
//  7. watch.go follows other programs meanwhile, and has what stops the end of a migration.
//  8. estimate.go says what a migration would do, from statistics of the table and a sample of its items (sample.go),
//     and which partition keys become hot (hot.go).
//
// # Why it is so
//
// A pass reads each object and computes the transaction that would write both forms, with the code that gateways write
// with. If it writes nothing, the object is complete. So the proof of completeness is the same code as the fill, and it
// holds for what gateways write meanwhile.
//
// Nothing is deleted before it is proven that the object to which it belongs has its form by the design that remains.
package run
