// Package directives reads the directives of a schema, checks them as the design of a table, and
// writes the list of access patterns. Package gen generates code from the result.
//
// A stored key is one key under which items of a type are stored: that of the item, of a copy, or
// of an entry in an index. A read is a field with @get or @query. Types are read first, then their
// stored keys, then the reads. Each read is matched against all stored keys, and then the checks
// inspect the whole design. A check adds a Finding for each fault, so that one run reports all of
// them. Each check is in a file of its own, check_*.go.
package directives
