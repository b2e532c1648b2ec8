// Package importer proposes the schema of an existing table.
package importer
