// Package importer proposes the schema of an existing table. It sees items only, of an export or of a sample, and
// recognises what their keys and attributes have in common. Import in import.go runs these steps; each uses only the
// steps before it and the data that they share.
//
//  1. recognise.go: the names of the table, in this order. primarykey.go finds the key attributes, delimiter.go what
//     joins the parts of a key, and typeattribute.go the attribute with the name of an item's type.
//  2. collect.go: a bounded number of items of each kind of key. An entry is one item with its keys split into parts:
//     the sort key ORDER#17 is ORDER, 17.
//  3. claims.go takes the items out with which a library keeps values unique.
//  4. divide.go, prefixes.go: groups of items whose keys have the same literals. USER#1 and ORDER#17 are keys of two
//     groups, USER#1 and USER#2 of one.
//  5. explain.go: what each part of the keys of a group is. fit.go compares it with an attribute: in ORDER#0017 it is
//     {number:04} of the attribute number. several.go finds values that nothing separates, and hidden.go names a
//     hidden value, one that is only in keys. naming.go decides whether a value is that of an attribute by chance.
//  6. shapes.go: the result is a shape, the pair of templates of one stored item: USER#{userId}, ORDER#{number:04}.
//  7. types.go: shapes with the same objects become a type with copies, which gets a name. indexes.go adds its entries
//     in indexes, fields.go its fields, and values.go their types.
//  8. claims.go adds @unique to the fields whose values are claimed.
//  9. reads.go: the fields that read what the keys can select: query.go a collection, unions.go several types together,
//     references.go the objects that an object refers to.
//  10. print.go, printtype.go: the text of the schema. The printer remembers the lines of each element.
//  11. settle.go: what the checks of a design reject is turned into a comment by drop.go, and the schema is printed
//     once more, until they accept the rest. Then each item is placed as a gateway would.
//  12. report.go: what became of the items.
//
// Below the steps: words.go has the words of names and keys, scalars.go the types of texts, template.go templates,
// layout.go the table, entry.go items and groups of them, model.go the schema while it is made, and owners.go whose
// objects a partition has. description.go and sample.go get what Import needs from a table.
//
// It proposes generously, and the checks of a design decide what remains: so the rules of a design are written once,
// and a proposal never has findings.
package importer
