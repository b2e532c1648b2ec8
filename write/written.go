package write

import (
	"cmp"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// WritesOf returns what a transaction writes, with its conditions and without units. An item that the design does not
// have, such as a claim of hand-written Go, has no Shape, and its Type is the value of the type attribute if the item
// is put.
func WritesOf(d *design.Design, t *Transaction) []ItemWrite {
	all := make([]ItemWrite, len(t.Actions))
	for i, a := range t.Actions {
		all[i] = a.describe(d)
	}
	return all
}

func (a Action) describe(d *design.Design) ItemWrite {
	w := ItemWrite{Kind: a.Kind, Type: cmp.Or(a.Item.Type(), a.Type), If: a.If}
	switch {
	case a.findObject(d, &w), a.findClaim(d, &w):
	case a.Key.PK == DeletionsPK:
		w.Part = DeletionPart
	default:
		w.Part = OncePart
		if shape := onceOf(d, "", 1).shape(); matches(shape, a.Key) {
			w.Type, w.Shape = IdempotencyClaim, shape
		}
	}
	for _, name := range d.IndexNames() {
		if has(a.Item, keys.IndexPK(name)) || has(a.Set, keys.IndexPK(name)) || has(a.Set, keys.IndexSK(name)) {
			w.Indexes = append(w.Indexes, name)
		}
	}
	return w
}

// findObject describes an item of an object, and reports whether it is one.
func (a Action) findObject(d *design.Design, w *ItemWrite) bool {
	for _, t := range d.Types {
		if w.Type != "" && w.Type != t.Name {
			continue
		}
		for n, shape := range t.Shapes() {
			if !matches(shape, a.Key) {
				continue
			}
			if w.Type, w.Shape = t.Name, shape; n > 0 {
				w.Part = CopyPart
			}
			if a.Kind == ActionUpdate && len(a.Set)+len(a.Remove) == 0 && len(a.Add) > 0 && n == 0 {
				w.Part, w.Attribute = CounterPart, a.Add[0].Name
				for _, add := range a.Add[1:] {
					w.Others = append(w.Others, add.Name)
				}
			}
			return true
		}
	}
	return false
}

// findClaim describes the claim of a unique value, and reports whether the item is one.
func (a Action) findClaim(d *design.Design, w *ItemWrite) bool {
	for _, t := range d.Types {
		for _, u := range t.Uniques {
			key := append(a.Key.Item(), item.Attribute{Name: item.EntityType, Value: item.StringValue(u.Claim)})
			if of, found := ClaimOf(d, key); of != t || found.Attribute != u.Attribute || w.Type != "" && w.Type != u.Claim {
				continue
			}
			w.Part, w.Type, w.Shape, w.Attribute = ClaimPart, u.Claim, u.Shape(), u.Attribute
			return true
		}
	}
	return false
}
