package keys

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// StoredForms are all items that the object of which one item was read should be
// stored as, in the order of Forms: what that item says is taken for the truth.
// Attributes that the type does not declare are kept on all of them. The size is
// not looked at. An InputError says why the attributes fit no object of the type.
func (d *Design) StoredForms(t *Type, it item.Item) ([]item.Item, error) {
	attributes := make(item.Item, 0, len(it))
	for _, a := range it.WithoutNulls() {
		if !d.isKeyAttribute(a.Name) {
			attributes = append(attributes, a)
		}
	}
	for _, a := range t.Attributes {
		v, ok := attributes.Get(a.Name)
		switch {
		case !ok && a.NonNull:
			return nil, inputErrorf(a.Name, "%s is missing", a.Name)
		case ok && !a.Kind.stores(v):
			return nil, inputErrorf(a.Name, "%s is not stored as what the schema declares, %s", a.Name, a.Kind)
		}
	}
	return t.forms(attributes)
}

// isKeyAttribute reports whether the attribute follows from the others: part of
// a key, of the table or of an index, or the type's name.
func (d *Design) isKeyAttribute(name string) bool {
	return name == AttributePK || name == AttributeSK || name == item.EntityType || d.IsIndexAttribute(name)
}

// IsIndexAttribute reports whether the attribute is part of the key of an index.
func (d *Design) IsIndexAttribute(name string) bool {
	for _, t := range d.Types {
		for _, ix := range t.Indexes {
			if name == IndexPK(ix.Name) || name == IndexSK(ix.Name) {
				return true
			}
		}
	}
	return false
}

// stores reports whether a value can be what is stored of a field of the kind.
func (k Kind) stores(v item.Value) bool {
	switch k {
	case Int:
		return v.Kind == item.Number && v.Text != "" && isNumber(strings.TrimPrefix(v.Text, "-"))
	case Boolean:
		return v.Kind == item.Bool
	case Other:
		return true
	default:
		return v.Kind == item.String
	}
}

// Holds reports whether the key can be that of an item of the shape: it follows
// the templates, and a variable has the same value wherever it stands whole.
func (s Shape) Holds(key Key) bool { return s.holds(key) }

// BaseKey is the key of the base item that the copy under a key belongs to. The
// values come from the key, and where that does not hold them from the copy's
// attributes.
func (t *Type) BaseKey(copied Shape, key Key, it item.Item) (Key, error) {
	known := Values{}
	for _, part := range [...]struct {
		template Template
		text     string
	}{{copied.PK, string(key.PK)}, {copied.SK, string(key.SK)}} {
		texts, ok := part.template.Match(part.text)
		if !ok {
			return Key{}, inputErrorf("", "the key is not that of a copy of this kind")
		}
		variables := slices.DeleteFunc(slices.Clone(part.template.segments), func(s Segment) bool { return s.Variable == "" })
		for i, s := range variables {
			if s.Bucket == 0 {
				known = append(known, NamedValue{s.Variable, StringValue(texts[i])})
			}
		}
	}
	return t.Item.Key(func(name string) Value {
		if v := known.Get(name); v.IsSet() {
			return v
		}
		return AttributeValue(it, name)
	})
}

// References are the attributes of the type that name objects which must exist:
// an ID that must be set and that the key of the item, or of a copy, is made of.
// The object's own identity is none.
func (d *Design) References(t *Type) []Attribute {
	var named []Attribute
	for _, a := range t.Attributes {
		target := d.types[a.Ref]
		own := a.Ref == t.Name && slices.Contains(t.Identity, a.Name)
		if target == nil || len(target.Identity) != 1 || !a.NonNull || own {
			continue
		}
		for _, s := range append([]Shape{t.Item}, t.Copies...) {
			if slices.Contains(append(s.PK.Variables(), s.SK.Variables()...), a.Name) {
				named = append(named, a)
				break
			}
		}
	}
	return named
}

// IsEdge reports whether the type says no more than which objects belong
// together: each value of its identity is a reference.
func (d *Design) IsEdge(t *Type) bool {
	references := d.References(t)
	for _, name := range t.Identity {
		if !slices.ContainsFunc(references, func(a Attribute) bool { return a.Name == name }) {
			return false
		}
	}
	return true
}

// ReferencedKey is the key of the object that an item's reference names.
func (d *Design) ReferencedKey(a Attribute, it item.Item) (Key, error) {
	target := d.types[a.Ref]
	return target.Item.Key(Values{{target.Identity[0], AttributeValue(it, a.Name)}}.Get)
}

// IfUnchanged asks that an item has all attributes as they were read, but for its
// counters, which say nothing about the object and change all the time.
func (d *Design) IfUnchanged(it item.Item) []Precondition {
	return slices.DeleteFunc(unchanged(it), func(c Precondition) bool {
		return slices.ContainsFunc(d.Fields, func(f *Field) bool { return f.Parent == it.Type() && f.Count == c.Name })
	})
}
