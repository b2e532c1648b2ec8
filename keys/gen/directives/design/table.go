package directives

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// readLayout reads the first @table. Without it, the layout is nil.
func (r *source) readLayout() {
	var table *ast.Directive
	for _, d := range r.schema.SchemaDirectives {
		switch {
		case d.Name != "table":
		case table == nil:
			table = d
		}
	}
	if table == nil {
		return
	}
	r.layout = &keys.Layout{
		PK: keys.Named(textArgument(table, "pk")), SK: keys.Named(textArgument(table, "sk")),
		Type: textArgument(table, "type"), Delimiter: r.delimiterOf(table),
	}
	if r.layout.SK.String() == "" && !isNull(table, "sk") {
		r.layout.SK = keys.Named(keys.AttributeSK)
	}
	r.layoutDirective = table
	for _, value := range listArgument(table, "indexes") {
		fields, _ := value.(map[string]any)
		ix := indexLayout(fields)
		ix.fault = r.indexFault(ix)
		if r.declaredIndexes = append(r.declaredIndexes, ix); ix.fault == noFault {
			r.layout.Indexes = append(r.layout.Indexes, ix.IndexLayout)
		}
	}
}

// delimiterOf returns the delimiter of the table's keys: what @table says, or else what they show.
func (r *source) delimiterOf(table *ast.Directive) string {
	declared := textArgument(table, "delimiter")
	if !isDelimiter(declared) {
		declared = keys.Delimiter
	}
	if table.Arguments.ForName("delimiter") != nil {
		return declared
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
	if parses(declared) {
		return declared
	}
	for _, text := range texts {
		for _, delimiter := range foreignDelimiter.FindAllString(brace.ReplaceAllString(text, "a"), -1) {
			if parses(delimiter) {
				return delimiter
			}
		}
	}
	return declared
}

// isDelimiter reports whether a text can join the parts of keys: it has signs only, and no brace or space.
func isDelimiter(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '{' || r == '}' || unicode.IsSpace(r) || isWord(r)
	})
}

// declaredIndex is one of the indexes of @table. The layout has those without a fault.
type declaredIndex struct {
	keys.IndexLayout
	fault indexFault
}

// indexFault is why an index cannot be read.
type indexFault int

const (
	noFault indexFault = iota
	namelessIndex
	secondIndex
	wrongInclude
	wrongKeys
)

func indexLayout(fields map[string]any) declaredIndex {
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
	switch text("projection") {
	case keys.KeysOnly.String():
		ix.Projection = keys.KeysOnly
	case keys.Include.String():
		ix.Projection = keys.Include
	}
	return declaredIndex{IndexLayout: ix}
}

// indexFault returns why an index of @table cannot be read, after those before it.
func (r *source) indexFault(ix declaredIndex) indexFault {
	isTwice := slices.ContainsFunc(r.layout.Indexes, func(other keys.IndexLayout) bool { return other.Name == ix.Name })
	allowed := r.allowedIndex(ix.IndexLayout)
	switch {
	case ix.Name == "" || len(ix.PK) == 0:
		return namelessIndex
	case isTwice:
		return secondIndex
	case (ix.Projection == keys.Include) != (len(ix.Include) > 0):
		return wrongInclude
	case !slices.Equal(allowed.PK, ix.PK) || !slices.Equal(allowed.SK, ix.SK) || ix.Local != allowed.Local:
		return wrongKeys
	}
	return noFault
}

// allowedIndex returns an index with those of its attributes that DynamoDB allows in its keys: so many, each once, and
// in a local index the partition key of the table.
func (r *source) allowedIndex(ix keys.IndexLayout) keys.IndexLayout {
	limit, seen := keys.MaxKeyAttributes, map[string]bool{}
	once := func(k keys.KeyAttributes) keys.KeyAttributes {
		k = slices.DeleteFunc(slices.Clone(k), func(a keys.KeyAttribute) bool {
			isTwice := seen[a.Name]
			seen[a.Name] = true
			return isTwice
		})
		return k[:min(limit, len(k))]
	}
	isLocal := ix.Local && r.layout.HasSortKey()
	if isLocal {
		limit, seen[r.layout.SK.String()] = 1, true
		ix.PK = r.layout.PK
	}
	ix.PK, ix.SK = once(ix.PK), once(ix.SK)
	ix.Local = isLocal && len(ix.SK) > 0
	if len(ix.SK) == 0 {
		ix.SK = nil
	}
	return ix
}

// names returns the layout of the schema's table.
func (r *source) names() *keys.Layout {
	if r.layout == nil {
		return keys.DefaultLayout()
	}
	return r.layout
}

// numbered returns the layout of the schema's table with which of its key attributes are Numbers.
func (r *storage) numbered() *keys.Layout { return r.names().WithNumbers(r.keyTypes()) }

// addDerivedEntries adds the entries that items have because an index is keyed by the table's own keys or by attributes
// of their type: nobody writes them, so no @index is needed for them. With one for the item, its copies have them, too.
func (r *source) addDerivedEntries(t *storedType) {
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
func (r *source) isNumberKey(f *storedKey, part int) bool {
	return r.isNumberPart(f, r.names().Index(f.index).SK, f.SK, part)
}

// isNumberPart is isNumberKey for the attributes of a partition or sort key with this template.
func (r *source) isNumberPart(f *storedKey, k keys.KeyAttributes, template keys.Template, part int) bool {
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
func (r *source) derivedKey(t *storedType, s keys.Shape, k keys.KeyAttributes) (keys.Template, bool) {
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
func (r *source) derived(t *storedType, s keys.Shape, attribute string) (keys.Template, bool) {
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
