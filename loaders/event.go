package loaders

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// EventKind is what an event of a subscription is about.
type EventKind uint8

// The kinds of events. Of a field that returns one object, CurrentEvent is the first state, and the others are later
// ones: RemovedEvent is null.
const (
	// CurrentEvent is the state of the field, which is read.
	CurrentEvent EventKind = iota
	// AddedEvent is an item that has come into the range of the field, ChangedEvent one that has changed in it, and
	// RemovedEvent one that has left it. The range has only what the viewer may read.
	AddedEvent
	ChangedEvent
	RemovedEvent
)

// EventKinds returns all kinds.
func EventKinds() []EventKind {
	return []EventKind{CurrentEvent, AddedEvent, ChangedEvent, RemovedEvent}
}

// String returns the value of the enum LiveChange.
func (k EventKind) String() string {
	return [...]string{
		CurrentEvent: "CURRENT", AddedEvent: "ADDED", ChangedEvent: "CHANGED", RemovedEvent: "REMOVED",
	}[k]
}

// Event is an event of a subscription for its viewer.
type Event struct {
	Kind EventKind
	// Item is the item after the change, or for a RemovedEvent before it; nil for a CurrentEvent.
	Item item.Item
	// Partition is the index of the item's partition in those of the condition.
	Partition int
	// IsDamaged is set for a RemovedEvent of an item that is damaged since the change. The response has an error. With
	// WasMissing, the viewer has not had the item before, and Item is the damaged one.
	IsDamaged, WasMissing bool
	// IsLater is set for a CurrentEvent of one object that is not the first state: it is null if the viewer may not read
	// it.
	IsLater bool
}

// occasion is what an operation of a subscription is about.
type occasion struct {
	Event
	condition *design.Condition
	// page has the item.
	page *Page
}
