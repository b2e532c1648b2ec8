package design

import (
	"slices"
	"unicode/utf8"

	"github.com/partita/partita/keys"
)

// ReadsBeforeUpdate reports whether the object of an update of the named attributes must be read before: more than
// these follows from them, or what is stored decides what they become. Otherwise the update is one UpdateItem with the
// version and the owner in its condition. A type without a version is read, because nothing else tells whether an
// update whose answer was lost has been carried out.
func (d *Design) ReadsBeforeUpdate(m *Mutation, names []string) bool {
	t := d.Type(m.Type)
	return len(names) == 0 || len(m.Members) > 0 || slices.Contains(names, m.Owner) || !d.updatesDirectly(m, t) ||
		slices.ContainsFunc(names, func(name string) bool { return !d.isDirect(t, name) })
}

// updatesDirectly reports whether a mutation may update objects of a type that it does not read.
func (d *Design) updatesDirectly(m *Mutation, t *Type) bool {
	if t.Version == "" || len(t.Constants) > 0 || t.IsMixed() || len(t.Copies) > 0 || !t.isRoomy(d) {
		return false
	}
	if owner := t.Attribute(m.Owner); owner != nil && owner.InKeys {
		return false
	}
	times := append(slices.Clone(m.Now), t.Version)
	return !slices.ContainsFunc(times, func(name string) bool { return isDerivedFrom(d, t, name) }) &&
		!slices.ContainsFunc(t.Identity, func(name string) bool { return !t.isShownInKey(name) })
}

// isShownInKey reports whether the key of an item has an attribute as it is, so that the item of another object cannot
// have the key.
func (t *Type) isShownInKey(name string) bool {
	for _, s := range slices.Concat(t.Item.PK.Segments(), t.Item.SK.Segments()) {
		if s.Variable == name && s.Case == keys.AsIs && s.Bucket == 0 {
			return true
		}
	}
	return false
}

// isDirect reports whether an update may set an attribute whatever is stored. The digits of a Float that is sent back
// as it was read are those that are stored, so that is read.
func (d *Design) isDirect(t *Type, name string) bool {
	a := t.Attribute(name)
	return !isDerivedFrom(d, t, name) && a.As == keys.Plain && a.Transitions == nil && a.Kind != keys.Float &&
		mostBytes(a, utf8.UTFMax) > 0
}

// isRoomy reports whether an item has room for whatever updates set without a read, beside other attributes as long as
// they may be: texts of ASCII and generated ids.
func (t *Type) isRoomy(d *Design) bool {
	n := 0
	add := func(name string) bool {
		a, bytesOfRune := t.Attribute(name), 1
		if d.isDirect(t, name) {
			bytesOfRune = utf8.UTFMax
		}
		most := mostBytes(a, bytesOfRune)
		n += most
		return a != nil && most > 0
	}
	for i := range t.Attributes {
		a := &t.Attributes[i]
		if n += len(a.StoredName()); !add(a.Name) {
			return false
		}
	}
	shapes := []keys.Shape{t.Item}
	for _, ix := range t.Indexes {
		shapes = append(shapes, ix.Shape)
	}
	for _, shape := range shapes {
		for _, template := range [...]keys.Template{shape.PK, shape.SK} {
			n += len(keys.IndexPK("GSI00")) + len(template.String())
			for _, name := range template.Variables() {
				add(name)
			}
		}
	}
	return n+boundedBytes <= t.MaxBytes // The type attribute is one more.
}

// mostBytes returns how many bytes the value of an attribute may have; 0 if that is not known.
func mostBytes(a *Attribute, bytesOfRune int) int {
	switch {
	case a == nil || a.Kind == keys.Other, a.Kind == keys.String && (a.Check == nil || a.Check.MaxLength == 0):
		return 0
	case a.Kind == keys.String:
		return bytesOfRune * a.Check.MaxLength
	default:
		return boundedBytes
	}
}
