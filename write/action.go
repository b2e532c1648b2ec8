package write

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Action is what a write transaction does to one item.
type Action struct {
	Kind ActionKind
	Key  keys.Key
	// Item is what a Put stores in place of what was there, PK and SK included.
	Item item.Item
	// Set, Remove and Add are what an Update does to attributes, each named once.
	// An item that does not exist is made by it, unless a Precondition says
	// otherwise.
	Set    item.Item
	Remove []string
	Add    []Increment
	// If are the conditions under which the transaction is carried out: all of
	// those of all actions, or nothing is written.
	If []Precondition
}

// ActionKind says what an Action does to its item.
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
// it: the change of a counter, which needs no read before it.
type Increment struct {
	Name string
	By   int
}

// Precondition is a condition on the item as it is before the transaction.
type Precondition struct {
	Kind PreconditionKind
	// Name and Value are for PreconditionEquals.
	Name  string
	Value item.Value
}

// PreconditionKind says what a Precondition asks.
type PreconditionKind uint8

// What a Precondition can ask: that the item exists and is not marked as
// deleted, that there is none, not even a marked one, that an attribute has a
// value, or that the item is there, marked or not.
const (
	PreconditionExists PreconditionKind = iota
	PreconditionMissing
	PreconditionEquals
	PreconditionStored
)

// IfExists asks that the item exists and is not marked as deleted.
func IfExists() Precondition { return Precondition{Kind: PreconditionExists} }

// IfMissing asks that there is no item. One that is marked as deleted still is
// one.
func IfMissing() Precondition { return Precondition{Kind: PreconditionMissing} }

// IfStored asks that there is an item, be it marked as deleted: for what removes
// the rest of a deleted object. All else asks IfExists.
func IfStored() Precondition { return Precondition{Kind: PreconditionStored} }

// IfEquals asks that there is an item which has the attribute with that value.
// It does not look at the mark of a deleted item: beside IfExists it need not,
// and alone it can ask for one mark in particular.
func IfEquals(name string, value item.Value) Precondition {
	return Precondition{Kind: PreconditionEquals, Name: name, Value: value}
}

// PutOf is the Put of an item under its own key.
func PutOf(it item.Item, conditions ...Precondition) Action {
	return Action{Kind: ActionPut, Key: keys.KeyOf(it), Item: it, If: conditions}
}
