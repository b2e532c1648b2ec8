// Package keys has key templates, the values in keys, global IDs and cursors.
//
// A Template is the pattern of one key value, such as ORDER#{createdAt}#{id}, and a Shape that of the key of an item. A
// Value is the value of a variable, in the text that a key has, and a Format the one that it has in an attribute. An ID
// is a Relay global ID. Cursors encrypt positions in what a Query reads.
//
// The package knows no schema. Package design has the types and fields that are made of templates, and package stored
// the names of a table.
package keys
