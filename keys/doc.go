// Package keys is the table side of a schema: key templates and what is built
// from them.
//
// A Template is the pattern of one key value, such as ORDER#{createdAt}#{id}. A
// Shape is the pair of templates under which items of a type are stored: its
// base item, a copy, or its entry in an index. A Design is all types with their
// shapes and all fields with the key condition that serves each. A BoundField
// is a field with the values of its variables. Its Condition names exactly one
// partition (or the shards or time buckets of one collection) and one sort key
// or sort-key range; nothing that a caller sends can widen it.
//
// An ID is a Relay global ID, a Cursor a position inside a Condition's range.
//
// The package knows no particular schema. The Design and the typed keys of a
// schema are generated from its directives by package gen.
package keys
