package keys

import (
	"fmt"
	"slices"

	"github.com/partita/partita/item"
)

// Design is the design of a table: where objects are stored, and which key condition serves each
// field of the schema. NewDesign builds it from generated data. It does not change afterwards.
type Design struct {
	Layout *Layout
	Types  []*Type
	Fields []*Field
	// Live are the fields of Subscription: one for each field with LiveAs, in the order of Fields.
	Live  []*Field
	Rules []*FieldRule
	// Mutations are those without hand-written Go, and Counters the attributes that they count in.
	Mutations []*Mutation
	Counters  []*Counter

	owners func(object any, field string) (typ string, id ID)
	types  map[string]*Type
	fields map[coordinate]*Field
	rules  map[coordinate]*Rule
	joins  []join
	// shapes are the Shapes of each type.
	shapes map[string][]Shape
	// singles are the shapes that a partition has at most one item of.
	singles []placedShape
	// stored translates items; nil for a table that has them as the Design has.
	stored *stored
	// handWritten are the fields that hand-written Go resolves.
	handWritten map[coordinate]bool
	// otherWriters is what HasOtherWriters returns.
	otherWriters bool
	// withoutGo is set if there is no Go code at all.
	withoutGo bool
}

type coordinate struct{ parent, name string }

// Type is an object type that is stored as items.
type Type struct {
	Name string
	// Value is the value of the type attribute, "" if it is Name.
	Value string
	// Satisfies are the type conditions of fragments that apply to the type: its
	// own name, its interfaces and unions.
	Satisfies []string
	// Attributes are the stored fields: those without @get or @query. Objects are the object types inside of them,
	// sorted by name.
	Attributes []Attribute
	Objects    []Object
	// Identity are the names of the variables of the @item templates, in order and once each. Their
	// values are those of the global ID.
	Identity []string
	// Expires is the attribute with the time after which DynamoDB deletes an item, or "": a field of kind Time that is
	// stored as EpochSeconds, or an attribute that is no field, as a Number of seconds since 1970.
	Expires string
	// Constants are attributes that each item of the type has. An item without them is not of the type.
	Constants []Constant
	// MaxBytes is the maximum size of an item of the type.
	MaxBytes int
	// Version is the attribute with the version of an object, or "". Uniques are the attributes with unique values.
	Version string
	Uniques []Unique
	// Rule is who may read objects of the type, whichever field returns them.
	Rule *Rule
	// Item is the shape of the base item. Shards is the number of partitions over which one value of its PK is spread;
	// 1, or 0, if it is not spread.
	Item   Shape
	Shards int
	Copies []Copy
	// Indexes are the entries in indexes. An item has one entry in each index, so the n-th entry of an
	// index belongs to the n-th stored item: the base item, then the copies in order.
	Indexes []Index

	// stored translates items of the type; nil if there is nothing to translate.
	stored *storedType
	// mixed is set if an item of another type may have the key of one of this type: see Condition.Excludes.
	mixed bool
}

// IsMixed reports whether an item of another type may have the key of one of this type, in a Design: a value in a key
// looks like a literal in that of the other, or only constants differ.
func (t *Type) IsMixed() bool { return t.mixed }

// Attribute is a stored field of a type.
type Attribute struct {
	Name string
	Kind Kind
	// Stored is the name of the attribute in the table, "" if it is Name. As is the format of its value.
	Stored string
	As     Format
	// Ref is the type of the objects that an ID attribute names by their raw id, or "".
	Ref string
	// NonNull is set when every stored item must have the attribute.
	NonNull bool
	// InKeys is set for a field without an attribute in the table: its value is in keys only.
	InKeys bool
	// Object is the name of the object type of the value, or of the values in its lists: one of the type's Objects. It
	// is "" for any other value.
	Object string
}

// Object is an object type that is not stored by itself: its objects are Maps within attributes.
type Object struct {
	Name       string
	Attributes []Attribute
}

// Copy is a second stored item with the attributes of an object.
type Copy struct {
	Shape
	// Latest is the attribute that decides which object the item holds if several have this key: the one with the
	// greatest value, or one of those. It is "" if the key identifies the object.
	Latest string
}

// Shape is the pair of templates of the key of stored items.
type Shape struct{ PK, SK Template }

// Index is an entry of a type in an index.
type Index struct {
	Name string
	Shape
	// Shards is the number of partitions over which one value of PK is spread; 1 if it is not spread.
	Shards int
	// Was are earlier numbers of shards. Entries may still be in those partitions, so reads include them.
	Was []int
}

// NewDesign returns the design of types, fields and the rules of fields, in a table with the layout; nil is
// DefaultLayout. It does not modify them: the design's Fields are resolved copies. The error is that of
// Resolve. All other checks are made by the generator.
func NewDesign(layout *Layout, types []*Type, fields []*Field, rules ...*FieldRule) (*Design, error) {
	existing := layout != nil
	if !existing {
		layout = DefaultLayout()
	}
	layout = layout.WithNumbers(Numbers(types))
	types = formatted(layout, types)
	d := &Design{
		Layout: layout,
		Types:  types,
		Fields: make([]*Field, len(fields)),
		types:  make(map[string]*Type, len(types)),
		shapes: make(map[string][]Shape, len(types)),
		fields: make(map[coordinate]*Field, len(fields)),
		Rules:  rules,
		rules:  make(map[coordinate]*Rule, len(rules)),
	}
	d.otherWriters = existing
	for _, r := range rules {
		d.rules[coordinate{r.Parent, r.Name}] = r.Rule
	}
	for _, t := range types {
		d.types[t.Name], d.shapes[t.Name] = t, t.Shapes()
	}
	for i, declared := range fields {
		f, err := Resolve(types, declared)
		if err != nil {
			return nil, err
		}
		d.Fields[i], d.fields[coordinate{f.Parent, f.Name}] = f, f
	}
	if err := d.addLive(); err != nil {
		return nil, err
	}
	for _, f := range slices.Concat(d.Fields, d.Live) {
		d.relate(f)
	}
	for _, t := range types {
		t.mixed = d.isMixed(&Field{PK: t.Item.PK, Types: []string{t.Name}})
	}
	d.joins, d.singles = findJoins(types), findSingles(types)
	if existing || slices.ContainsFunc(types, (*Type).isStoredOtherwise) {
		d.stored = newStored(d)
	}
	return d, nil
}

