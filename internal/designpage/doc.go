// Package designpage writes the page that a team shows each other: the access patterns of a schema, a picture of the
// table with example items, which pattern reads which of them, what writes cost, and what a change of the schema
// changes. The gateway serves it at /design, and `partita design --format=html` writes it as one file.
//
// The files, from the bottom up: values.go invents the values of examples, examples.go the objects and their items.
// kinds.go has what a type is stored as, picture.go draws the items, reads.go decides which of them a pattern reads.
// tenants.go adds a tenant to the pictures. patterns.go and writes.go are the page's tables, findings.go is what to
// look at again, page.go has all of it, changes.go compares two pages, and render.go writes HTML.
//
// # Why it is so
//
// The examples follow from the schema alone and never from what is stored, so that the page shows no data. Their items
// are those that a write would store, and what a pattern reads among them follows from its matches, as everything that
// the engine reads does. So the picture cannot differ from the table.
//
// The page is HTML before any script runs, because the same bytes are a file in a repository. The script only
// highlights.
package designpage
