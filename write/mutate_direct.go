package write

import (
	"context"
	"errors"
	"math"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// updateDirectly changes an object that is not read before: DynamoDB decides whether it is as the caller knows it, and
// returns it as it is stored.
func (x *mutation) updateDirectly(ctx context.Context, identity, given item.Item) error {
	if x.isLastVersion() {
		return nil
	}
	a, err := x.directUpdate(identity, given)
	if err != nil {
		return x.inputError(err)
	}
	var c change
	c.add(objectPart, a)
	stored, failed, err := c.tx.commit(ctx, "", c.handled())
	switch {
	case err != nil:
		return err
	case failed == nil:
		x.out.Object = stored
		return nil
	}
	if stored = failed.Item(objectPart); stored != nil && idOf(x.t, stored) != x.out.ID {
		if stored, err = ReadItem(ctx, a.Key); err != nil { // It is damaged.
			return err
		}
	}
	if x.isPresent(stored) {
		return x.damaged(errors.New("its attributes are not those of its key"))
	}
	return nil
}

// directUpdate returns the update of an object that is not read. The error is a keys.InputError.
func (x *mutation) directUpdate(identity, given item.Item) (Action, error) {
	a := Action{Kind: ActionUpdate, Key: keys.KeyOf(identity), Type: x.t.Name, Remove: x.in.Remove}
	for _, g := range given {
		v, err := edited(x.t, g.Name, item.Value{}, g.Value)
		switch {
		case err != nil:
			return Action{}, err
		case v.Kind == item.Null:
			a.Remove = append(a.Remove, g.Name)
		default:
			a.Set = append(a.Set, item.Attribute{Name: g.Name, Value: v})
		}
	}
	a.Set = with(x.stamp(a.Set), x.t.Version, item.NumberValue(x.in.Version+1))
	a.If = append(ifIdentified(x.t, func(name string) item.Value {
		v, _ := identity.Get(name)
		return v
	}), x.ifOwned()...)
	return a, checkValues(a.Set)
}

// ifIdentified returns the conditions that an object exists and has the values of its identity: another program may
// have written others than those of the key.
func ifIdentified(t *design.Type, value func(name string) item.Value) []Precondition {
	conditions := []Precondition{IfExists()}
	for _, name := range t.Identity {
		if !t.Attribute(name).InKeys {
			conditions = append(conditions, IfEquals(name, value(name)))
		}
	}
	return conditions
}

// isLastVersion adds a user error if the version of an update is the highest one there is.
func (x *mutation) isLastVersion() bool {
	isLast := x.t.Version != "" && x.in.Version == math.MaxInt32
	if isLast {
		x.out.Add(CodeInvalid, x.t.Version, "this %s has the highest version there is: it cannot be changed", x.t.Name)
	}
	return isLast
}
