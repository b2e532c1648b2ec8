package checks

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkTable finds a second @table, and names of attributes, a delimiter and indexes that a table cannot have.
func checkTable(r *checker) {
	if r.Layout == nil {
		return
	}
	l, table, at := r.Layout, r.LayoutDirective, r.LayoutDirective.Position
	for _, d := range r.Schema.SchemaDirectives {
		if d.Name == "table" && d != table {
			r.find(d.Position, "schema", "a second @table: a schema has one table",
				"remove @table, or merge it with the first one")
		}
	}
	if pk, sk := l.PK.String(), sdl.Text(table, "sk"); pk == "" || sk == "" && !sdl.IsNull(table, "sk") || pk == sk {
		r.find(at, "schema", fmt.Sprintf("@table has the key attributes %q and %q", pk, sk),
			`write pk: "pk", sk: "sk", or the other names of both key attributes`)
	}
	if l.Type != "" && l.IsKey(l.Type) {
		r.find(at, "schema", fmt.Sprintf("@table has %s as a key and as the type", l.Type),
			"write type: null, so that types are recognised by their keys")
	}
	switch given := sdl.Text(table, "delimiter"); {
	case !reading.IsDelimiter(given):
		r.find(at, "schema", fmt.Sprintf("%q cannot be the delimiter of keys", given),
			`write delimiter: "#", or one or more other punctuation marks`)
	case given != l.Delimiter:
		r.find(at, "schema", fmt.Sprintf("the delimiter of the keys is %q", l.Delimiter),
			fmt.Sprintf("write delimiter: %q", l.Delimiter))
	}
	for i, ix := range r.DeclaredIndexes {
		if what, fix := indexFix(r, i, ix); what != "" {
			r.find(at, "schema", what, fix)
		}
	}
}

// indexFix returns what is wrong with the n-th of the indexes of @table, and the fix.
func indexFix(r *checker, n int, ix reading.DeclaredIndex) (what, fix string) {
	switch {
	case ix.Fault == reading.NamelessIndex:
		return "an index of @table needs a name and the attribute of its partition key", fixes.WriteIndexes(r.Design, n,
			fixes.IndexNames(ix.IndexLayout))
	case ix.Fault == reading.SecondIndex:
		return "@table lists the index " + ix.Name + " twice", fixes.WriteIndexes(r.Design, n, "")
	case ix.Fault == reading.WrongInclude:
		return fmt.Sprintf("index %s: include is for the projection INCLUDE, and that needs it", ix.Name),
			fixes.WriteIndexes(r.Design, n, fixes.WithProjection(ix.IndexLayout)) +
				", or the attributes that an entry has besides keys"
	case ix.Fault == reading.NoFault:
		return "", ""
	case ix.Local && !r.Layout.HasSortKey():
		what = fmt.Sprintf("index %s is local, but the table has no sort key: it can have global indexes only", ix.Name)
	case ix.Local:
		what = fmt.Sprintf("index %s is local, so its partition key is %s, and its sort key is one other attribute but %s",
			ix.Name, r.Layout.PK, r.Layout.SK)
	default:
		what = fmt.Sprintf("index %s has an attribute twice, or more than %d in a key", ix.Name, keys.MaxKeyAttributes)
	}
	return what, fixes.WriteIndexes(r.Design, n, fixes.IndexText(r.AllowedIndex(ix.IndexLayout)))
}
