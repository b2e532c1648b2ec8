package reading

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/gen/directives/sdl"
	"github.com/partita/partita/keys/stored"
)

// readLayout reads the first @table. Without it, the layout is nil.
func (r *Source) readLayout() {
	var table *ast.Directive
	for _, d := range r.Schema.SchemaDirectives {
		switch {
		case d.Name != "table":
		case table == nil:
			table = d
		}
	}
	if table == nil {
		return
	}
	r.Layout = &stored.Layout{
		PK: keys.Named(sdl.Text(table, "pk")), SK: keys.Named(sdl.Text(table, "sk")),
		Type: sdl.Text(table, "type"), Delimiter: r.delimiterOf(table),
	}
	if r.Layout.SK.String() == "" && !sdl.IsNull(table, "sk") {
		r.Layout.SK = keys.Named(keys.AttributeSK)
	}
	r.LayoutDirective = table
	for _, value := range sdl.List(table, "indexes") {
		fields, _ := value.(map[string]any)
		ix := indexLayout(fields)
		ix.Fault = r.indexFault(ix)
		if r.DeclaredIndexes = append(r.DeclaredIndexes, ix); ix.Fault == NoFault {
			r.Layout.Indexes = append(r.Layout.Indexes, ix.IndexLayout)
		}
	}
}

// delimiterOf returns the delimiter of the table's keys: what @table says, or else what they show.
func (r *Source) delimiterOf(table *ast.Directive) string {
	declared := sdl.Text(table, "delimiter")
	if !IsDelimiter(declared) {
		declared = keys.Delimiter
	}
	if table.Arguments.ForName("delimiter") != nil {
		return declared
	}
	var texts []string
	for _, def := range r.Objects() {
		for _, d := range def.Directives {
			if d.Name == "item" || d.Name == "copy" {
				texts = append(texts, sdl.Text(d, "pk"), sdl.Text(d, "sk"))
			}
		}
	}
	parses := func(delimiter string) bool {
		return IsDelimiter(delimiter) && !slices.ContainsFunc(texts, func(text string) bool {
			_, err := keys.ParseDelimited(delimiter, text)
			return err != nil
		})
	}
	if parses(declared) {
		return declared
	}
	for _, text := range texts {
		for _, delimiter := range sdl.ForeignDelimiter.FindAllString(sdl.Brace.ReplaceAllString(text, "a"), -1) {
			if parses(delimiter) {
				return delimiter
			}
		}
	}
	return declared
}

// IsDelimiter reports whether a text can join the parts of keys: it has signs only, and no brace or space.
func IsDelimiter(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '{' || r == '}' || unicode.IsSpace(r) || isWord(r)
	})
}

// DeclaredIndex is one of the indexes of @table. The layout has those without a fault.
type DeclaredIndex struct {
	stored.IndexLayout
	Fault indexFault
}

// indexFault is why an index cannot be read.
type indexFault int

const (
	NoFault indexFault = iota
	NamelessIndex
	SecondIndex
	WrongInclude
	wrongKeys
)

func indexLayout(fields map[string]any) DeclaredIndex {
	text := func(name string) string {
		value, _ := fields[name].(string)
		return value
	}
	texts := func(name string) (texts []string) {
		for _, value := range sdl.ListOf(fields[name]) {
			text, _ := value.(string)
			texts = append(texts, text)
		}
		return texts
	}
	ix := stored.IndexLayout{
		Name: text("name"), PK: keys.Named(texts("pk")...), SK: keys.Named(texts("sk")...), Include: texts("include"),
	}
	ix.Local, _ = fields["local"].(bool)
	switch text("projection") {
	case stored.KeysOnly.String():
		ix.Projection = stored.KeysOnly
	case stored.Include.String():
		ix.Projection = stored.Include
	}
	return DeclaredIndex{IndexLayout: ix}
}

// indexFault returns why an index of @table cannot be read, after those before it.
func (r *Source) indexFault(ix DeclaredIndex) indexFault {
	isTwice := slices.ContainsFunc(r.Layout.Indexes, func(other stored.IndexLayout) bool { return other.Name == ix.Name })
	allowed := r.AllowedIndex(ix.IndexLayout)
	switch {
	case ix.Name == "" || len(ix.PK) == 0:
		return NamelessIndex
	case isTwice:
		return SecondIndex
	case (ix.Projection == stored.Include) != (len(ix.Include) > 0):
		return WrongInclude
	case !slices.Equal(allowed.PK, ix.PK) || !slices.Equal(allowed.SK, ix.SK) || ix.Local != allowed.Local:
		return wrongKeys
	}
	return NoFault
}

