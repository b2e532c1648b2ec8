package reading

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Storage is what the types of a schema store.
type Storage struct {
	*Source
	Types     map[string]*Type
	typeNames []string // sorted; those of types once all are read
	// Nested are the object types that are stored within attributes.
	Nested map[string]design.Object
}

// Type is an object type with @item.
type Type struct {
	*design.Type
	Def        *ast.Definition
	StoredKeys []*Key
	// Broken is set if a template could not be read. That a read does not match may then be no fault
	// of the read.
	Broken bool
	// NeededBy is the coordinate of the first read of a type without @item, which has the one that is proposed.
	NeededBy string
}

// SortedTypes returns the stored types by name.
func (r *Storage) SortedTypes() []*Type {
	if len(r.typeNames) != len(r.Types) { // sorting them for each use is half of the time for many types
		r.typeNames = slices.Sorted(maps.Keys(r.Types))
	}
	types := make([]*Type, len(r.typeNames))
	for i, name := range r.typeNames {
		types[i] = r.Types[name]
	}
	return types
}

func (r *Storage) readTypes() {
	for _, def := range r.Objects() {
		item := def.Directives.ForName("item")
		if item == nil {
			continue // See supplyItems.
		}
		t := &Type{Type: &design.Type{Name: def.Name, Satisfies: r.satisfies(def)}, Def: def}
		t.MaxBytes, t.Expires = sdl.Int(item, "maxBytes"), sdl.Text(item, "expires")
		if value := sdl.Text(item, "type"); value != def.Name {
			t.Value = value
		}
		r.readConstants(t, item)
		r.readStoredKey(t, item)
		for _, d := range def.Directives {
			if d.Name == "copy" || d.Name == "index" {
				r.readStoredKey(t, d)
			}
		}
		r.Types[def.Name] = t
		r.complete(t)
		r.readWritten(t)
		r.addDerivedEntries(t)
	}
}

// HasUnknownVariable reports whether a stored key names no field: checkVariables finds this.
func (t *Type) HasUnknownVariable() bool {
	return slices.ContainsFunc(t.StoredKeys, func(k *Key) bool {
		return slices.ContainsFunc(append(k.PK.Variables(), k.SK.Variables()...), func(name string) bool {
			return t.Def.Fields.ForName(name) == nil
		})
	})
}

// readStoredKey adds the stored key that a directive declares, unless its templates cannot be read.
func (r *Storage) readStoredKey(t *Type, d *ast.Directive) {
	f := &Key{Of: t, Directive: d, Shards: 1}
	var pk, sk bool
	f.PK, pk = r.template(d, t.Name, "pk")
	f.SK, sk = r.template(d, t.Name, "sk")
	if !pk || !sk {
		t.Broken = true
		return
	}
	switch d.Name {
	case "item":
		f.Shards = sdl.Int(d, "shards")
		if t.Item = f.Shape; f.Shards != 1 {
			t.Shards = f.Shards
		}
	case "copy":
		t.Copies = append(t.Copies, design.Copy{Shape: f.Shape, Latest: sdl.Text(d, "latest")})
	case "index":
		f.Index, f.Shards = sdl.Text(d, "name"), sdl.Int(d, "shards")
		t.Indexes = append(t.Indexes, design.Index{Name: f.Index, Shape: f.Shape, Shards: f.Shards})
	}
	t.StoredKeys = append(t.StoredKeys, f)
}

// complete fills in what follows from the @item: identity and attributes.
func (r *Storage) complete(t *Type) {
	t.Identity = Identity(t.Item)
	t.Attributes, t.Differences = nil, nil
	for _, f := range t.Def.Fields {
		if d := f.Directives.ForName("difference"); d != nil {
			t.Differences = append(t.Differences, design.Difference{
				Name: f.Name, Of: sdl.Text(d, "of"), Less: sdl.Text(d, "less"),
			})
		}
		// An id that is not a variable of the @item consists of those variables and is not stored, unless
		// the @item could not be read.
		made := f.Name == "id" && f.Type.Name() == "ID" && !slices.Contains(t.Identity, "id") && !t.Broken
		if !sdl.IsAttribute(f) || made {
			continue
		}
		a := r.attribute(f)
		if a.Kind == keys.Enum {
			def := r.Schema.Types[f.Type.Name()]
			a.Transitions = TransitionsOf(def)
			if t.hasWidth(f.Name) {
				a.Places = placesOf(def)
			}
		}
		t.Attributes = append(t.Attributes, a)
	}
	t.Objects = r.objectsIn(t.Attributes)
	if a := t.Attribute(t.Expires); a != nil && a.Kind == keys.Time {
		a.As = keys.EpochSeconds
	}
}

// Identity returns the variables that identify an item of a shape. A time that is cut to a bucket
// is not one of them.
func Identity(s keys.Shape) []string {
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

// ExpiryAttribute returns the stored name of the attribute by which items expire.
func (t *Type) ExpiryAttribute() string {
	if a := t.Attribute(t.Expires); a != nil {
		return a.StoredName()
	}
	return t.Expires
}

// Key is one key of a type's items: that of the item itself, of a copy, or of an entry in an
// index.
type Key struct {
	Of *Type
	// Directive is nil for an item that is only proposed.
	Directive *ast.Directive
	// Index is "" in the table.
	Index string
	keys.Shape
	Shards int
	// Derived is set for an entry that no directive declares: see addDerivedEntries.
	Derived bool
}

// Position returns the place of the key's directive, or of its type if the item is only proposed.
func (f *Key) Position() *ast.Position {
	if f.Directive == nil {
		return f.Of.Def.Position
	}
	return f.Directive.Position
}

// Source returns the directive as it is written in the schema, in canonical format.
func (f *Key) Source() string {
	if f.Directive == nil {
		return sdl.ItemLine(f.Shape)
	}
	return sdl.DirectiveText(f.Directive)
}

// CountsAll reports whether a @counts counts all items of the collection.
func CountsAll(d *ast.Directive) bool {
	return d.Arguments.ForName("where") == nil && d.Arguments.ForName("of") == nil
}

// CounterField returns the field of a type that counts a collection of it, or nil.
func CounterField(t *Type, collection string) *ast.FieldDefinition {
	if t == nil {
		return nil
	}
	for _, f := range t.Def.Fields {
		if d := f.Directives.ForName("counts"); d != nil && sdl.Raw(d, "field") == collection && CountsAll(d) {
			return f
		}
	}
	return nil
}

// KeyTypes returns the stored types by name as a design has them.
func (r *Storage) KeyTypes() []*design.Type {
	var types []*design.Type
	for _, t := range r.SortedTypes() {
		types = append(types, t.Type)
	}
	return types
}
