package write

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// A latest is a copy that several objects share: it holds the one with the greatest value of an attribute. Each
// action on it has a condition on which object that is, and the action for the other case as Action.Otherwise, so that
// nothing has to be read before.
//
// If that object is deleted, or its value becomes lower, the next one is not known within the transaction. The item
// becomes a tombstone that still has the value. It reads as missing, and only an object that is at least as great
// replaces it, until a repair finds the object that it should hold.
//
// Attributes that no field declares belong to the item and not to the object that it holds: they remain.
type latest struct {
	// it is the item as it would be stored for the object. For a deletion, the attributes of the identity are enough.
	it item.Item
	t  *design.Type
	// declared are the attributes that an item of the type can have.
	declared []string
	// by is the attribute with the value.
	by string
	// identity are the attributes by which the object differs from others with the item's key.
	identity item.Item
}

// latestAt returns the n-th stored item of an object if it is a latest item.
func latestAt(d *design.Design, items []item.Item, n int) (l latest, is bool) {
	t := d.Type(items[n].Type())
	if t == nil || n == 0 || n > len(t.Copies) || t.Copies[n-1].Latest == "" {
		return latest{}, false
	}
	c := t.Copies[n-1]
	return latest{it: items[n], t: t, declared: declaredIn(d, t), by: c.Latest,
			identity: Distinguishing(t, c, items[0])},
		true
}

// LatestActions returns the actions on the latest items among those of an object: before and after are its items, nil
// for an object that is created or deleted.
func LatestActions(d *design.Design, before, after []item.Item) []Action {
	if before != nil && after != nil {
		_, _, actions, _ := updateLatest(d, before, after)
		return actions
	}
	var actions []Action
	for n := range before {
		if l, is := latestAt(d, before, n); is {
			actions = append(actions, l.leave())
		}
	}
	for n := range after {
		if l, is := latestAt(d, after, n); is {
			actions = append(actions, l.enter())
		}
	}
	return actions
}

// declaredIn returns the names of the attributes that items of a type can have, but those of the table's keys and the
// type.
func declaredIn(d *design.Design, t *design.Type) []string {
	names := []string{keys.AttributeDeletedAt}
	for _, a := range t.Attributes {
		names = append(names, a.Name)
	}
	for _, index := range d.IndexNames() {
		names = append(names, keys.IndexPK(index), keys.IndexSK(index))
	}
	return names
}

// Distinguishing returns the attributes of an object's identity that are not part of the key of a copy, or only their
// time bucket is. They distinguish the objects that share a copy with a Latest.
func Distinguishing(t *design.Type, c design.Copy, it item.Item) item.Item {
	inKey := func(name string) bool {
		return c.PK.Has(name) || c.SK.Has(name)
	}
	var attributes item.Item
	for _, name := range t.Identity {
		if value, has := it.Get(name); has && !inKey(name) {
			attributes = append(attributes, item.Attribute{Name: name, Value: value})
		}
	}
	return attributes
}

func (l latest) value() item.Value {
	v, _ := l.it.Get(l.by)
	return v
}

// enter stores the object, unless another one has a greater value.
func (l latest) enter() Action {
	a := l.edit(l.it, IfBelow(l.by, l.value()))
	other := CheckItem(a.Key, IfNotBelow(l.by, l.value()))
	other.Type = l.it.Type()
	a.Otherwise = &other
	return a
}

// edit gives the item exactly these of the declared attributes.
func (l latest) edit(to item.Item, conditions ...Precondition) Action {
	a := Action{Kind: ActionUpdate, Key: keys.KeyOf(l.it), Type: l.it.Type(), After: to, If: conditions}
	for _, attribute := range to {
		if attribute.Name != keys.AttributePK && attribute.Name != keys.AttributeSK {
			a.Set = append(a.Set, attribute)
		}
	}
	for _, name := range l.declared {
		if _, remains := to.Find(name); !remains {
			a.Remove = append(a.Remove, name)
		}
	}
	return a
}

// change changes the attributes of the object, unless the item holds another one.
func (l latest) change(before item.Item) Action {
	a := Change(before, l.it)
	a.If = []Precondition{l.ifHeld()}
	return l.unlessOther(a.keeping(l.t, before, l.identity...))
}

// leave turns the item into a tombstone, unless it holds another object. It keeps the value that it has.
func (l latest) leave() Action {
	deletedAt := item.Attribute{Name: keys.AttributeDeletedAt, Value: item.TimeValue(time.Now())}
	a := l.edit(append(keys.KeyOf(l.it).Item(), deletedAt), l.ifHeld())
	a.Remove = slices.DeleteFunc(a.Remove, func(name string) bool { return name == l.by })
	return l.unlessOther(a)
}

func (l latest) ifHeld() Precondition { return IfHolds(l.identity) }

func (l latest) unlessOther(a Action) Action {
	other := CheckItem(a.Key, IfOther(l.identity))
	other.Type = l.it.Type()
	a.Otherwise = &other
	return a
}

// update returns the actions that turn a latest item into that of the object after a change. moves is set if they write
// what was read of attributes that have not changed.
func (l latest) update(before latest) (actions []Action, moves bool) {
	if keys.KeyOf(before.it) != keys.KeyOf(l.it) {
		return []Action{l.enter(), before.leave()}, true
	}
	switch order := Compare(l.value(), before.value()); {
	case order > 0:
		return []Action{l.enter()}, true
	case order < 0:
		return []Action{before.leave()}, false
	}
	if a := l.change(before.it); a.writes() {
		return []Action{a}, false
	}
	return nil, false
}

// Compare returns the order of two stored values of an attribute with an order, as DynamoDB compares them: -1, 0 or 1.
// A value that is not the number or the text that it should be is below all others.
func Compare(a, b item.Value) int {
	if a.Kind != b.Kind {
		return cmp.Compare(a.Kind, b.Kind)
	}
	if a.Kind != item.Number {
		return strings.Compare(a.Text, b.Text)
	}
	m, err := item.AsInt(a)
	if err != nil {
		return -1
	}
	n, err := item.AsInt(b)
	if err != nil {
		return 1
	}
	return cmp.Compare(m, n)
}
