package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkTable finds a second @table, and names of attributes, a delimiter and indexes that a table cannot have.
func (r *checker) checkTable() {
	if r.layout == nil {
		return
	}
	l, table, at := r.layout, r.layoutDirective, r.layoutDirective.Position
	for _, d := range r.schema.SchemaDirectives {
		if d.Name == "table" && d != table {
			r.find(d.Position, "schema", "a second @table: a schema has one table",
				"remove @table, or merge it with the first one")
		}
	}
	if pk, sk := l.PK.String(), textArgument(table, "sk"); pk == "" || sk == "" && !isNull(table, "sk") || pk == sk {
		r.find(at, "schema", fmt.Sprintf("@table has the key attributes %q and %q", pk, sk),
			`write pk: "pk", sk: "sk", or the other names of both key attributes`)
	}
	if l.Type != "" && l.IsKey(l.Type) {
		r.find(at, "schema", fmt.Sprintf("@table has %s as a key and as the type", l.Type),
			"write type: null, so that types are recognised by their keys")
	}
	switch given := textArgument(table, "delimiter"); {
	case !isDelimiter(given):
		r.find(at, "schema", fmt.Sprintf("%q cannot be the delimiter of keys", given),
			`write delimiter: "#", or one or more other punctuation marks`)
	case given != l.Delimiter:
		r.find(at, "schema", fmt.Sprintf("the delimiter of the keys is %q", l.Delimiter),
			fmt.Sprintf("write delimiter: %q", l.Delimiter))
	}
	for i, ix := range r.declaredIndexes {
		if what, fix := r.indexFix(i, ix); what != "" {
			r.find(at, "schema", what, fix)
		}
	}
}

// indexFix returns what is wrong with the n-th of the indexes of @table, and the fix.
func (r *checker) indexFix(n int, ix declaredIndex) (what, fix string) {
	switch {
	case ix.fault == namelessIndex:
		return "an index of @table needs a name and the attribute of its partition key", r.writeIndexes(n, indexNames(ix.IndexLayout))
	case ix.fault == secondIndex:
		return "@table lists the index " + ix.Name + " twice", r.writeIndexes(n, "")
	case ix.fault == wrongInclude:
		return fmt.Sprintf("index %s: include is for the projection INCLUDE, and that needs it", ix.Name),
			r.writeIndexes(n, withProjection(ix.IndexLayout)) + ", or the attributes that an entry has besides keys"
	case ix.fault == noFault:
		return "", ""
	case ix.Local && !r.layout.HasSortKey():
		what = fmt.Sprintf("index %s is local, but the table has no sort key: it can have global indexes only", ix.Name)
	case ix.Local:
		what = fmt.Sprintf("index %s is local, so its partition key is %s, and its sort key is one other attribute but %s",
			ix.Name, r.layout.PK, r.layout.SK)
	default:
		what = fmt.Sprintf("index %s has an attribute twice, or more than %d in a key", ix.Name, keys.MaxKeyAttributes)
	}
	return what, r.writeIndexes(n, indexText(r.allowedIndex(ix.IndexLayout)))
}

// writeIndexes returns the fix that replaces the n-th of the indexes of @table, or removes it for "".
func (r *checker) writeIndexes(n int, text string) string {
	value := r.layoutDirective.Arguments.ForName("indexes").Value
	indexes := []string{value.String()}
	if value.Kind == ast.ListValue {
		indexes = nil
		for _, child := range value.Children {
			indexes = append(indexes, child.Value.String())
		}
	}
	if indexes[n] = text; text == "" {
		indexes = slices.Delete(indexes, n, n+1)
	}
	return "write indexes: [" + strings.Join(indexes, ", ") + "]"
}

// indexNames returns the index with a name and a partition key.
func indexNames(ix keys.IndexLayout) string {
	name := cmp.Or(ix.Name, "GSI1")
	if len(ix.PK) == 0 {
		ix.PK = keys.Named(keys.IndexPK(name))
	}
	if len(ix.SK) == 0 {
		ix.SK = keys.Named(keys.IndexSK(name))
	}
	return indexText(keys.IndexLayout{Name: name, PK: ix.PK, SK: ix.SK})
}

// indexText returns one of the indexes of @table as it is written in a schema.
func indexText(ix keys.IndexLayout) string {
	text := fmt.Sprintf("{name: %q, pk: %s", ix.Name, attributesText(ix.PK))
	if len(ix.SK) > 0 {
		text += ", sk: " + attributesText(ix.SK)
	}
	if ix.Local {
		text += ", local: true"
	}
	if ix.Projection != keys.All {
		text += ", projection: " + ix.Projection.String()
	}
	if ix.Projection == keys.Include {
		text += `, include: ["` + strings.Join(ix.Include, `", "`) + `"]`
	}
	return text + "}"
}

// attributesText returns the attributes of a key as they are written in a schema.
func attributesText(k keys.KeyAttributes) string {
	if len(k) == 1 {
		return quote(k[0].Name)
	}
	return `["` + strings.Join(k.Names(), `", "`) + `"]`
}

// withProjection returns the index with a projection that its attributes fit to.
func withProjection(ix keys.IndexLayout) string {
	if ix.Projection = keys.Include; len(ix.Include) == 0 {
		ix.Projection = keys.KeysOnly
	}
	return indexText(ix)
}
