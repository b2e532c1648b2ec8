// Package check finds what is wrong in a table, and mends it: what must hold
// between the items of a design, and rules of an application's own.
//
// Words: an item's inspection is a pure function of the item and of what it
// reads beside it. A pass is one paged Scan. It inspects each item with what is
// cheap to have: the page, what earlier pages held, and a BatchGetItem for the
// rest, all eventually consistent and of different moments. An item that looks
// wrong there is a suspect. It is confirmed by inspecting it again with strongly
// consistent reads until several rounds have found the same: only what is wrong
// then is a Violation, so the table may be written to meanwhile. A violation that
// can be mended carries the transaction that does it, under the condition that
// all is as it was read.
//
// The package knows the keys.Design and nothing of what is stored by it.
package check
