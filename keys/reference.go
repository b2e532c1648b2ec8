package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

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
		variables := slices.DeleteFunc(slices.Clone(part.template.Segments()), func(s Segment) bool { return s.Variable == "" })
		for i, s := range variables {
			if s.Bucket == 0 {
				known = append(known, NamedValue{Name: s.Variable, Value: StringValue(texts[i])})
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
		target := d.Type(a.Ref)
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
	named := d.References(t)
	for _, name := range t.Identity {
		if !slices.ContainsFunc(named, func(a Attribute) bool { return a.Name == name }) {
			return false
		}
	}
	return true
}

// ReferencedKey is the key of the object that an item's reference names.
func (d *Design) ReferencedKey(a Attribute, it item.Item) (Key, error) {
	target := d.Type(a.Ref)
	return target.Item.Key(Values{{Name: target.Identity[0], Value: AttributeValue(it, a.Name)}}.Get)
}
