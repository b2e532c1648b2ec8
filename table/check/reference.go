package check

import (
	"errors"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// baseKey returns the key of the base item of the copy under a key. The values are from the key of
// the copy, or from its attributes if the key does not contain them.
func baseKey(t *design.Type, copied keys.Shape, key keys.Key, it item.Item) (keys.Key, error) {
	known := keys.Values{}
	for _, part := range [...]struct {
		template keys.Template
		text     string
	}{{copied.PK, string(key.PK)}, {copied.SK, string(key.SK)}} {
		texts, ok := part.template.Match(part.text)
		if !ok {
			return keys.Key{}, errors.New("the key is not that of a copy of this kind")
		}
		for _, s := range part.template.Segments() {
			if s.Variable == "" {
				continue
			}
			if s.IsWhole() {
				known = append(known, keys.NamedValue{Name: s.Variable, Value: keys.StringValue(texts[0])})
			}
			texts = texts[1:]
		}
	}
	return t.BaseKey(func(name string) keys.Value {
		if v := known.Get(name); v.IsSet() {
			return v
		}
		return keys.AttributeValue(it, name)
	})
}

// references returns the attributes of the type that name objects which must exist: non-null IDs
// that are part of the key of the item or of a copy. The object's own id is not one of them.
func references(d *design.Design, t *design.Type) []design.Attribute {
	var named []design.Attribute
	for _, a := range t.Attributes {
		target := d.Type(a.Ref)
		own := a.Ref == t.Name && slices.Contains(t.Identity, a.Name)
		if target == nil || len(target.Identity) != 1 || !a.NonNull || own {
			continue
		}
		for _, s := range t.Shapes() {
			if slices.Contains(append(s.PK.Variables(), s.SK.Variables()...), a.Name) {
				named = append(named, a)
				break
			}
		}
	}
	return named
}

// isEdge reports whether the type only connects objects: each value of its identity is a reference.
func isEdge(d *design.Design, t *design.Type) bool {
	named := references(d, t)
	for _, name := range t.Identity {
		if !slices.ContainsFunc(named, func(a design.Attribute) bool { return a.Name == name }) {
			return false
		}
	}
	return true
}

// referencedKey returns the key of the object that an item's reference names.
func referencedKey(d *design.Design, a design.Attribute, it item.Item) (keys.Key, error) {
	target := d.Type(a.Ref)
	return target.BaseKey(keys.Values{{Name: target.Identity[0], Value: keys.AttributeValue(it, a.Name)}}.Get)
}
