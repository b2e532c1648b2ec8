package directives

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// storage is what the types of a schema store.
type storage struct {
	*source
	types     map[string]*storedType
	typeNames []string // sorted; those of types once all are read
	// nested are the object types that are stored within attributes.
	nested map[string]keys.Object
}

// storedType is an object type with @item.
type storedType struct {
	*keys.Type
	def        *ast.Definition
	storedKeys []*storedKey
	// broken is set if a template could not be read. That a read does not match may then be no fault
	// of the read.
	broken bool
	// neededBy is the first read of a type without @item, which has the one that is proposed; nil for other types.
	neededBy *read
}

// storedKey is one key of a type's items: that of the item itself, of a copy, or of an entry in an
// index.
type storedKey struct {
	of *storedType
	// directive is nil for an item that is only proposed.
	directive *ast.Directive
	// index is "" in the table.
	index string
	keys.Shape
	shards int
	// derived is set for an entry that no directive declares: see addDerivedEntries.
	derived bool
	// was are earlier numbers of shards.
	was []int
}

func (f *storedKey) position() *ast.Position {
	if f.directive == nil {
		return f.of.def.Position
	}
	return f.directive.Position
}

// source returns the directive as it is written in the schema, in canonical format.
func (f *storedKey) source() string {
	if f.directive == nil {
		return itemLine(f.Shape)
	}
	return directiveText(f.directive)
}

func (r *storage) sortedTypes() []*storedType {
	if len(r.typeNames) != len(r.types) { // sorting them for each use is half of the time for many types
		r.typeNames = slices.Sorted(maps.Keys(r.types))
	}
	types := make([]*storedType, len(r.typeNames))
	for i, name := range r.typeNames {
		types[i] = r.types[name]
	}
	return types
}

func (r *storage) readTypes() {
	for _, def := range r.objects() {
		item := def.Directives.ForName("item")
		if item == nil {
			continue // See supplyItems.
		}
		t := &storedType{Type: &keys.Type{Name: def.Name, Satisfies: r.satisfies(def)}, def: def}
		t.MaxBytes, t.Expires = intArgument(item, "maxBytes"), textArgument(item, "expires")
		if value := textArgument(item, "type"); value != def.Name {
			t.Value = value
		}
		r.readConstants(t, item)
		r.readStoredKey(t, item)
		for _, d := range def.Directives {
			if d.Name == "copy" || d.Name == "index" {
				r.readStoredKey(t, d)
			}
		}
		r.types[def.Name] = t
		r.complete(t)
		r.readWritten(t)
		r.addDerivedEntries(t)
	}
}

// hasUnknownVariable reports whether a stored key names no field: checkVariables finds this.
func (t *storedType) hasUnknownVariable() bool {
	return slices.ContainsFunc(t.storedKeys, func(k *storedKey) bool {
		return slices.ContainsFunc(append(k.PK.Variables(), k.SK.Variables()...), func(name string) bool {
			return t.def.Fields.ForName(name) == nil
		})
	})
}

// readStoredKey adds the stored key that a directive declares, unless its templates cannot be read.
func (r *storage) readStoredKey(t *storedType, d *ast.Directive) {
	f := &storedKey{of: t, directive: d, shards: 1}
	var pk, sk bool
	f.PK, pk = r.template(d, t.Name, "pk")
	f.SK, sk = r.template(d, t.Name, "sk")
	if !pk || !sk {
		t.broken = true
		return
	}
	switch d.Name {
	case "item":
		f.shards = intArgument(d, "shards")
		if t.Item = f.Shape; f.shards != 1 {
			t.Shards = f.shards
		}
	case "copy":
		t.Copies = append(t.Copies, keys.Copy{Shape: f.Shape, Latest: textArgument(d, "latest")})
	case "index":
		f.index, f.shards = textArgument(d, "name"), intArgument(d, "shards")
		f.was = intsArgument(d, "was")
		t.Indexes = append(t.Indexes, keys.Index{Name: f.index, Shape: f.Shape, Shards: f.shards, Was: f.was})
	}
	t.storedKeys = append(t.storedKeys, f)
}

// complete fills in what follows from the @item: identity and attributes.
func (r *storage) complete(t *storedType) {
	t.Identity = identity(t.Item)
	t.Attributes = nil
	for _, f := range t.def.Fields {
		// An id that is not a variable of the @item consists of those variables and is not stored, unless
		// the @item could not be read.
		made := f.Name == "id" && f.Type.Name() == "ID" && !slices.Contains(t.Identity, "id") && !t.broken
		if !isAttribute(f) || made {
			continue
		}
		t.Attributes = append(t.Attributes, r.attribute(t.def, f))
	}
	t.Objects = r.objectsIn(t.Attributes)
	if a := t.Attribute(t.Expires); a != nil && a.Kind == keys.Time {
		a.As = keys.EpochSeconds
	}
}

// identity returns the variables that identify an item of a shape. A time that is cut to a bucket
// is not one of them.
func identity(s keys.Shape) []string {
	var names []string
	for _, t := range [...]keys.Template{s.PK, s.SK} {
		for _, seg := range t.Segments() {
			if seg.Variable != "" && seg.Bucket == 0 && !slices.Contains(names, seg.Variable) {
				names = append(names, seg.Variable)
			}
		}
	}
	return names
}

// isAttribute reports whether a field is stored: it is neither read by a directive nor computed by a
// resolver, which has arguments or a declared cost.
func isAttribute(f *ast.FieldDefinition) bool {
	return readDirective(f) == nil && f.Directives.ForName("cost") == nil && len(f.Arguments) == 0 &&
		!strings.HasPrefix(f.Name, "__")
}

// textArgument returns the value of a directive's argument, "" when absent.
func textArgument(d *ast.Directive, name string) string {
	text, _ := d.ArgumentMap(nil)[name].(string)
	return text
}

// intArgument returns the value of a directive's argument, 0 when absent.
func intArgument(d *ast.Directive, name string) int {
	n, _ := d.ArgumentMap(nil)[name].(int64)
	return int(n)
}

// listArgument returns the values of a directive's argument, nil when absent.
func listArgument(d *ast.Directive, name string) []any { return listOf(d.ArgumentMap(nil)[name]) }

// listOf returns the values of a list. A single value is a list of one.
//
// https://spec.graphql.org/October2021/#sec-List.Input-Coercion
func listOf(value any) []any {
	list, isList := value.([]any)
	if !isList && value != nil {
		return []any{value}
	}
	return list
}

// intsArgument returns the values of a directive's argument, nil when absent.
func intsArgument(d *ast.Directive, name string) []int {
	var ints []int
	for _, v := range listArgument(d, name) {
		n, _ := v.(int64)
		ints = append(ints, int(n))
	}
	return ints
}

// expiryAttribute returns the stored name of the attribute by which items expire.
func (t *storedType) expiryAttribute() string {
	if a := t.Attribute(t.Expires); a != nil {
		return a.StoredName()
	}
	return t.Expires
}
