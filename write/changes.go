package write

import (
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// The three functions below turn the stored forms of one object, as Items
// gives them, into the actions of one transaction. The object's base item comes
// first, so that the first action is the place for conditions of the caller's:
// a version, or what else guards the object.

// Create stores an object that does not exist yet.
func Create(forms []item.Item) []Action {
	actions := make([]Action, len(forms))
	for i, form := range forms {
		actions[i] = PutOf(form)
	}
	actions[0].If = []Precondition{IfMissing()}
	return actions
}

// Delete removes an object that exists.
func Delete(forms []item.Item) []Action {
	actions := make([]Action, len(forms))
	for i, form := range forms {
		actions[i] = Action{Kind: ActionDelete, Key: keys.KeyOf(form)}
	}
	actions[0].If = []Precondition{IfExists()}
	return actions
}

// Update turns the stored forms of an object into those that it has after a
// change. Only attributes that differ are written, entries in indexes included,
// so that a counter which others increment meanwhile is left alone. A form whose
// key changes is deleted and put anew; what it carries over is then as it was
// read, so the object must not have changed meanwhile in any attribute. A form
// in which nothing changes has no action, but the base item always has one.
//
// Both must be of one object: an error is a bug of the caller.
func Update(before, after []item.Item) ([]Action, error) {
	if len(before) != len(after) || len(before) == 0 || keys.KeyOf(before[0]) != keys.KeyOf(after[0]) {
		return nil, errors.New("write: bug: an update turns an object into another")
	}
	actions := []Action{Change(before[0], after[0])}
	if !actions[0].writes() {
		actions[0].Kind = ActionCheck
	}
	moved := false
	for _, form := range after[1:] {
		old := withKey(before, keys.KeyOf(form))
		if old == nil {
			actions = append(actions, PutOf(form, IfMissing()))
			moved = true
		} else if a := Change(old, form); a.writes() {
			actions = append(actions, a)
		}
	}
	for _, form := range before[1:] {
		if key := keys.KeyOf(form); withKey(after, key) == nil {
			actions = append(actions, Action{Kind: ActionDelete, Key: key, If: []Precondition{IfExists()}})
		}
	}
	if moved {
		actions[0].If = append(actions[0].If, unchanged(before[0])...)
	}
	return actions, nil
}

// withKey is the form with that key, or nil.
func withKey(forms []item.Item, key keys.Key) item.Item {
	for _, form := range forms {
		if keys.KeyOf(form) == key {
			return form
		}
	}
	return nil
}

// writes reports whether an Update changes anything.
func (a Action) writes() bool { return len(a.Set)+len(a.Remove)+len(a.Add) > 0 }

// unchanged asks that an item is as it was read.
func unchanged(it item.Item) []Precondition {
	var conditions []Precondition
	for _, a := range it {
		if a.Name != keys.AttributePK && a.Name != keys.AttributeSK {
			conditions = append(conditions, IfEquals(a.Name, a.Value))
		}
	}
	return conditions
}

// Change is the Update that turns an item, which must exist, into another with
// the same key.
func Change(before, after item.Item) Action {
	a := Action{Kind: ActionUpdate, Key: keys.KeyOf(after), If: []Precondition{IfExists()}}
	for _, to := range after {
		if from, ok := before.Get(to.Name); !ok || !from.Equal(to.Value) {
			a.Set = append(a.Set, to)
		}
	}
	for _, from := range before {
		if _, ok := after.Get(from.Name); !ok {
			a.Remove = append(a.Remove, from.Name)
		}
	}
	return a
}
