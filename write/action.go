package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// Action is what a transaction does to one item.
type Action struct {
	Kind ActionKind
	Key  keys.Key
	// Type is the type of the item, as far as it does not follow from Item, After or the key: several types may have
	// equal keys, and attributes with other names in the table.
	Type string
	// Item is what a Put stores, PK and SK included. It replaces the whole item.
	Item item.Item
	// Set, Remove and Add are what an Update does to attributes, each named once.
	// An item that does not exist is created, unless a Precondition prevents that.
	Set    item.Item
	Remove []string
	Add    []Increment
	// After is the item after an Update with Remove, as far as it is known: indexes may share attributes in the table,
	// and those that it has there are not removed.
	After item.Item
	// If are the conditions of the transaction: those of all its actions must hold,
	// or nothing is written.
	If []Precondition
	// Otherwise is the action in place of this one, on the same item, if its conditions do not hold; nil for none. See
	// Transaction.Send.
	Otherwise *Action
	// kept are the values that an Update assumes; nil for none. See keeping.
	kept *kept
	// object are attributes of the object with counters that an Update changes: those of its identity.
	object item.Item
	// bounded are the counters of the item that must be within their bounds afterwards. See settle.
	bounded []*design.Counter
	// fault is why the action must not be sent.
	fault error
}

// alternative returns the action in place of one whose conditions did not hold on the stored item; nil for none.
func (a Action) alternative(stored item.Item) *Action {
	if other := a.revised(stored); other != nil {
		return other
	}
	return a.Otherwise
}

// ActionKind is the operation of an Action.
type ActionKind uint8

// The actions of TransactWriteItems. ActionCheck writes nothing and only has
// conditions.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItem.html
const (
	ActionPut ActionKind = iota
	ActionUpdate
	ActionDelete
	ActionCheck
)

// Increment adds to a Number attribute, which counts from 0 when the item lacks
// it. It needs no read before it.
type Increment struct {
	Name string
	By   int
}

// Precondition is a condition on an item as it is before the transaction.
type Precondition struct {
	Kind PreconditionKind
	// Name and Value are for all kinds with the name of an attribute; PreconditionUnset has no Value.
	Name  string
	Value item.Value
	// Values are for PreconditionHolds, PreconditionOther, and with Op for PreconditionCompares.
	Values item.Item
	Op     predicate.Op

	// isKept is set for the condition that an attribute is as the Action assumes.
	isKept bool
}

// PreconditionKind is what a Precondition requires.
type PreconditionKind uint8

// The kinds of preconditions; see the functions of the same names.
const (
	PreconditionExists PreconditionKind = iota
	PreconditionMissing
	PreconditionEquals
	PreconditionStored
	PreconditionBelow
	PreconditionNotBelow
	PreconditionOther
	PreconditionUnset
	PreconditionAtMost
	PreconditionAtLeast
	PreconditionHolds
	PreconditionEqualsOrUnset
	PreconditionCompares
)

// IfExists requires an item that is not a tombstone and has not expired.
func IfExists() Precondition { return Precondition{Kind: PreconditionExists} }

// IfMissing requires that there is no item, not even a tombstone. An expired item is missing.
func IfMissing() Precondition { return Precondition{Kind: PreconditionMissing} }

// IfStored requires an item or a tombstone. It is for the deletion of what depends on a tombstone;
// everything else uses IfExists.
func IfStored() Precondition { return Precondition{Kind: PreconditionStored} }

// IfEquals requires an item, or a tombstone, whose attribute has that value.
func IfEquals(name string, value item.Value) Precondition {
	return Precondition{Kind: PreconditionEquals, Name: name, Value: value}
}

// IfEqualsOrUnset requires that an attribute has the value, or that the item, which exists, lacks it.
func IfEqualsOrUnset(name string, value item.Value) Precondition {
	return Precondition{Kind: PreconditionEqualsOrUnset, Name: name, Value: value}
}

// IfBelow requires that there is no item, or one whose attribute has a lower value, or a tombstone whose attribute has
// no higher value. Numbers are compared as numbers, texts by their bytes.
func IfBelow(name string, value item.Value) Precondition {
	return Precondition{Kind: PreconditionBelow, Name: name, Value: value}
}

