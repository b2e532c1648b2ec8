package write

import (
	"context"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Sweep removes what is below a deleted object, step by step, and finally its tombstone. A step is one transaction that
// deletes some objects, and changes all counters with them. How far a sweep has come is in the table only, so it may
// end anywhere, and several may remove the same.
//
// An object with more below it than one transaction can delete becomes a tombstone itself, with a sweep of its own.
type Sweep struct {
	Deletion
	d *design.Design
	t *design.Type
	// base is the key of the tombstone.
	base        keys.Key
	collections []*collection
}

// NewSweep returns the Sweep of a Deletion.
func NewSweep(d *design.Design, n Deletion) (*Sweep, error) {
	n.ID = d.CurrentID(n.ID) // as the table has had it when the object was deleted
	t := d.Type(n.ID.Type())
	if t == nil {
		return nil, fmt.Errorf("write: the schema has no type %s, of which an object is to be swept", n.ID.Type())
	}
	s := &Sweep{Deletion: n, d: d, t: t}
	identity := identityOf(t, n.ID)
	if identity == nil {
		return nil, inputError(fieldID, "this is no id of a %s", t.Name)
	}
	var err error
	if s.base, err = t.BaseKey(attributesOf(identity)); err != nil {
		return nil, err
	}
	for _, f := range d.Below(t) {
		partitions, err := collectionsOf(d, f, identity)
		if err != nil {
			return nil, err
		}
		s.collections = append(s.collections, partitions...)
	}
	return s, nil
}

// Key returns the key of the tombstone.
func (s *Sweep) Key() keys.Key { return s.base }

// Step is what a Sweep does next.
type Step struct {
	Transaction
	// Removed are the types of the objects that it deletes. Listed is how many others become tombstones.
	Removed []string
	Listed  int
}

// Next returns the next step, by the Store of the context. It has no actions if it has found nothing to delete, and is
// nil at the end. The error may be an InvalidItemError. If the conditions of a step do not hold, somebody else has
// deleted a part of it: another Sweep of the Deletion begins anew.
func (s *Sweep) Next(ctx context.Context) (*Step, error) {
	store, err := FromContext(ctx)
	if err != nil || len(s.collections) == 0 {
		return nil, err
	}
	at := s.collections[0]
	read, err := at.read(ctx, store, s.objectsAtOnce(at.field))
	if err != nil {
		return nil, err
	}
	c := change{isBelow: true} // Bounds of counters are not settled: nobody could be told.
	for _, it := range read {
		if err := s.remove(ctx, store, &c, it); err != nil {
			return nil, err
		}
	}
	if at.rest.Start.IsZero() {
		s.collections = s.collections[1:]
	}
	step := &Step{c.tx, c.removed, c.listed}
	if len(step.Actions) > 0 {
		s.guard(&step.Transaction)
	}
	return step, nil
}

// remove adds what deletes an object below the swept one.
func (s *Sweep) remove(ctx context.Context, store Store, c *change, it item.Item) error {
	t := s.d.Type(it.Type())
	if s.d.IsWhole(t) {
		return c.remove(ctx, store, s.d, it)
	}
	conditions := append(asRead(s.d, t, it), uncounted(s.d, t)...)
	return c.softDelete(s.d, t, it, store.Now(), conditions...)
}

// guard lets a transaction fail if the tombstone is not there any more: another sweep has ended, and there may be a new
// object with the same id.
func (s *Sweep) guard(t *Transaction) {
	same := IfEquals(keys.AttributeDeletedAt, s.At)
	i := slices.IndexFunc(t.Actions, func(a Action) bool { return a.Key == s.base })
	if i < 0 {
		check := CheckItem(s.base, same)
		check.Type = s.t.Name
		t.Actions = append(t.Actions, check)
		return
	}
	t.Actions[i].If = append(t.Actions[i].If, same)
}

// objectsAtOnce returns how many objects of a collection a step can delete.
func (s *Sweep) objectsAtOnce(f *design.Field) int {
	most := 1
	for _, name := range f.Types {
		t := s.d.Type(name)
		n := s.d.ActionsToSoftDelete(t, f)
		if s.d.IsWhole(t) {
			n = s.d.ActionsToDelete(t, f)
		}
		most = max(most, n)
	}
	return max(1, (MaxActions-1)/most)
}

// Is reports whether an item is the tombstone of the sweep.
func (s *Sweep) Is(it item.Item) bool {
	at, has := it.Get(keys.AttributeDeletedAt)
	return has && at.Equal(s.At)
}

// Finish returns the write that deletes the tombstone, under the condition that nothing is below it. Unlist follows.
func (s *Sweep) Finish() Transaction {
	a := DeleteItem(s.base, IfEquals(keys.AttributeDeletedAt, s.At))
	a.Type = s.t.Name
	for counter := range s.d.Counted(s.t) {
		a.If = append(a.If, IfEqualsOrUnset(counter, item.NumberValue(0)))
	}
	return Transaction{Actions: []Action{a}}
}

// Unlist returns the write that deletes the item in the list, if it is still there.
func (s *Sweep) Unlist() Transaction {
	return Transaction{Actions: []Action{DeleteItem(s.Deletion.Key, IfStored())}}
}
