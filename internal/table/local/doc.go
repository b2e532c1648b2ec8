// Package local runs the local engine: dynoxide, a DynamoDB-compatible server on
// SQLite, as a child process on a free port of the loopback interface.
//
// Open is for programs: it opens a remote table, or starts the engine on a data
// directory and opens the table in it. StartEngine is for tests.
//
// Words: a data directory has the engine's database and is locked by the process
// that uses it. The seed is what the table in a new data directory contains.
package local
