package reading

import (
	"slices"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
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
