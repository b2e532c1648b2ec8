package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// An update sets whole attributes. What is stored in one may have more than what the update knows: attributes of Maps
// that no field declares, if the update is of an object that hand-written Go has read, and what only a copy has. So the
// action has the condition that the attribute is as it was assumed. If it is not, the answer has the item, and the
// action is made anew from that.

// kept are the attributes of an item of a type that an Update changes, as it assumes them.
type kept struct {
	t       *design.Type
	assumed item.Item
	// holder are the values by which the item is recognised if several objects share it.
	holder item.Item
}

// keeping returns an Update that changes an item of the type, which was assumed to be before, and keeps what is stored
// in attributes beside what it means. The type is nil for an item without one.
func (a Action) keeping(t *design.Type, before item.Item, holder ...item.Attribute) Action {
	if t == nil {
		return a
	}
	var assumed item.Item
	for _, set := range a.Set {
		if was, has := before.Find(set.Name); has && isNested(was) {
			assumed = append(assumed, item.Attribute{Name: set.Name, Value: was})
		}
	}
	if len(assumed) > 0 {
		condition := IfHolds(assumed)
		condition.isKept = true
		a.If, a.kept = append(slices.Clip(a.If), condition), &kept{t: t, assumed: assumed, holder: holder}
	}
	return a
}

// revised returns the action for an item as it is stored, if an attribute of that is not as assumed; nil otherwise.
func (a Action) revised(stored item.Item) *Action {
	k := a.kept
	if k == nil || stored == nil || !k.isHeldBy(stored) || !k.differs(stored) {
		return nil
	}
	isKept := func(c Precondition) bool { return c.isKept }
	a.Set, a.If, a.kept = slices.Clone(a.Set), slices.DeleteFunc(slices.Clone(a.If), isKept), nil
	for i, set := range a.Set {
		if _, is := k.assumed.Find(set.Name); !is {
			continue
		}
		was, has := stored.Find(set.Name)
		if !has || was.Kind == item.Null {
			a.If = append(a.If, IfUnset(set.Name))
			continue
		}
		a.Set[i].Value = Onto(k.t, set.Name, was, set.Value)
		if !isNested(was) {
			a.If = append(a.If, IfEquals(set.Name, was))
		}
	}
	other := a.keeping(k.t, stored, k.holder...)
	return &other
}

func (k *kept) isHeldBy(stored item.Item) bool {
	return !slices.ContainsFunc(k.holder, func(a item.Attribute) bool { return !isSame(item.Item{a}, stored, a.Name) })
}

func (k *kept) differs(stored item.Item) bool {
	return slices.ContainsFunc(k.assumed, func(was item.Attribute) bool {
		is, _ := stored.Find(was.Name)
		return !isStoredAs(was.Value, is)
	})
}

// isNested reports whether a value is more than its Text.
func isNested(v item.Value) bool { return v.Kind == item.List || v.Kind == item.Map }

// Onto returns the value of an attribute of the type in an item whose value is stored: it has the same declared values
// as the wanted one. All else is as it is stored: attributes of Maps that no field declares, sets, the digits of
// numbers.
func Onto(t *design.Type, name string, stored, wanted item.Value) item.Value {
	a := t.Attribute(name)
	if a == nil {
		return wanted
	}
	e := edit{t: t}
	v := e.value(a, stored, e.declared(a, wanted))
	if e.problem != "" || v.Kind == item.Null {
		return wanted
	}
	return v
}

// declared returns a value with the declared attributes of its objects: those that they lack are NULL.
func (e *edit) declared(a *design.Attribute, v item.Value) item.Value {
	o := e.t.Object(a.Object)
	switch {
	case v.Kind == item.List && !v.IsSet():
		elements := make([]item.Value, len(v.Elements()))
		for i, element := range v.Elements() {
			elements[i] = e.declared(a, element)
		}
		return item.ListValue(elements)
	case v.Kind == item.Map && o != nil:
		fields := make(item.Item, len(o.Attributes))
		for i := range o.Attributes {
			f := &o.Attributes[i]
			value, _ := v.Fields().Find(f.Name)
			fields[i] = item.Attribute{Name: f.Name, Value: e.declared(f, value)}
		}
		return item.FieldsValue(fields)
	default:
		return v
	}
}

// isStoredAs reports whether DynamoDB has the same value for both: a set is no list.
func isStoredAs(v, w item.Value) bool {
	if v.IsSet() != w.IsSet() || !v.Equal(w) {
		return false
	}
	for i, element := range v.Elements() {
		if !isStoredAs(element, w.Elements()[i]) {
			return false
		}
	}
	for _, f := range v.Fields() {
		if other, _ := w.Fields().Find(f.Name); !isStoredAs(f.Value, other) {
			return false
		}
	}
	return true
}

// ifRead returns the condition that an attribute is as it was read: one with its default may not be stored yet.
func ifRead(t *design.Type, name string, v item.Value) Precondition {
	if t != nil {
		if a := t.Attribute(name); a != nil && a.Default.Kind != item.Null && v.Equal(a.Default) {
			return IfEqualsOrUnset(name, v)
		}
	}
	return IfEquals(name, v)
}

// isSame reports whether two items have attributes with the same values, or lack them.
func isSame(a, b item.Item, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		v, _ := a.Get(name)
		w, _ := b.Get(name)
		return !v.Equal(w)
	})
}
