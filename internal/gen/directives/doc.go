// Package directives reads the directives of a schema, checks them as the design of a table, and writes the list of
// access patterns. Package gen generates code from the result. A fault is a Finding with its place and a fix, and one
// run reports all of them.
//
// Load makes a schema of files (load.go):
//
//  1. It completes what they may omit: package complete, by templates of definitions (*.gotpl) and those of package
//     sdl.
//  2. It checks names and values in the text, before anything is read from it: package document. Rare faults of GraphQL
//     itself are left to gqlparser, which returns the first one without a fix.
//
// Read reads the design of such a schema, whatever faults it has: package reading, whose steps are in design.go. A
// stored key is one key under which items of a type are stored: that of the item, of a copy, or of an entry in an
// index. A read is a field with @get or @query.
//
//  3. The schema and its table: layout, delimiter and indexes (source.go, table.go, templates.go).
//  4. Connections and their edges (connections.go).
//  5. Types: their attributes, and the keys under which they are stored (types.go, attributes.go, uniques.go,
//     derived.go).
//  6. Reads (access.go, reads.go), those of the payloads of mutations (mutable.go, mutations.go), and the @item that
//     types lack (supply.go).
//  7. Which stored keys each read selects, then the nodes of edges and the counters, which follow from it (reads.go,
//     counters.go).
//  8. The types that IDs name, and arguments (refs.go).
//  9. Who may read and call (allow.go).
//
// Then Read checks the whole design, and converts it if there are no findings:
//
//  10. Each rule is a function (package checks), in the file of what it checks; the list is in checks.go. They ask the
//     design (facts.go, keys.go, evidence.go and overlap.go of package reading), and propose fixes (package fixes).
//
// A phase uses only what the phases before it have read. What cannot be read is noted, and the phase goes on without
// it: Source.Unreadable, Access.Misreads and Access.Unclear. The rules say what is wrong with it.
//
// # Why it is so
//
// Load adds what it can and leaves out the rest, and the rules check declared and added definitions alike: an error in
// one place never hides others. Everything behind Load sees one complete schema, with the positions of what a person
// has written.
//
// The name of an undeclared connection says what its nodes are, and the condition is checked against it: a mistake in a
// condition must not change the type of a field without a word. Where there is more than one answer, a finding has the
// declaration to add.
//
// Prefixes of keys are checked by what fields read: two sort keys that begin alike collide only if a field reads more
// than it returns.
//
// The owner of mutations is that of reads, because otherwise one viewer could change what another one sees as theirs.
package directives
