// Package crowd tests migrations among many callers: two replicas of each schema, writers at all of them, a program
// that writes items of its own, kills of replicas and of the migrator, and a table that rejects requests. Each answer
// must be what the writer's ledger says, or NOT_READY, and in the end the table must have what one has that was created
// with the schema and was given the same objects.
package crowd