// AllowedIndex returns an index with those of its attributes that DynamoDB allows in its keys: so many, each once, and
// in a local index the partition key of the table.
func (r *Source) AllowedIndex(ix stored.IndexLayout) stored.IndexLayout {
	limit, seen := keys.MaxKeyAttributes, map[string]bool{}
	once := func(k keys.KeyAttributes) keys.KeyAttributes {
		k = slices.DeleteFunc(slices.Clone(k), func(a keys.KeyAttribute) bool {
			isTwice := seen[a.Name]
			seen[a.Name] = true
			return isTwice
		})
		return k[:min(limit, len(k))]
	}
	isLocal := ix.Local && r.Layout.HasSortKey()
	if isLocal {
		limit, seen[r.Layout.SK.String()] = 1, true
		ix.PK = r.Layout.PK
	}
	ix.PK, ix.SK = once(ix.PK), once(ix.SK)
	ix.Local = isLocal && len(ix.SK) > 0
	if len(ix.SK) == 0 {
		ix.SK = nil
	}
	return ix
}

// Names returns the layout of the schema's table.
func (r *Source) Names() *stored.Layout {
	if r.Layout == nil {
		return stored.DefaultLayout()
	}
	return r.Layout
}

// Numbered returns the layout of the schema's table with which of its key attributes are Numbers.
func (r *Storage) Numbered() *stored.Layout {
	return r.Names().WithNumbers(design.Numbers(r.KeyTypes()))
}

// addDerivedEntries adds the entries that items have because an index is keyed by the table's own keys or by attributes
// of their type: nobody writes them, so no @index is needed for them. With one for the item, its copies have them, too.
func (r *Source) addDerivedEntries(t *Type) {
	if r.Layout == nil || t.Broken {
		return
	}
	for _, ix := range r.Layout.Indexes {
		declared := 0
		for _, f := range t.StoredKeys {
			if f.Index == ix.Name {
				declared++
			}
		}
		for _, f := range slices.Clone(t.StoredKeys) {
			if f.Index != "" {
				continue
			}
			// The n-th declared entry is that of the n-th stored item.
			if declared--; declared >= 0 {
				continue
			}
			pk, isPK := r.DerivedKey(t, f.Shape, ix.PK)
			sk, isSK := r.DerivedKey(t, f.Shape, ix.SK)
			if isPK && isSK {
				entry := design.Index{Name: ix.Name, Shape: keys.Shape{PK: pk, SK: sk}, Shards: 1}
				t.Indexes = append(t.Indexes, entry)
				t.StoredKeys = append(t.StoredKeys, &Key{
					Of: t, Directive: f.Directive, Index: ix.Name, Shape: entry.Shape, Shards: 1, Derived: true,
				})
			}
		}
	}
}

// IsNumberKey reports whether a part of the sort key of a stored key is an attribute of the type that is a Number, so
// that it has the order of its values.
func (r *Source) IsNumberKey(f *Key, part int) bool {
	return r.IsNumberPart(f, r.Names().Index(f.Index).SK, f.SK, part)
}

// IsNumberPart is isNumberKey for the attributes of a partition or sort key with this template.
func (r *Source) IsNumberPart(f *Key, k keys.KeyAttributes, template keys.Template, part int) bool {
	segments := template.Segments()
	if r.Layout == nil || part >= min(len(k), len(segments)) || len(k) == 1 && len(segments) > 1 {
		return false
	}
	a := StoredIn(f.Of.Type, k[part].Name)
	return a != nil && a.IsNumber() && segments[part].String() == "{"+a.Name+"}"
}

// StoredIn returns the field of a type with an attribute of the table, nil if it has none.
func StoredIn(t *design.Type, attribute string) *design.Attribute {
	i := slices.IndexFunc(t.Attributes, func(a design.Attribute) bool { return !a.InKeys && a.StoredName() == attribute })
	if i < 0 {
		return nil
	}
	return &t.Attributes[i]
}

// DerivedKey returns the template of an index key whose attributes all follow from the other ones of an item of the
// shape. It reports whether they do.
func (r *Source) DerivedKey(t *Type, s keys.Shape, k keys.KeyAttributes) (keys.Template, bool) {
	var parts []string
	for _, a := range k {
		part, ok := r.Derived(t, s, a.Name)
		if !ok || len(k) > 1 && len(part.Segments()) != 1 {
			return keys.Template{}, false
		}
		parts = append(parts, part.String())
	}
	template, err := r.Parse(strings.Join(parts, r.Layout.Delimiter))
	return template, err == nil
}

// Derived returns the template of an attribute in an index key that follows from the other attributes of an item of the
// shape: it is a key of the table, the type, or an attribute of the type. It reports whether it does.
func (r *Source) Derived(t *Type, s keys.Shape, attribute string) (keys.Template, bool) {
	switch {
	case attribute == r.Layout.Type:
		template, err := r.Parse(cmp.Or(t.Value, t.Name))
		return template, err == nil && len(template.Segments()) == 1
	case r.Layout.PK.Has(attribute):
		return s.PK, true
	case r.Layout.SK.Has(attribute):
		return s.SK, true
	}
	for _, a := range t.Attributes {
		if a.StoredName() == attribute {
			return keys.MustDelimited(r.Layout.Delimiter, "{"+a.Name+"}"), true
		}
	}
	return keys.Template{}, false
}
