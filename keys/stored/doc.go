// Package stored has the names that a table has: of its key attributes and indexes, of the tenants that its partition
// keys begin with, and of the items that belong to the table itself.
//
// A table that Partita has created has those of DefaultLayout. An existing table has its own, which the schema
// declares.
package stored
