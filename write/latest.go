package write

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// A latest is a copy that several objects share: it holds the one with the greatest value of an attribute. Each
// action on it has a condition on which object that is, and the action for the other case as Action.Otherwise, so that
// nothing has to be read before.
//
// If that object is deleted, or its value becomes lower, the next one is not known within the transaction. The item
// becomes a tombstone that still has the value. It reads as missing, and only an object that is at least as great
// replaces it, until a repair finds the object that it should hold.
type latest struct {
	// it is the item as it would be stored for the object.
	it item.Item
	// by is the attribute with the value.
	by string
	// identity are the attributes by which the object differs from others with the item's key.
	identity item.Item
}

// latestAt returns the n-th stored item of an object if it is a latest item.
func latestAt(d *keys.Design, items []item.Item, n int) (l latest, is bool) {
	t := d.Type(items[n].Type())
	if t == nil || n == 0 || n > len(t.Copies) || t.Copies[n-1].Latest == "" {
		return latest{}, false
	}
	c := t.Copies[n-1]
	return latest{it: items[n], by: c.Latest, identity: Distinguishing(t, c, items[n])}, true
}

// Distinguishing returns the attributes of an object's identity that are not part of the key of a copy, or only their
// time bucket is. They distinguish the objects that share a copy with a Latest.
func Distinguishing(t *keys.Type, c keys.Copy, it item.Item) item.Item {
	inKey := func(name string) bool {
		isWhole := func(s keys.Segment) bool { return s.Variable == name && s.Bucket == 0 }
		return slices.ContainsFunc(c.PK.Segments(), isWhole) || slices.ContainsFunc(c.SK.Segments(), isWhole)
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
	a := PutItem(l.it, IfBelow(l.by, l.value()))
	other := CheckItem(a.Key, IfNotBelow(l.by, l.value()))
	a.Otherwise = &other
	return a
}

// change changes the attributes of the object, unless the item holds another one.
func (l latest) change(before item.Item) Action {
	a := Change(before, l.it)
	a.If = l.ifHeld()
	return l.unlessOther(a)
}

// leave replaces the object by a tombstone, unless the item holds another one.
func (l latest) leave() Action {
	key := keys.KeyOf(l.it)
	return l.unlessOther(PutItem(item.Item{
		{Name: keys.AttributePK, Value: item.TextValue(key.PK)},
		{Name: keys.AttributeSK, Value: item.TextValue(key.SK)},
		{Name: item.EntityType, Value: item.StringValue(l.it.Type())},
		{Name: l.by, Value: l.value()},
		{Name: keys.AttributeDeletedAt, Value: item.TimeValue(time.Now())},
	}, l.ifHeld()...))
}

func (l latest) ifHeld() []Precondition {
	conditions := make([]Precondition, len(l.identity))
	for i, a := range l.identity {
		conditions[i] = IfEquals(a.Name, a.Value)
	}
	return conditions
}

func (l latest) unlessOther(a Action) Action {
	other := CheckItem(a.Key, IfOther(l.identity))
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
