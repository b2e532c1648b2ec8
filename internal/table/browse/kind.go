package browse

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/write"
)

// kindShown is a kind of items that a partition may have by the design: the base items, copies or entries of a type.
type kindShown struct {
	Type string `json:"type"`
	// Label is that of the items.
	Label string `json:"label"`
	// SK is what their sort keys begin with; "" if nothing is known of it.
	SK string `json:"sk,omitempty"`
}

// kinds returns the kinds of items that a partition may have, in the order of the design.
func (b *Browser) kinds(ix *stored.IndexLayout, pk keys.PK) []kindShown {
	all := []kindShown{}
	add := func(t *design.Type, label string, s keys.Shape) {
		if _, ok := s.PK.Decode(string(pk)); ok {
			all = append(all, kindShown{t.Name, label, beginning(ix, keys.SK(s.SK.Leading()))})
		}
	}
	for _, t := range b.design.Types {
		if ix.Name == "" {
			add(t, t.Name, t.Shapes()[0])
			for _, s := range t.Shapes()[1:] {
				add(t, copyOf(t), s)
			}
		}
		for _, entry := range t.Indexes {
			if entry.Name == ix.Name {
				add(t, t.Name, entry.Shape)
			}
		}
	}
	return all
}

// beginning returns what sort keys begin with as people know it. A Number has no beginning.
func beginning(ix *stored.IndexLayout, sk keys.SK) string {
	if sk == "" {
		return ""
	}
	return ix.ShowSK(sk)
}

func copyOf(t *design.Type) string { return "copy of " + t.Name }

// base returns the object that a partition key of the table identifies, nil if it identifies none.
func (b *Browser) base(ix *stored.IndexLayout, pk keys.PK) *kindShown {
	if ix.Name != "" {
		return nil
	}
	for _, t := range b.design.Types {
		parts, ok := t.Shapes()[0].PK.Decode(string(pk))
		if !ok || !identifies(t) {
			continue
		}
		key, err := write.ObjectKey(t, keys.NewID(t.Name, identity(t, parts)...))
		if err == nil && key.PK == pk && key.SK != "" {
			return &kindShown{t.Name, t.Name, ix.ShowSK(key.SK)}
		}
	}
	return nil
}

// identity returns the values of the identity of an object in the parts of its key.
func identity(t *design.Type, parts []keys.Part) []string {
	values := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		for _, p := range parts {
			if p.Variable == name {
				values[i] = p.Value
			}
		}
	}
	return values
}
