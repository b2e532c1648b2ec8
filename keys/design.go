package keys

import (
	"fmt"
	"slices"

	"github.com/partita/partita/item"
)

// Design is a schema seen from the table: what is stored where, and which key
// condition serves each field. It is made by NewDesign from generated data and
// does not change afterwards.
type Design struct {
	Types  []*Type
	Fields []*Field
	Rules  []*FieldRule
	owners func(object any, field string) (typ string, id ID)
	types  map[string]*Type
	fields map[coordinate]*Field
	rules  map[coordinate]*Rule
	joins  []join
}

type coordinate struct{ parent, name string }

// Type is an object type that is stored as items.
type Type struct {
	Name string
	// Satisfies are the type conditions of fragments that apply to the type: its
	// own name, its interfaces and unions.
	Satisfies []string
	// Attributes are the stored fields: those without @get or @query.
	Attributes []Attribute
	// Identity names the variables of the @item templates, in order and once
	// each: the values of the global ID.
	Identity []string
	// MaxBytes is the largest that one item of the type may be.
	MaxBytes int
	// Rule is who may see objects of the type, wherever they appear.
	Rule   *Rule
	Item   Shape
	Copies []Shape
	// Indexes are the entries in indexes. The n-th entry of one index is written
	// on the n-th stored form: the base item, then the copies in order, since an
	// item has one place in each index.
	Indexes []Index
}

// Attribute is a stored field of a type.
type Attribute struct {
	Name string
	Kind Kind
	// Ref is the type whose raw id an ID attribute holds, or "".
	Ref string
	// NonNull is set when every stored item must have the attribute.
	NonNull bool
}

// Shape is the pair of templates of a stored form's key.
type Shape struct{ PK, SK Template }

// Index is what a type writes into an index.
type Index struct {
	Name string
	Shape
	// Shards is over how many partitions one value of PK is spread; 1 for none.
	Shards int
}

// NewDesign makes a design of types, fields and the rules of fields. It changes none
// of them: the design's Fields are resolved copies. The error is that of Resolve; the
// finer checks are the generator's.
func NewDesign(types []*Type, fields []*Field, rules ...*FieldRule) (*Design, error) {
	d := &Design{
		Types:  types,
		Fields: make([]*Field, len(fields)),
		types:  make(map[string]*Type, len(types)),
		fields: make(map[coordinate]*Field, len(fields)),
		Rules:  rules,
		rules:  make(map[coordinate]*Rule, len(rules)),
	}
	for _, r := range rules {
		d.rules[coordinate{r.Parent, r.Name}] = r.Rule
	}
	for _, t := range types {
		d.types[t.Name] = t
	}
	for i, declared := range fields {
		f, err := Resolve(types, declared)
		if err != nil {
			return nil, err
		}
		d.Fields[i], d.fields[coordinate{f.Parent, f.Name}] = f, f
	}
	for _, f := range d.Fields {
		d.relate(f)
	}
	d.joins = findJoins(types)
	return d, nil
}

// MustDesign is NewDesign for generated code.
func MustDesign(types []*Type, fields []*Field, rules ...*FieldRule) *Design {
	d, err := NewDesign(types, fields, rules...)
	if err != nil {
		panic("keys: bug in generated code: " + err.Error())
	}
	return d
}

// Type is the stored type of that name, or nil.
func (d *Design) Type(name string) *Type { return d.types[name] }

// Field is the field that is served by a key condition, or nil.
func (d *Design) Field(parent, name string) *Field { return d.fields[coordinate{parent, name}] }

// MustField is Field for generated code.
func (d *Design) MustField(parent, name string) *Field {
	f := d.Field(parent, name)
	if f == nil {
		panic(fmt.Sprintf("keys: bug in generated code: the design has no field %s.%s", parent, name))
	}
	return f
}

// IndexNames are the names of all indexes that the design uses, sorted.
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

// Attribute is the type's stored field of that name, or nil.
func (t *Type) Attribute(name string) *Attribute {
	for i := range t.Attributes {
		if t.Attributes[i].Name == name {
			return &t.Attributes[i]
		}
	}
	return nil
}

// relate completes a resolved field with what depends on the rest of the design.
func (d *Design) relate(f *Field) {
	f.rule = d.Rule(f.Parent, f.Name)
	if f.Kind == Node || f.Kind == Nodes {
		return
	}
	f.ruled = f.rule != nil && f.rule.Owner != ""
	for _, m := range f.matches {
		f.ruled = f.ruled || m.Type.Rule != nil && m.Type.Rule.Owner != ""
	}
	f.reference = d.isReference(f, f.matches[0])
}

// isReference: the target's identity is one value, which the parent holds in an
// attribute that is declared to name the target's type.
func (d *Design) isReference(f *Field, m Match) bool {
	if f.Kind != Get || len(m.Type.Identity) != 1 {
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

// itemTypeOf is the stored type whose attributes the fields of an object type
// read: the type itself, or for an edge type the type of the edge's item.
func (d *Design) itemTypeOf(object string) *Type {
	if t := d.types[object]; t != nil {
		return t
	}
	return d.EdgeItem(object)
}

// EdgeItem is the stored type whose attributes the fields of an edge type are, or nil
// for an edge type whose items are of several types.
func (d *Design) EdgeItem(edge string) *Type { return d.types[EdgeItem(d.Fields, edge)] }

// EdgeItem is the name of the type that Design.EdgeItem returns, or "".
func EdgeItem(fields []*Field, edge string) string {
	for _, f := range fields {
		if f.Edge == edge && len(f.Types) == 1 {
			return f.Types[0]
		}
	}
	return ""
}

// KnownByKey has the attributes that the type's global id tells, without their
// values: what is known of an object before it has been read.
func KnownByKey(t *Type) item.Item {
	it := item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
	for _, name := range t.Identity {
		it = append(it, t.known(name, ""))
	}
	return it
}
