// Package directives is the thinking half of the generator: it reads the
// directives of a schema, checks them as the design of a table, and writes the
// list of access patterns. Package gen emits code from what it finds.
//
// A form is one key under which items of a type stand: the item, a copy, or an
// entry in an index. A read is a field with @get or @query. Reading goes from
// types to forms to reads, each read is matched against all forms, and then
// every check looks at the whole. A check adds a Finding for each fault, so
// that one run reports all of them; each lives in a file of its own, check_*.go.
package directives
