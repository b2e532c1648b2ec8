package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
		PK: keys.Named(textArgument(table, "pk")), SK: keys.Named(textArgument(table, "sk")),
		Type: textArgument(table, "type"), Delimiter: textArgument(table, "delimiter"),
	}
	r.layoutDirective = table
	r.checkLayoutNames()
	r.checkDelimiter()
	for i, value := range listArgument(table, "indexes") {
		fields, _ := value.(map[string]any)
		if ix, ok := r.readIndexLayout(i, fields); ok {
			r.layout.Indexes = append(r.layout.Indexes, ix)
		}
	}
}

// checkDelimiter finds a @table without the delimiter of its keys: they show which one it is.
func (r *reader) checkDelimiter() {
	if r.layoutDirective.Arguments.ForName("delimiter") != nil {
		return
	}
	var texts []string
	for _, def := range r.objects() {
		for _, d := range def.Directives {
			if d.Name == "item" || d.Name == "copy" {
				texts = append(texts, textArgument(d, "pk"), textArgument(d, "sk"))
			}
		}
	}
	parses := func(delimiter string) bool {
		return isDelimiter(delimiter) && !slices.ContainsFunc(texts, func(text string) bool {
			_, err := keys.ParseDelimited(delimiter, text)
			return err != nil
		})
	}
	if parses(r.layout.Delimiter) {
		return
	}
	for _, text := range texts {
		for _, delimiter := range foreignDelimiter.FindAllString(brace.ReplaceAllString(text, "a"), -1) {
			if parses(delimiter) {
				r.find(r.layoutDirective.Position, "schema", fmt.Sprintf("the delimiter of the keys is %q", delimiter),
					fmt.Sprintf("write delimiter: %q", delimiter))
				r.layout.Delimiter = delimiter
				return
			}
		}
	}
}

func (r *reader) checkLayoutNames() {
	l, at := r.layout, r.layoutDirective.Position
	hasNone := isNull(r.layoutDirective, "sk")
	if pk, sk := l.PK.String(), l.SK.String(); pk == "" || sk == "" && !hasNone || pk == sk {
		r.find(at, "schema", fmt.Sprintf("@table has the key attributes %q and %q", pk, sk),
			`write pk: "pk", sk: "sk", or the other names of both key attributes`)
		if sk == "" && !hasNone {
			l.SK = keys.Named(keys.AttributeSK)
		}
	}
	if l.Type != "" && l.IsKey(l.Type) {
		r.find(at, "schema", fmt.Sprintf("@table has %s as a key and as the type", l.Type),
			"write type: null, so that types are recognised by their keys")
	}
	if !isDelimiter(l.Delimiter) {
		r.find(at, "schema", fmt.Sprintf("%q cannot be the delimiter of keys", l.Delimiter),
			`write delimiter: "#", or one or more other punctuation marks`)
		l.Delimiter = keys.Delimiter
	}
}

// isDelimiter reports whether a text can join the parts of keys: it has signs only, and no brace or space.
func isDelimiter(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '{' || r == '}' || unicode.IsSpace(r) || isWord(r)
	})
}

