package design

import (
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

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

// HasOtherWriters reports whether other programs write to the table, as far as the schema shows: it declares a table
// that Partita has not created.
func (d *Design) HasOtherWriters() bool { return d.otherWriters }

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

// Rule returns the field's own rule, or nil. The rule of the type that the field returns applies as
// well.
func (d *Design) Rule(parent, name string) *Rule { return d.rules[coordinate{parent, name}] }

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

// IsKeyAttribute reports whether the attribute follows from the others: it is part of a key of the
// table or of an index, or the type's name.
func (d *Design) IsKeyAttribute(name string) bool {
	return name == keys.AttributePK || name == keys.AttributeSK || name == item.EntityType || d.IsIndexAttribute(name)
}

// IsIndexAttribute reports whether the attribute is part of the key of an index.
func (d *Design) IsIndexAttribute(name string) bool {
	for _, t := range d.Types {
		for _, ix := range t.Indexes {
			if name == keys.IndexPK(ix.Name) || name == keys.IndexSK(ix.Name) {
				return true
			}
		}
	}
	return false
}

// IsProjected reports whether the entries of an index have only some attributes of their items.
func (d *Design) IsProjected(index string) bool {
	return index != "" && d.Layout.Index(index).Projection != stored.All
}

// LargestItem returns the size of the largest item of all types.
func (d *Design) LargestItem() int { return d.largest }

// MaxBytesAt returns how large the item with a key of the table is at most: LargestItem for one of no type.
func (d *Design) MaxBytesAt(key keys.Key) int {
	most := 0
	for _, t := range d.Types {
		holds := func(s keys.Shape) bool { return s.Holds(key) }
		if t.MaxBytes > most && slices.ContainsFunc(d.shapes[t.Name], holds) {
			most = t.MaxBytes
		}
	}
	if most == 0 {
		return d.largest
	}
	return most
}
