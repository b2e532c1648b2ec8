package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Holds reports whether the condition holds on an item as it is read, nil for none, in a table whose items have the
// names and formats of the design. An expired item is not missing.
func (c Precondition) Holds(it item.Item) bool {
	v, isSet := it.Get(c.Name)
	switch c.Kind {
	case PreconditionExists:
		return it != nil && !keys.IsDeleted(it)
	case PreconditionMissing:
		return it == nil
	case PreconditionStored:
		return it != nil
	case PreconditionEquals:
		return isSet && v.Equal(c.Value)
	case PreconditionEqualsOrUnset:
		return it != nil && (!isSet || v.Equal(c.Value))
	case PreconditionBelow:
		order := Compare(v, c.Value)
		return it == nil || isSet && (order < 0 || keys.IsDeleted(it) && order == 0)
	case PreconditionNotBelow:
		return isSet && Compare(v, c.Value) >= 0
	case PreconditionHolds:
		return holdsAll(it, c.Values)
	case PreconditionOther:
		return !holdsAll(it, c.Values)
	case PreconditionUnset:
		return it != nil && !isSet
	case PreconditionCompares:
		return it != nil && c.compares(it)
	default:
		return it != nil && (!isSet || Compare(v, c.Value) <= 0)
	}
}

// compares reports whether the comparison of a PreconditionCompares holds on an item.
func (c Precondition) compares(it item.Item) bool {
	v, _ := it.Get(c.Name)
	return slices.ContainsFunc(c.Values, func(other item.Attribute) bool {
		if other.Name != "" {
			other.Value, _ = it.Get(other.Name)
		}
		return c.Op.Holds(v, other.Value)
	})
}

// holdsAll reports whether an item has all of the attributes with these values.
func holdsAll(it item.Item, values item.Item) bool {
	return it != nil && !slices.ContainsFunc(values, func(a item.Attribute) bool {
		v, has := it.Get(a.Name)
		return !has || !v.Equal(a.Value)
	})
}

// On returns what is carried out of an action on an item as it is read, nil for none: the action itself, or the one in
// its place whose conditions hold. It only checks something if there is none.
func (a Action) On(stored item.Item) Action {
	for range maxAlternatives {
		if !slices.ContainsFunc(a.If, func(c Precondition) bool { return !c.Holds(stored) }) {
			return a
		}
		other := a.alternative(stored)
		if other == nil {
			break
		}
		a = *other
	}
	return Action{Kind: ActionCheck, Key: a.Key, Type: a.Type}
}