// IfNotBelow requires an item, or a tombstone, whose attribute has that value or a higher one.
func IfNotBelow(name string, value item.Value) Precondition {
	return Precondition{Kind: PreconditionNotBelow, Name: name, Value: value}
}

// IfOther requires that there is no item, or one in which at least one of the attributes has not the given value.
func IfOther(values item.Item) Precondition {
	return Precondition{Kind: PreconditionOther, Values: values}
}

// IfHolds requires an item, or a tombstone, that has all of the attributes with the given values. An attribute that it
// lacks is not the same, even if the keys of its type have the value.
func IfHolds(values item.Item) Precondition {
	return Precondition{Kind: PreconditionHolds, Values: values}
}

// IfUnset requires an item, or a tombstone, without the attribute.
func IfUnset(name string) Precondition { return Precondition{Kind: PreconditionUnset, Name: name} }

// IfAtMost requires an item, or a tombstone, whose Number attribute is at most n, or that lacks it.
func IfAtMost(name string, n int) Precondition {
	return Precondition{Kind: PreconditionAtMost, Name: name, Value: item.NumberValue(n)}
}

// IfAtLeast requires an item, or a tombstone, whose Number attribute is at least n. One that lacks it has 0.
func IfAtLeast(name string, n int) Precondition {
	return Precondition{Kind: PreconditionAtLeast, Name: name, Value: item.NumberValue(n)}
}

// IfCompares requires an item, or a tombstone, whose attribute compares so to one of the others: to the value of one
// without a name, Null for none, otherwise to that attribute of the item. See package predicate.
func IfCompares(name string, op predicate.Op, others ...item.Attribute) Precondition {
	return Precondition{Kind: PreconditionCompares, Name: name, Op: op, Values: others}
}

// endsCondition reports whether a condition of the action does not hold any more once it is carried out.
func (a Action) endsCondition() bool {
	return slices.ContainsFunc(a.If, func(c Precondition) bool {
		switch c.Kind {
		case PreconditionMissing:
			return a.Kind == ActionPut || a.Kind == ActionUpdate
		case PreconditionEquals:
			value, changed := a.Set.Get(c.Name)
			return a.Kind == ActionDelete || changed && !value.Equal(c.Value) || slices.Contains(a.Remove, c.Name)
		case PreconditionEqualsOrUnset:
			value, changed := a.Set.Get(c.Name)
			return a.Kind == ActionDelete || changed && !value.Equal(c.Value)
		case PreconditionUnset:
			_, set := a.Set.Get(c.Name)
			return set
		case PreconditionCompares:
			return a.Kind == ActionDelete || a.endsComparison(c)
		default:
			return a.Kind == ActionDelete
		}
	})
}

// endsComparison reports whether a comparison does not hold any more for what an Update sets.
func (a Action) endsComparison(c Precondition) bool {
	isChanged := func(name string) bool { return has(a.Set, name) || slices.Contains(a.Remove, name) }
	isOther := func(other item.Attribute) bool { return other.Name != "" }
	return isChanged(c.Name) && !slices.ContainsFunc(c.Values, isOther) && !c.compares(a.Set)
}

// PutItem returns the action that stores an item under its own key.
func PutItem(it item.Item, conditions ...Precondition) Action {
	return Action{Kind: ActionPut, Key: keys.KeyOf(it), Item: it, If: conditions}
}

// DeleteItem returns the action that deletes an item, if there is one.
func DeleteItem(key keys.Key, conditions ...Precondition) Action {
	return Action{Kind: ActionDelete, Key: key, If: conditions}
}

// CheckItem returns an action that only has conditions.
func CheckItem(key keys.Key, conditions ...Precondition) Action {
	return Action{Kind: ActionCheck, Key: key, If: conditions}
}

// Count returns the action that changes a counter of an object that must exist, on further conditions.
func Count(key keys.Key, counter string, by int, conditions ...Precondition) Action {
	return Action{
		Kind: ActionUpdate, Key: key,
		Add: []Increment{{Name: counter, By: by}},
		If:  append([]Precondition{IfExists()}, conditions...),
	}
}
