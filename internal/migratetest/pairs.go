package migratetest

import (
	"fmt"
	"strings"
)

// shelves is the schema of the side From. %s are what a Note is stored as, its fields, fields of a Shelf, and of Query.
const shelves = `
type Query {
  node(id: ID!): Node
  shelf(name: String!): Shelf @get(pk: "SHELF#{name}", sk: "SHELF#{name}")
  %[4]s
}
type Shelf implements Node @item(pk: "SHELF#{name}", sk: "SHELF#{name}")
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  name: String!
  text: String
  %[3]s
}
type Note implements Node %[1]s
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  slug: String!
  shelf: String!
  %[2]s
}
`

// Parts of schemas.
const (
	PlainFields = "rank: Int!\n color: String\n text: String"
	Note        = `@item(pk: "NOTE#{slug}", sk: "NOTE")`
	copied      = ` @copy(pk: "SHELF#{shelf}", sk: "NOTE#{slug}")`
	entry       = ` @index(pk: "COLOR#{color}", sk: "{rank:05}#{slug}")`
	unsetEntry  = ` @index(pk: "COLOR#{color?}", sk: "{rank:05}#{slug}")`
	GetNote     = `note(slug: String!): Note @get(pk: "NOTE#{slug}", sk: "NOTE")`
	ofShelf     = ` notes(shelf: String!): NoteConnection @query(pk: "SHELF#{shelf}", sk: "NOTE#")`
	notes       = `notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`
	shares      = notes + `
		ranks: Int! @counts(field: "notes", of: "rank") texts: Int! @counts(field: "notes", where: "text = \"x\"")`
	ofColor = ` colored(color: String!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color}")`
)

// Colors as values of an enum, and with other names for some.
const (
	EnumFields  = "rank: Int!\n color: Color\n text: String"
	NeededColor = "rank: Int!\n color: Color!\n text: String"
	Colors      = "enum Color { reda redb redc redd bluea blueb bluec blued }"
	LaterColors = `enum Color {
		ruby @was(name: "reda") bordeaux @was(name: "redb") redc scarlet @was(name: "redd") bluea blueb bluec blued }`
	PaintFields = EnumFields + "\n tones: [Color!]\n paint: Paint\n layers: [Paint!]"
	Paint       = "type Paint { color: Color tones: [Color!] under: Paint }"
	enumEntry   = ` @index(pk: "COLOR#{color}", sk: "{rank:05}#{slug}", shards: 1)`
	placed      = copied + ` @index(pk: "BY", sk: "{color:02}#{slug}", shards: 1)`
	ofPlaced    = ` by(color: ColorRange): NoteConnection @query(index: "GSI1", pk: "BY")`
	// OtherColors have another order than Colors.
	OtherColors = "enum Color { blued blueb redb reda redc bluea redd bluec }"
	ofEnumColor = ` colored(color: Color!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color}")`
)

// Rack returns a schema in which shelves have another key.
func Rack(schema string) string {
	return strings.NewReplacer(`pk: "SHELF#{name}", sk: "SHELF#{name}"`, `pk: "RACK#{name}", sk: "RACK"`).Replace(schema)
}

// SDL returns a schema.
func SDL(stored, fields, ofShelf, query string) string {
	return fmt.Sprintf(shelves, stored, fields, ofShelf, query)
}

