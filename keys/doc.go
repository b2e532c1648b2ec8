// Package keys has key templates, the values in keys, global IDs and cursors.
//
// A Template is the pattern of one key value, such as ORDER#{createdAt}#{id}, and a Shape that of the key of an item. A
// Value is the value of a variable, in the text that a key has, and a Format the one that it has in an attribute. An ID
// is a Relay global ID. Cursors encrypt positions in what a Query reads.
//
// The package knows no schema. Package design has the types and fields that are made of templates, and package stored
// the names of a table.
//
// # Why it is so
//
// A value may contain the delimiter only as the last and only variable of its template, where the key is still that of
// no other id. Times and dates are divided by their width.
//
// A key of several attributes is one text, joined by U+0001, which sorts below all characters of values, so that
// templates, ranges and cursors need no second kind of key. A Number key is a text in the order of the numbers.
package keys
