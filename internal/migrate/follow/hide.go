package follow

import (
	"slices"
	"strings"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// OnlyOf returns the attributes of a stored item that the design gone governs and the design kept, which has the item,
// does not. objects translates objects of gone into those of kept.
func OnlyOf(gone, kept *design.Design, objects *migrate.Translation, stored item.Item) []string {
	t := kept.Type(kept.FromStored(stored).Type())
	if t == nil {
		return nil
	}
	stays := governed(kept, t, -1)
	var only []string
	for _, g := range gone.Types {
		if objects.TypeOf(g.Name) != t.Name {
			continue
		}
		for name := range governed(gone, g, -1).without(stays) {
			if _, has := stored.Find(name); has && !kept.Layout.IsKey(name) {
				only = append(only, name)
			}
		}
	}
	slices.Sort(only)
	return slices.Compact(only)
}

// hide removes from the caller's actions what only the other design governs: the caller's design carries attributes
// that it does not know from one item of an object to another one.
func (s *session) hide() {
	s.changed, s.hidden = make([]write.Action, len(s.Actions)), make([][]string, len(s.Actions))
	for i, a := range s.Actions {
		s.changed[i] = a
		t := s.typeOf(s.Read, a)
		if t == nil || !s.follows(t) {
			continue
		}
		own := s.typeOf(s.Own.Design(), a)
		hidden := s.onlyOther(t)
		s.changed[i].Item, s.changed[i].Set = s.shown(a.Item, own, hidden), s.shown(a.Set, own, hidden)
		s.hidden[i] = hidden.sorted()
	}
}

// onlyOther returns the attributes of items of a type that only the other design governs, without fields that are new
// in it: a gateway with its schema stores them in the form of the side that is read.
func (s *session) onlyOther(t *design.Type) names {
	ot := s.Other.Type(s.Translation.TypeOf(t.Name))
	only := governed(s.Other, ot, -1).without(governed(s.Read, t, -1))
	for i := range ot.Attributes {
		a := &ot.Attributes[i]
		isOf := func(former design.Attribute) bool { return s.Translation.Attribute(t.Name, former.Name) == a.Name }
		if !slices.ContainsFunc(t.Attributes, isOf) {
			delete(only, a.StoredName())
		}
	}
	return only
}

// shown returns an item of the caller's design, whose type is t if it is known, without attributes that are hidden.
func (s *session) shown(it item.Item, t *design.Type, hidden names) item.Item {
	isHidden := func(a item.Attribute) bool {
		return hidden[strings.TrimPrefix(a.Name, keys.ForeignMark)] && !s.Own.Design().IsKeyAttribute(a.Name) &&
			(t == nil || t.Attribute(a.Name) == nil)
	}
	if !slices.ContainsFunc(it, isHidden) {
		return it
	}
	return slices.DeleteFunc(slices.Clone(it), isHidden)
}

// typeOf returns the type of the item of an action in a design; nil if it has none.
func (s *session) typeOf(d *design.Design, a write.Action) *design.Type {
	for _, name := range [...]string{a.Item.Type(), a.Type, a.After.Type()} {
		if t := d.Type(name); t != nil {
			return t
		}
	}
	return d.TypeOf(s.read.KeyOf(a.Key))
}