// Pairs are schemas of From and To.
var Pairs = map[string][2]string{
	"key": {
		SDL(Note+copied+entry, PlainFields, "", GetNote+ofShelf+ofColor),
		SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied+entry, PlainFields, "",
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`+ofShelf+ofColor),
	},
	"copy key": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(Note+` @copy(pk: "SHELF#{shelf}", sk: "NOTE#{rank:05}#{slug}")`, PlainFields, "", GetNote+ofShelf),
	},
	"place": {
		SDL(Note+entry, PlainFields, "", GetNote+ofColor),
		SDL(Note+unsetEntry, PlainFields, "", GetNote+
			` colored(color: String): NoteConnection @query(index: "GSI1", pk: "COLOR#{color?}")`),
	},
	"folded": {
		SDL(Note+entry, PlainFields, "", GetNote+ofColor),
		SDL(Note+` @index(pk: "COLOR#{color:folded}", sk: "{rank:05}#{slug}")`, PlainFields, "", GetNote+
			` colored(color: String!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color:folded}")`),
	},
	"new copy": {
		SDL(Note, PlainFields, "", GetNote),
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
	},
	"new entry": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(Note+copied+entry, PlainFields, "", GetNote+ofShelf+ofColor),
	},
	"stored name": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(Note+copied, "rank: Int!\n color: String @stored(name: \"hue\")\n text: String", "", GetNote+ofShelf),
	},
	"format": {
		SDL(Note+copied, PlainFields+" at: Time", "", GetNote+ofShelf),
		SDL(Note+copied, PlainFields+" at: Time @stored(as: EPOCH_SECONDS)", "", GetNote+ofShelf),
	},
	"padding": {
		SDL(Note+entry, PlainFields, "", GetNote+ofColor),
		SDL(Note+` @index(name: "GSI2", pk: "COLOR#{color}", sk: "{rank:08}#{slug}")`, PlainFields, "",
			GetNote+` colored(color: String!): NoteConnection @query(index: "GSI2", pk: "COLOR#{color}")`),
	},
	"entry in place": {
		SDL(Note+entry, PlainFields, "", GetNote+ofColor),
		SDL(Note+` @index(pk: "COLOR#{color}", sk: "{rank:08}#{slug}")`, PlainFields, "", GetNote+ofColor),
	},
	"literal": {
		SDL(Note+entry, PlainFields, "", GetNote+ofColor),
		SDL(`@item(pk: "N-{slug}", sk: "NOTE")`+entry, PlainFields, "",
			`note(slug: String!): Note @get(pk: "N-{slug}", sk: "NOTE")`+ofColor),
	},
	"shards": {
		SDL(Note+entry, PlainFields, "", GetNote+ofColor),
		SDL(Note+` @index(pk: "COLOR#{color}", sk: "{rank:05}#{slug}", shards: 4)`, PlainFields, "", GetNote+ofColor),
	},
	"unique": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(Note+copied, "rank: Int!\n color: String @unique\n text: String", "", GetNote+ofShelf),
	},
	"unique key": {
		SDL(Note+copied, "rank: Int!\n color: String @unique\n text: String", "", GetNote+ofShelf),
		SDL(Note+copied, "rank: Int!\n color: String @unique(key: \"HUE#{color}\")\n text: String", "", GetNote+ofShelf),
	},
	"unique where": {
		SDL(Note+copied, "rank: Int!\n color: String @unique(where: \"rank > 2\")\n text: String", "",
			GetNote+ofShelf),
		SDL(Note+copied, "rank: Int!\n color: String @unique(key: \"HUE#{color}\", where: \"rank < 5\")\n text: String", "",
			GetNote+ofShelf),
	},
	"counter": {
		SDL(Note+copied, PlainFields, `notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
		SDL(Note+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
	},
	"counter gone": {
		SDL(Note+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
		SDL(Note+copied, "rank: Int! @stored(name: \"place\")\n color: String\n text: String",
			`notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
	},
	"counter and key": {
		SDL(Note+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
		SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`,
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`),
	},
	"sum and condition": {
		SDL(Note+copied, PlainFields, notes, GetNote),
		SDL(Note+copied, PlainFields, shares, GetNote),
	},
	"sum and key": {
		SDL(Note+copied, PlainFields, shares, GetNote),
		SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied,
			"rank: Int! @stored(name: \"place\")\n color: String\n text: String", shares,
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`),
	},
	"new sum and key": {
		SDL(Note+copied, PlainFields, notes, GetNote),
		Rack(SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied, PlainFields, shares,
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`)),
	},
	"parent with a counter": {
		SDL(Note+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
		Rack(SDL(Note+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote)),
	},
	"parent and its counter": {
		SDL(Note+copied, PlainFields, `notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote),
		Rack(SDL(Note+copied, PlainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, GetNote)),
	},
	"latest": {
		SDL(Note, PlainFields, "", GetNote),
		SDL(Note+` @copy(pk: "SHELF#{shelf}", sk: "TOP", latest: "rank")`, PlainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "TOP")`, GetNote),
	},
	"latest key": {
		SDL(Note+` @copy(pk: "SHELF#{shelf}", sk: "TOP", latest: "rank")`, PlainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "TOP")`, GetNote),
		SDL(Note+` @copy(pk: "SHELF#{shelf}", sk: "BEST", latest: "rank")`, PlainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "BEST")`, GetNote),
	},
	"latest and name": {
		SDL(Note+` @copy(pk: "SHELF#{shelf}", sk: "TOP", latest: "rank")`, PlainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "TOP")`, GetNote),
		SDL(Note+` @copy(pk: "SHELF#{shelf}", sk: "TOP", latest: "rank")`,
			"rank: Int!\n color: String @stored(name: \"hue\")\n text: String",
			`top: Note @get(pk: "SHELF#{name}", sk: "TOP")`, GetNote),
	},
	"type value": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(`@item(pk: "NOTE#{slug}", sk: "NOTE", type: "N")`+copied, PlainFields, "", GetNote+ofShelf),
	},
	"constants": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(`@item(pk: "NOTE#{slug}", sk: "NOTE", constants: [{name: "v", value: 7}])`+copied, PlainFields, "",
			GetNote+ofShelf),
	},
	"enum": {
		SDL(Note+copied, EnumFields, "", GetNote+ofShelf) + Colors,
		SDL(Note+copied, EnumFields, "", GetNote+ofShelf) + LaterColors,
	},
	"enum in entry": {
		SDL(Note+enumEntry, EnumFields, "", GetNote+ofEnumColor) + Colors,
		SDL(Note+enumEntry, EnumFields, "", GetNote+ofEnumColor) + LaterColors,
	},
	"enum and key": {
		SDL(Note+copied+enumEntry, EnumFields, "", GetNote+ofShelf+ofEnumColor) + Colors,
		SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied+enumEntry, EnumFields, "",
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`+ofShelf+ofEnumColor) + LaterColors,
	},
	"enum in objects": {
		SDL(Note+copied, PaintFields, "", GetNote+ofShelf) + Paint + Colors,
		SDL(Note+copied, PaintFields, "", GetNote+ofShelf) + Paint + LaterColors,
	},
	"enum in objects and key": {
		SDL(Note+copied, PaintFields, "", GetNote+ofShelf) + Paint + Colors,
		SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied, PaintFields, "",
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`+ofShelf) + Paint + LaterColors,
	},
	"version": {
		SDL(Note+copied, PlainFields, "", GetNote+ofShelf),
		SDL(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied, PlainFields+" version: Int! @version", "",
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`+ofShelf),
	},
	"order of values": {
		SDL(Note+placed, NeededColor, "", GetNote+ofShelf+ofPlaced) + Colors,
		SDL(Note+placed, NeededColor, "", GetNote+ofShelf+ofPlaced) + OtherColors,
	},
	"names to places": {
		SDL(Note+copied+enumEntry, EnumFields, "", GetNote+ofShelf+ofEnumColor) + Colors,
		SDL(Note+copied+` @index(pk: "COLOR#{color:02}", sk: "{rank:05}#{slug}", shards: 1)`, EnumFields, "", GetNote+ofShelf+
			` colored(color: Color!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color:02}")`) + OtherColors,
	},
	"other names and places": {
		SDL(Note+placed, NeededColor, "", GetNote+ofShelf+ofPlaced) + Colors,
		SDL(Note+placed, NeededColor, "", GetNote+ofShelf+ofPlaced) + `enum Color {
			blued redc ruby @was(name: "reda") redb bluea blueb bluec scarlet @was(name: "redd") }`,
	},
}