// MustDesign is NewDesign for generated code. It panics on an error.
func MustDesign(layout *Layout, types []*Type, fields []*Field, rules ...*FieldRule) *Design {
	d, err := NewDesign(layout, types, fields, rules...)
	if err != nil {
		panic("keys: bug in generated code: " + err.Error())
	}
	return d
}

// HasOtherWriters reports whether other programs write to the table, as far as the schema shows: it declares a table
// that Partita has not created.
func (d *Design) HasOtherWriters() bool { return d.otherWriters }

// Type returns the stored type of that name, or nil.
func (d *Design) Type(name string) *Type { return d.types[name] }

// Field returns the field that is served by a key condition, also one of Live, or nil.
func (d *Design) Field(parent, name string) *Field { return d.fields[coordinate{parent, name}] }

// MustField is Field for generated code. It panics if there is no such field.
func (d *Design) MustField(parent, name string) *Field {
	f := d.Field(parent, name)
	if f == nil {
		panic(fmt.Sprintf("keys: bug in generated code: the design has no field %s.%s", parent, name))
	}
	return f
}

// IndexNames returns the names of all indexes that the design uses, sorted.
func (d *Design) IndexNames() []string {
	var names []string
	for _, t := range d.Types {
		for _, ix := range t.Indexes {
			names = append(names, ix.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Attribute returns the type's stored field of that name, or nil.
func (t *Type) Attribute(name string) *Attribute {
	for i := range t.Attributes {
		if t.Attributes[i].Name == name {
			return &t.Attributes[i]
		}
	}
	return nil
}

// Object returns the object type of that name inside of the type's attributes, or nil.
func (t *Type) Object(name string) *Object {
	for i := range t.Objects {
		if t.Objects[i].Name == name {
			return &t.Objects[i]
		}
	}
	return nil
}

// Attribute returns the object's field of that name, or nil. The Object may be nil.
func (o *Object) Attribute(name string) *Attribute {
	if o != nil {
		for i := range o.Attributes {
			if o.Attributes[i].Name == name {
				return &o.Attributes[i]
			}
		}
	}
	return nil
}

// relate sets the parts of a resolved field that depend on the rest of the design.
func (d *Design) relate(f *Field) {
	f.rule = d.Rule(f.Parent, f.Name)
	f.local, f.sorted = d.Layout.Index(f.Index).Local, d.Layout.HasSortKey()
	if f.Kind.IsByID() {
		return
	}
	hasOwner := func(r *Rule) bool { return r != nil && r.Owner != "" }
	f.ruled = hasOwner(f.rule) || hasOwner(f.ParentRule())
	for _, m := range f.matches {
		f.ruled = f.ruled || hasOwner(m.Type.Rule)
	}
	f.reference = !f.hasSeveralTypes() && d.isReference(f, f.matches[0])
	f.verified = f.unknownValues()
	f.mixed, f.projected = d.isMixed(f), d.IsProjected(f.Index)
}

// isReference reports whether the target's identity is one value that the parent has in an
// attribute for ids of the target's type.
func (d *Design) isReference(f *Field, m Match) bool {
	if f.Kind != Get || len(m.Type.Identity) != 1 || !m.Type.Item.Has(m.Type.Identity[0]) {
		return false
	}
	parent := d.itemTypeOf(f.Parent)
	source, ok := m.Variables[m.Type.Identity[0]]
	if parent == nil || !ok || f.Argument(source) != nil {
		return false
	}
	a := parent.Attribute(source)
	return a != nil && a.Ref == m.Type.Name && !(parent == m.Type && slices.Contains(parent.Identity, source))
}

// itemTypeOf returns the stored type whose attributes are the fields of an object type: the type
// itself, or for an edge type the type of the edge's item.
func (d *Design) itemTypeOf(object string) *Type {
	if t := d.types[object]; t != nil {
		return t
	}
	return d.EdgeItem(object)
}

// EdgeItem returns the stored type whose attributes the fields of an edge type are, or nil for an
// edge type whose items are of several types.
func (d *Design) EdgeItem(edge string) *Type { return d.types[EdgeItem(d.Fields, edge)] }

// EdgeItem returns the name of the type that Design.EdgeItem returns, or "".
func EdgeItem(fields []*Field, edge string) string {
	for _, f := range fields {
		if f.Edge == edge && len(f.Types) == 1 {
			return f.Types[0]
		}
	}
	return ""
}

// KeyOnly returns the key-only attributes of a type, without values: those that follow from the
// global ID without a read.
func KeyOnly(t *Type) item.Item {
	it := item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
	for _, name := range t.Identity {
		if t.Item.Has(name) {
			it = append(it, t.known(name, ""))
		}
	}
	return it
}
