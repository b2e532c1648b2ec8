// Package browse answers the questions of the page /table: which partitions a table or an index has, what a collection
// contains, and where an id leads. It decodes keys by the design, and reads nothing else than what is asked for. On a
// table that is for development only it also changes single items, and checks what that breaks.
//
// Words: a question is the JSON that the page sends, an answer what it gets. A link leads to a collection, or to a
// sort key in it.
package browse
