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
	var problems []string
	for _, value := range listArgument(table, "indexes") {
		fields, _ := value.(map[string]any)
		ix, problem := readIndexLayout(fields)
		isTwice := slices.ContainsFunc(r.layout.Indexes, func(other keys.IndexLayout) bool { return other.Name == ix.Name })
		switch {
		case isTwice:
			problem = "the index " + ix.Name + " is listed twice"
		default:
			r.layout.Indexes = append(r.layout.Indexes, ix)
		}
		if problem != "" {
			problems = append(problems, problem)
		}
	}
	if len(problems) > 0 {
		r.find(table.Position, "schema", "@table(indexes:): "+strings.Join(problems, "; "),
			"write indexes: "+indexesText(r.layout.Indexes))
	}
}

func (r *reader) checkLayoutNames() {
	l, at := r.layout, r.layoutDirective.Position
	if l.PK == "" || l.SK == "" || l.PK == l.SK {
		r.find(at, "schema", fmt.Sprintf("@table has the key attributes %q and %q", l.PK, l.SK),
			`write pk: "pk", sk: "sk", or the names that the table's keys have`)
	}
	if l.Type != "" && (l.Type == l.PK || l.Type == l.SK) {
		r.find(at, "schema", fmt.Sprintf("@table has %s as a key and as the type", l.Type),
			"write type: null, so that types are recognised by their keys")
	}
	if l.Delimiter == "" || strings.ContainsAny(l.Delimiter, "{} ") || strings.IndexFunc(l.Delimiter, isWord) >= 0 {
		r.find(at, "schema", fmt.Sprintf("%q cannot be the delimiter of keys", l.Delimiter),
			`write delimiter: "#", or other punctuation marks`)
		l.Delimiter = keys.Delimiter
	}
}

// readIndexLayout returns an index of @table, and what is wrong with it, corrected as far as possible.
func readIndexLayout(fields map[string]any) (ix keys.IndexLayout, problem string) {
	text := func(name string) string {
		value, _ := fields[name].(string)
		return value
	}
	ix = keys.IndexLayout{Name: text("name"), PK: text("pk"), SK: text("sk")}
	for _, name := range listOf(fields["include"]) {
		name, _ := name.(string)
		ix.Include = append(ix.Include, name)
	}
	projection := cmp.Or(text("projection"), keys.All.String())
	switch {
	case len(ix.Include) > 0:
		ix.Projection = keys.Include
	case projection == keys.KeysOnly.String(), projection == keys.Include.String():
		ix.Projection = keys.KeysOnly
	}
	switch {
	case ix.PK == "":
		ix.PK = keys.IndexPK(ix.Name)
		problem = "the index " + ix.Name + " has no partition key"
	case projection != ix.Projection.String():
		problem = "index " + ix.Name + ": include is for the projection INCLUDE, and that needs it"
	}
	return ix, problem
}

// indexesText returns the value of the argument indexes of @table.
func indexesText(indexes []keys.IndexLayout) string {
	parts := make([]string, len(indexes))
	for i, ix := range indexes {
		text := fmt.Sprintf("{name: %q, pk: %q", ix.Name, ix.PK)
		if ix.SK != "" {
			text += fmt.Sprintf(", sk: %q", ix.SK)
		}
		if ix.Projection != keys.All {
			text += ", projection: " + ix.Projection.String()
		}
		if len(ix.Include) > 0 {
			text += `, include: ["` + strings.Join(ix.Include, `", "`) + `"]`
		}
		parts[i] = text + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// names returns the layout of the schema's table.
func (r *reader) names() *keys.Layout {
	if r.layout == nil {
		return keys.DefaultLayout()
	}
	return r.layout
}

// addDerivedEntries adds the entries that items have because an index is keyed by the table's own keys or by attributes
// of their type: nobody writes them, so no @index is needed for them.
func (r *reader) addDerivedEntries(t *storedType) {
	if r.layout == nil || t.broken {
		return
	}
	for _, ix := range r.layout.Indexes {
		declared := slices.ContainsFunc(t.storedKeys, func(f *storedKey) bool { return f.index == ix.Name })
		if declared {
			continue
		}
		for _, f := range slices.Clone(t.storedKeys) {
			if f.index != "" {
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
