// Package keys has key templates, key conditions, global IDs and cursors.
//
// A Template is the pattern of one key value, such as ORDER#{createdAt}#{id}. A Shape is the pair
// of templates under which items of a type are stored: its base item, a copy, or its entry in an
// index. A Design has all types with their shapes, and all fields with the key condition that
// serves each. A BoundField is a field with the values of its variables. Its Condition selects
// exactly one partition (or the shards or time buckets of one collection) and one sort key or range
// of sort keys. No value from a caller can make it select more.
//
// An ID is a Relay global ID. A cursor is a position in a Condition's range.
//
// The package knows no particular schema. The Design and the typed keys of a
// schema are generated from its directives by package gen.
package keys
