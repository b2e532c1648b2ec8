package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Unidentified returns the variables of the type's identity that a key does not have.
func (t *Type) Unidentified(s keys.Shape) []string {
	var missing []string
	has := Identity(s)
	for _, name := range t.Identity {
		if !slices.Contains(has, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// Identifying returns the sort key of a shape with the variables that it needs to identify the object.
func (t *Type) Identifying(s keys.Shape) string {
	sk := Rewrite(s.SK, func(s keys.Segment) keys.Segment {
		s.Optional = false
		return s
	})
	for _, name := range t.Unidentified(s) {
		sk = sdl.Joined(sk, keys.Segment{Variable: name, Width: t.Width(name)}.String(), s.SK.Delimiter())
	}
	return sk
}

// ItemPosition returns the place of the @item.
func (t *Type) ItemPosition() *ast.Position { return t.Def.Directives.ForName("item").Position }

// DeclaredFormat returns the format that @stored names.
func (r *Source) DeclaredFormat(f *ast.FieldDefinition) keys.Format {
	if d := f.Directives.ForName("stored"); d != nil {
		return keys.FormatOf(sdl.Text(d, "as"))
	}
	return keys.Plain
}

// IsNarrow reports whether a partition key has no variable with many values.
func (r *Source) IsNarrow(t *Type, pk keys.Template) bool {
	for _, name := range pk.Variables() {
		f := t.Def.Fields.ForName(name)
		if f == nil {
			return false
		}
		if kind := r.Kind(f.Type); kind != keys.Enum && kind != keys.Boolean {
			return false
		}
	}
	return true
}

func sortByPlace(storedKeys []*Key) {
	slices.SortStableFunc(storedKeys, func(a, b *Key) int {
		x, y := a.Position(), b.Position()
		return cmp.Or(cmp.Compare(x.Src.Name, y.Src.Name), cmp.Compare(x.Start, y.Start))
	})
}

// WrittenKeys returns the stored keys whose templates somebody has chosen. Entries that items have because an index is
// keyed by their attributes may have the same keys: what a field reads of those is checked with the field.
func (r *Storage) WrittenKeys() []*Key {
	return slices.DeleteFunc(r.StoredKeys(), func(f *Key) bool { return f.Derived })
}

// StoredKeys returns the stored keys of all types in the order of the schema's text.
func (r *Storage) StoredKeys() []*Key {
	var storedKeys []*Key
	for _, t := range r.SortedTypes() {
		storedKeys = append(storedKeys, t.StoredKeys...)
	}
	sortByPlace(storedKeys)
	return storedKeys
}

// SameShape reports whether two stored keys of one index, or of the table, can have the same text.
func SameShape(a, b *Key) bool {
	return a.Index == b.Index && SamePattern(a.Partition(), b.Partition()) && SamePattern(a.SK, b.SK)
}

// Partition returns the template of the partition key as it is stored, with the shard.
func (f *Key) Partition() keys.Template {
	if f.Shards <= 1 {
		return f.PK
	}
	return keys.MustDelimited(f.PK.Delimiter(), f.PK.String()+f.PK.Delimiter()+"{shard}")
}

// IsSpread reports whether one value of the partition key is spread over partitions.
func (f *Key) IsSpread() bool {
	return f.Shards > 1
}

// DigitsOf returns how many digits a number has at most that is an argument of a field, or a field of its parent or of
// a type, otherwise 0.
func (r *Source) DigitsOf(coordinate, variable string) int {
	typ, field, _ := strings.Cut(coordinate, ".")
	def := r.Schema.Types[typ]
	if f := def.Fields.ForName(field); f != nil && f.Arguments.ForName(variable) != nil {
		return Digits(r.Kind(f.Arguments.ForName(variable).Type))
	}
	if f := def.Fields.ForName(variable); f != nil {
		return Digits(r.Kind(f.Type))
	}
	return 0
}

// KindOf returns the type whose values a format is for.
func KindOf(as keys.Format) keys.Kind {
	switch as {
	case keys.NumberText:
		return keys.Int
	case keys.Number:
		return keys.String
	default:
		return keys.Time
	}
}

// AttributeNames returns the attributes that a key may contain.
func AttributeNames(t *design.Type) []string {
	var names []string
	for _, a := range t.Attributes {
		if HasText(a.Kind) {
			names = append(names, a.Name)
		}
	}
	return names
}

// HasFormat reports whether a variable of a template has a width or a bucket.
func (r *Source) HasFormat(t keys.Template) bool {
	return slices.ContainsFunc(t.Segments(), func(s keys.Segment) bool { return s.Width > 0 || s.Bucket > 0 })
}

// Width returns the digits to which an Int attribute is padded: those of the type's own keys, or
// those of the largest number of its kind. It is 0 for other attributes.
func (t *Type) Width(name string) int {
	for _, f := range t.StoredKeys {
		for _, template := range [...]keys.Template{f.PK, f.SK} {
			for _, s := range template.Segments() {
				if s.Variable == name && s.Width > 0 {
					return s.Width
				}
			}
		}
	}
	if a := t.Attribute(name); a != nil {
		return Digits(a.Kind)
	}
	return 0
}

// Digits returns how many the largest number of a kind has: 0 for a kind that is no number.
func Digits(kind keys.Kind) int {
	switch kind {
	case keys.Int:
		return len("2147483647")
	case keys.Int64:
		return len("9223372036854775807")
	default:
		return 0
	}
}