// readIndexLayout reads the n-th of the indexes of @table, from 0.
func (r *reader) readIndexLayout(n int, fields map[string]any) (keys.IndexLayout, bool) {
	text := func(name string) string {
		value, _ := fields[name].(string)
		return value
	}
	texts := func(name string) (texts []string) {
		for _, value := range listOf(fields[name]) {
			text, _ := value.(string)
			texts = append(texts, text)
		}
		return texts
	}
	ix := keys.IndexLayout{
		Name: text("name"), PK: keys.Named(texts("pk")...), SK: keys.Named(texts("sk")...), Include: texts("include"),
	}
	ix.Local, _ = fields["local"].(bool)
	at := r.layoutDirective.Position
	isTwice := slices.ContainsFunc(r.layout.Indexes, func(other keys.IndexLayout) bool { return other.Name == ix.Name })
	switch projection := text("projection"); {
	case ix.Name == "" || len(ix.PK) == 0:
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
	return ix, r.checkKeyAttributes(n, ix)
}

// checkKeyAttributes finds more attributes in the key of the n-th of the indexes of @table than DynamoDB allows, one
// that is there twice, and a local index with another partition key than the table's. It reports whether the index is
// valid.
func (r *reader) checkKeyAttributes(n int, ix keys.IndexLayout) bool {
	fixed, seen := ix, map[string]bool{}
	once := func(k keys.KeyAttributes, limit int) keys.KeyAttributes {
		k = slices.DeleteFunc(slices.Clone(k), func(a keys.KeyAttribute) bool {
			isTwice := seen[a.Name]
			seen[a.Name] = true
			return isTwice
		})
		return k[:min(limit, len(k))]
	}
	what := fmt.Sprintf("index %s has an attribute twice, or more than %d in a key", ix.Name, keys.MaxKeyAttributes)
	limit := keys.MaxKeyAttributes
	switch {
	case ix.Local && !r.layout.HasSortKey():
		what = fmt.Sprintf("index %s is local, but the table has no sort key: it can have global indexes only", ix.Name)
		fixed.Local = false
	case ix.Local:
		what = fmt.Sprintf(
			"index %s is local, so its partition key is %s, and its sort key is one other attribute but %s",
			ix.Name, r.layout.PK, r.layout.SK)
		limit, seen[r.layout.SK.String()] = 1, true
		fixed.PK = r.layout.PK
	}
	fixed.PK, fixed.SK = once(fixed.PK, limit), once(fixed.SK, limit)
	if slices.Equal(fixed.PK, ix.PK) && slices.Equal(fixed.SK, ix.SK) && ix.Local == fixed.Local &&
		(!ix.Local || len(ix.SK) > 0) {
		return true
	}
	if ix.Local && len(fixed.SK) == 0 {
		fixed.Local, fixed.SK = false, nil
	}
	r.find(r.layoutDirective.Position, "schema", what, r.writeIndexes(n, indexText(fixed)))
	return false
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

// names returns the layout of the schema's table.
func (r *reader) names() *keys.Layout {
	if r.layout == nil {
		return keys.DefaultLayout()
	}
	return r.layout
}

// numbered returns the layout of the schema's table with which of its key attributes are Numbers.
func (r *reader) numbered() *keys.Layout { return r.names().WithNumbers(r.keyTypes()) }

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
			pk, isPK := r.derivedKey(t, f.Shape, ix.PK)
			sk, isSK := r.derivedKey(t, f.Shape, ix.SK)
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

// isNumberKey reports whether a part of the sort key of a stored key is an attribute of the type that is a Number, so
// that it has the order of its values.
func (r *reader) isNumberKey(f *storedKey, part int) bool {
	return r.isNumberPart(f, r.names().Index(f.index).SK, f.SK, part)
}

// isNumberPart is isNumberKey for the attributes of a partition or sort key with this template.
func (r *reader) isNumberPart(f *storedKey, k keys.KeyAttributes, template keys.Template, part int) bool {
	segments := template.Segments()
	if r.layout == nil || part >= min(len(k), len(segments)) || len(k) == 1 && len(segments) > 1 {
		return false
	}
	a := storedIn(f.of.Type, k[part].Name)
	return a != nil && a.IsNumber() && segments[part].String() == "{"+a.Name+"}"
}

// storedIn returns the field of a type with an attribute of the table, nil if it has none.
func storedIn(t *keys.Type, attribute string) *keys.Attribute {
	i := slices.IndexFunc(t.Attributes, func(a keys.Attribute) bool { return !a.InKeys && a.StoredName() == attribute })
	if i < 0 {
		return nil
	}
	return &t.Attributes[i]
}

// derivedKey returns the template of an index key whose attributes all follow from the other ones of an item of the
// shape. It reports whether they do.
func (r *reader) derivedKey(t *storedType, s keys.Shape, k keys.KeyAttributes) (keys.Template, bool) {
	var parts []string
	for _, a := range k {
		part, ok := r.derived(t, s, a.Name)
		if !ok || len(k) > 1 && len(part.Segments()) != 1 {
			return keys.Template{}, false
		}
		parts = append(parts, part.String())
	}
	template, err := r.parse(strings.Join(parts, r.layout.Delimiter))
	return template, err == nil
}

// derived returns the template of an attribute in an index key that follows from the other attributes of an item of the
// shape: it is a key of the table, the type, or an attribute of the type. It reports whether it does.
func (r *reader) derived(t *storedType, s keys.Shape, attribute string) (keys.Template, bool) {
	switch {
	case attribute == r.layout.Type:
		template, err := r.parse(cmp.Or(t.Value, t.Name))
		return template, err == nil && len(template.Segments()) == 1
	case r.layout.PK.Has(attribute):
		return s.PK, true
	case r.layout.SK.Has(attribute):
		return s.SK, true
	}
	for _, a := range t.Attributes {
		if a.StoredName() == attribute {
			return keys.MustDelimited(r.layout.Delimiter, "{"+a.Name+"}"), true
		}
	}
	return keys.Template{}, false
}
