package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// readLayout reads @table. Without it, the layout is nil.
func (r *reader) readLayout() {
	var table *ast.Directive
	for _, d := range r.schema.SchemaDirectives {
		switch {
		case d.Name != "table":
		case table != nil:
			r.find(d.Position, "schema", "a second @table: a schema has one table",
				"remove @table, or merge it with the first one")
		default:
			table = d
		}
	}
	if table == nil {
		return
	}
	r.layout = &keys.Layout{
		PK: textArgument(table, "pk"), SK: textArgument(table, "sk"),
		Type: textArgument(table, "type"), Delimiter: textArgument(table, "delimiter"),
	}
	r.layoutDirective = table
	r.checkLayoutNames()
	for i, value := range listArgument(table, "indexes") {
		fields, _ := value.(map[string]any)
		if ix, ok := r.readIndexLayout(i, fields); ok {
			r.layout.Indexes = append(r.layout.Indexes, ix)
		}
	}
}

func (r *reader) checkLayoutNames() {
	l, at := r.layout, r.layoutDirective.Position
	if l.PK == "" || l.SK == "" || l.PK == l.SK {
		r.find(at, "schema", fmt.Sprintf("@table has the key attributes %q and %q", l.PK, l.SK),
			`write pk: "pk", sk: "sk", or the other names of both key attributes`)
	}
	if l.Type != "" && (l.Type == l.PK || l.Type == l.SK) {
		r.find(at, "schema", fmt.Sprintf("@table has %s as a key and as the type", l.Type),
			"write type: null, so that types are recognised by their keys")
	}
	if l.Delimiter == "" || strings.ContainsAny(l.Delimiter, "{} ") || strings.IndexFunc(l.Delimiter, isWord) >= 0 {
		r.find(at, "schema", fmt.Sprintf("%q cannot be the delimiter of keys", l.Delimiter),
			`write delimiter: "#", or one or more other punctuation marks`)
		l.Delimiter = keys.Delimiter
	}
}

// readIndexLayout reads the n-th of the indexes of @table, from 0.
func (r *reader) readIndexLayout(n int, fields map[string]any) (keys.IndexLayout, bool) {
	text := func(name string) string {
		value, _ := fields[name].(string)
		return value
	}
	ix := keys.IndexLayout{Name: text("name"), PK: text("pk"), SK: text("sk")}
	for _, name := range listOf(fields["include"]) {
		name, _ := name.(string)
		ix.Include = append(ix.Include, name)
	}
	at := r.layoutDirective.Position
	isTwice := slices.ContainsFunc(r.layout.Indexes, func(other keys.IndexLayout) bool { return other.Name == ix.Name })
	switch projection := text("projection"); {
	case ix.Name == "" || ix.PK == "":
		r.find(at, "schema", "an index of @table needs a name and the attribute of its partition key",
			r.writeIndexes(n, indexNames(ix)))
		return ix, false
	case isTwice:
		r.find(at, "schema", "@table lists the index "+ix.Name+" twice", r.writeIndexes(n, ""))
		return ix, false
	case projection == keys.KeysOnly.String():
		ix.Projection = keys.KeysOnly
	case projection == keys.Include.String():
		ix.Projection = keys.Include
	}
	if (ix.Projection == keys.Include) != (len(ix.Include) > 0) {
		r.find(at, "schema", fmt.Sprintf("index %s: include is for the projection INCLUDE, and that needs it", ix.Name),
			r.writeIndexes(n, withProjection(ix))+", or the attributes that an entry has besides keys")
		return ix, false
	}
	return ix, true
}

// writeIndexes returns the fix that replaces the n-th of the indexes of @table, or removes it for "".
func (r *reader) writeIndexes(n int, text string) string {
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
	pk, sk := cmp.Or(ix.PK, keys.IndexPK(name)), cmp.Or(ix.SK, keys.IndexSK(name))
	return fmt.Sprintf("{name: %q, pk: %q, sk: %q}", name, pk, sk)
}

// withProjection returns the index with a projection that its attributes fit to.
func withProjection(ix keys.IndexLayout) string {
	text := fmt.Sprintf("{name: %q, pk: %q, sk: %q", ix.Name, ix.PK, ix.SK)
	if ix.SK == "" {
		text = fmt.Sprintf("{name: %q, pk: %q", ix.Name, ix.PK)
	}
	if len(ix.Include) == 0 {
		return text + ", projection: KEYS_ONLY}"
	}
	return fmt.Sprintf("%s, projection: INCLUDE, include: [%s]}", text, `"`+strings.Join(ix.Include, `", "`)+`"`)
}

// names returns the layout of the schema's table.
func (r *reader) names() *keys.Layout {
	if r.layout == nil {
		return keys.DefaultLayout()
	}
	return r.layout
}

// addDerivedEntries adds the entries that items have because an index is keyed by the table's own keys or by attributes
// of their type: nobody writes them, so no @index is needed for them. With one for the item, its copies have them, too.
func (r *reader) addDerivedEntries(t *storedType) {
	if r.layout == nil || t.broken {
		return
	}
	for _, ix := range r.layout.Indexes {
		declared := 0
		for _, f := range t.storedKeys {
			if f.index == ix.Name {
				declared++
			}
		}
		for _, f := range slices.Clone(t.storedKeys) {
			if f.index != "" {
				continue
			}
			// The n-th declared entry is that of the n-th stored item.
			if declared--; declared >= 0 {
				continue
			}
			pk, isPK := r.derived(t, f.Shape, ix.PK)
			sk, isSK := r.derived(t, f.Shape, ix.SK)
			if isPK && isSK {
				entry := keys.Index{Name: ix.Name, Shape: keys.Shape{PK: pk, SK: sk}, Shards: 1}
				t.Indexes = append(t.Indexes, entry)
				t.storedKeys = append(t.storedKeys, &storedKey{
					of: t, directive: f.directive, index: ix.Name, Shape: entry.Shape, shards: 1, derived: true,
				})
			}
		}
	}
}

// hasNumberSortKey reports whether the sort key of an entry is an attribute of the type that is a Number, so that it
// has the order of its values.
func (r *reader) hasNumberSortKey(f *storedKey) bool {
	if r.layout == nil || f.index == "" {
		return false
	}
	name := r.layout.Index(f.index).SK
	isKey := func(a keys.Attribute) bool { return a.StoredName() == name && a.IsNumber() }
	return slices.ContainsFunc(f.of.Attributes, isKey)
}

// derived returns the template of an index key that follows from the other attributes of an item of the shape: it is a
// key of the table, or an attribute of the type. It reports whether it does.
func (r *reader) derived(t *storedType, s keys.Shape, attribute string) (keys.Template, bool) {
	switch attribute {
	case "":
		return keys.Template{}, true
	case r.layout.PK:
		return s.PK, true
	case r.layout.SK:
		return s.SK, true
	}
	for _, a := range t.Attributes {
		if a.StoredName() == attribute {
			return keys.MustDelimited(r.layout.Delimiter, "{"+a.Name+"}"), true
		}
	}
	return keys.Template{}, false
}
