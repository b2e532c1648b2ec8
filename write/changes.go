package write

import (
	"errors"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Create returns the actions that store an object that does not exist yet.
func Create(d *design.Design, items []item.Item) []Action {
	actions := make([]Action, len(items))
	for i, it := range items {
		actions[i] = PutItem(it)
		if l, is := latestAt(d, items, i); is {
			actions[i] = l.enter()
		}
	}
	actions[0].If = []Precondition{IfMissing()}
	actions[0].fault = started(d.Type(items[0].Type()), items[0])
	return actions
}

// deleteOf returns the action that deletes an item of an object.
func deleteOf(it item.Item, conditions ...Precondition) Action {
	a := DeleteItem(keys.KeyOf(it), conditions...)
	a.Type = it.Type()
	return a
}

// Delete returns the actions that delete an object that exists.
func Delete(d *design.Design, items []item.Item) []Action {
	actions := make([]Action, len(items))
	for i, it := range items {
		actions[i] = deleteOf(it)
		if l, is := latestAt(d, items, i); is {
			actions[i] = l.leave()
		}
	}
	actions[0].If = []Precondition{IfExists()}
	return actions
}

// Update returns the actions that turn the stored items of an object into those that it has after a
// change. Only attributes that differ are written, index entries included, so that a counter which
// others increment meanwhile keeps its value. An item whose key changes is deleted and put again
// with the values that were read, so the object must not have changed meanwhile in any attribute.
// An item in which nothing changes has no action, but the base item always has one.
//
// Both must be of one object: an error is a *TransitionError, or a bug of the caller.
func Update(d *design.Design, before, after []item.Item, conditions ...Precondition) ([]Action, error) {
	if len(before) != len(after) || len(before) == 0 || keys.KeyOf(before[0]) != keys.KeyOf(after[0]) {
		return nil, errors.New("write: bug: an update turns an object into another")
	}
	t := d.Type(before[0].Type())
	ways, err := moved(t, before[0], after[0])
	if err != nil {
		return nil, err
	}
	actions := []Action{Change(before[0], after[0]).keeping(t, before[0])}
	if !actions[0].writes() {
		actions[0].Kind = ActionCheck
	}
	before, after, shared, moved := updateLatest(d, before, after)
	for _, it := range after[1:] {
		old := withKey(before, keys.KeyOf(it))
		if old == nil {
			actions = append(actions, PutItem(it, IfMissing()))
			moved = true
		} else if a := Change(old, it); a.writes() {
			actions = append(actions, a.keeping(t, old))
		}
	}
	for _, it := range before[1:] {
		if withKey(after, keys.KeyOf(it)) == nil {
			actions = append(actions, deleteOf(it, IfExists()))
		}
	}
	actions = append(actions, shared...)
	if moved {
		actions[0].If = append(actions[0].If, whole(d, t, before[0])...)
	}
	actions[0].If = append(append(actions[0].If, ways...), conditions...)
	return actions, nil
}

// updateLatest returns the actions on the latest items of an object, and its other items. moves is set if the actions
// write what was read of attributes that have not changed.
func updateLatest(
	d *design.Design, before, after []item.Item,
) (othersBefore, othersAfter []item.Item, actions []Action, moves bool) {
	for i := range before {
		from, is := latestAt(d, before, i)
		if !is {
			othersBefore, othersAfter = append(othersBefore, before[i]), append(othersAfter, after[i])
			continue
		}
		to, _ := latestAt(d, after, i)
		changes, moved := to.update(from)
		actions, moves = append(actions, changes...), moves || moved
	}
	return othersBefore, othersAfter, actions, moves
}

// UpdateOf is Update for an object before and after a change. stored is the function
// that is generated for its type; its errors are keys.InputErrors.
func UpdateOf[T any](
	d *design.Design, before, after *T, stored func(*T) ([]item.Item, error), conditions ...Precondition,
) ([]Action, error) {
	from, err := stored(before)
	if err != nil {
		return nil, err
	}
	to, err := stored(after)
	if err != nil {
		return nil, err
	}
	return Update(d, from, to, conditions...)
}

// withKey returns the item with that key, or nil.
func withKey(items []item.Item, key keys.Key) item.Item {
	for _, it := range items {
		if keys.KeyOf(it) == key {
			return it
		}
	}
	return nil
}

// writes reports whether an Update changes anything.
func (a Action) writes() bool { return len(a.Set)+len(a.Remove)+len(a.Add) > 0 }

// unchanged returns the conditions that an item is as it was read.
func unchanged(it item.Item) []Precondition {
	var conditions []Precondition
	for _, a := range it {
		if a.Name != keys.AttributePK && a.Name != keys.AttributeSK {
			conditions = append(conditions, IfEquals(a.Name, a.Value))
		}
	}
	return conditions
}

// whole returns the conditions that a base item of a type is as it was read. Entries of indexes follow from the other
// attributes, but may be in a shard of an earlier number of shards.
func whole(d *design.Design, t *design.Type, it item.Item) []Precondition {
	conditions := slices.DeleteFunc(unchanged(it), func(c Precondition) bool {
		return d.IsIndexAttribute(c.Name) || hasOtherValue(t, c)
	})
	for i, c := range conditions {
		conditions[i] = ifRead(t, c.Name, c.Value)
	}
	return conditions
}

// hasOtherValue reports whether a condition is on the type attribute of a type whose items may have another value.
func hasOtherValue(t *design.Type, c Precondition) bool {
	return t != nil && len(t.Values) > 0 && c.Name == item.EntityType
}

// Change returns the Update that turns an item, which must exist, into another with the same key.
func Change(before, after item.Item) Action {
	a := Action{Kind: ActionUpdate, Key: keys.KeyOf(after), Type: after.Type(), If: []Precondition{IfExists()}}
	for _, to := range after {
		if from, ok := before.Find(to.Name); !ok || !from.Equal(to.Value) {
			a.Set = append(a.Set, to)
		}
	}
	for _, from := range before {
		if _, ok := after.Find(from.Name); !ok {
			a.Remove, a.After = append(a.Remove, from.Name), after
		}
	}
	return a
}
