// Package check finds violations in a table and repairs them: what must be true of
// the items of any design, and rules of an application's own.
//
// Words: an inspection is a pure function of an item and of what it reads beside
// that item. A pass is one paged Scan. It inspects each item with what is cheap to
// read: the page, items of earlier pages, and a BatchGetItem for the rest, all of
// them eventually consistent and of different moments. An item that looks wrong
// there is a suspect. A suspect is confirmed by inspecting it again with strongly
// consistent reads until several rounds have found the same; a round during which
// the item changes does not count. Only what is wrong then is a Violation, so the
// table may be written to meanwhile. A violation that can be repaired has the
// transaction that does it, on the condition that everything is still as it was
// read.
//
// Before anything is deleted, the inspection looks for what may need it. An item whose
// damage is not its own, because what it refers to or is a copy of is missing, is
// deleted only if the scope names the kind: it may be what that is restored from. In a
// table with other writers, which the schema declares with @table, a repair without a
// scope does only what loses nothing, whatever those have meant.
//
// In a table with tenants, each item is inspected among those of its tenant only,
// and repaired by requests of that tenant.
//
// The package knows the design.Design and nothing about the objects that the table
// stores.
//
// The gateway scans only a bounded sample after its start, if it is told to: what does not fit the schema is then
// noticed before somebody asks for it. No caller can cause it.
package check
