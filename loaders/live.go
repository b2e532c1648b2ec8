package loaders

import (
	"context"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
	"github.com/partita/partita/plan/price"
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

// LiveCondition returns the key condition of a subscription. The error is a keys.InputError, a plan.ArgumentError or a
// plan.AccessError.
func (e *Engine) LiveCondition(b *plan.Bound) (*design.Condition, error) { return b.LiveCondition() }

// BeginEvent is Begin for an event of a subscription with a condition. What is selected below the item is read at the
// present time.
func (e *Engine) BeginEvent(ctx context.Context, b *plan.Bound, c *design.Condition, event Event) context.Context {
	o := &occasion{Event: event, condition: c}
	if event.Kind != CurrentEvent {
		if b = b.OfEvent(); e.source != nil {
			b.Now = e.source.Now()
		}
		o.page = &Page{Items: []item.Item{event.Item}, partition: event.Partition, condition: c}
	}
	ctx = e.Begin(ctx, b)
	OperationOf(ctx).live = o
	return ctx
}

// Event returns the event that an operation of a subscription is about.
func (op *Operation) Event() Event { return op.live.Event }

// EventPage returns the page that has only the item of an event; nil for a CurrentEvent.
func (op *Operation) EventPage() *Page { return op.live.page }

// HasEdgeNode reports whether the node of an event is another object than its item, and is read by itself.
func (op *Operation) HasEdgeNode() bool { return op.live.condition.Field.EdgeNode }

// EventNode returns the type of the node of an event, and an item that has the fields of its identity. The type is nil
// if the node is another object than the item of the event, and its key alone does not show that the viewer may read
// it: the id of an object is part of what its rule protects.
func (op *Operation) EventNode() (*design.Type, item.Item) {
	if op.live.WasMissing { // a damaged item identifies nothing
		return nil, nil
	}
	it, read := op.live.Item, op.live.condition.Field
	if read.EdgeNode {
		c, err := plan.NodeCondition(op.engine.design.Field(read.Edge, "node"), it)
		if op.bound.Authorize(c, err) != nil || c.IsEmpty() || op.bound.DecideObjects(c) != plan.Allow {
			return nil, nil
		}
		it = c.KeyOnly
	}
	return op.engine.design.Type(it.Type()), it
}

// ItemOf returns the object of the edge or the node of an event, which is not read by itself, and counts it in the
// answer.
func (op *Operation) ItemOf(v *Value) (*Instance, error) {
	o := &v.Objects[0]
	if err := op.answer(o.Node.Weight); err != nil {
		return nil, err
	}
	return o, nil
}

// live returns the value of a field of a subscription or of its event; nil for a field that the event does not have.
func (r *run) live(f *plan.Field, at *price.Trace) *Value {
	o := r.op.live
	hasItem := o.Kind == AddedEvent || o.Kind == ChangedEvent
	switch {
	case f.Kind == plan.LiveField:
		v := &Value{Field: f, Objects: []Instance{{Node: f.Children[0]}}}
		r.fill(&v.Objects[0], nil, at.Field(f))
		return v
	case f.IsLive() && o.Kind == CurrentEvent:
		c := *o.condition // the window of a cursor may have other partitions
		return r.start(f, &c, nil, r.op.bound.Arguments(f).Paging, at.Field(f))
	case f.Live != nil && !hasItem:
		return &Value{Field: f, condition: o.condition, asked: true}
	case f.Live != nil:
		return r.given(f, at)
	case f.IsLive() || !hasItem:
		return nil
	case f.Kind == plan.ItemField && o.condition.Field.EdgeNode:
		node := r.op.engine.design.Field(o.condition.Field.Edge, "node")
		c, err := plan.NodeCondition(node, o.Item)
		return r.start(f, c, err, plan.Paging{}, at.Field(f))
	default:
		return r.given(f, at)
	}
}

// given returns the value of a field whose object is the item of the event.
func (r *run) given(f *plan.Field, at *price.Trace) *Value {
	o := r.op.live
	return &Value{
		Field: f, condition: o.condition, asked: true, finished: true,
		Objects: r.objects(f, []item.Item{o.Item}, at.Field(f)),
	}
}

// State is what a CurrentEvent has read of the range of a subscription.
type State struct {
	// Items are in the order of the field, damaged ones included.
	Items []item.Item
	// Partitions are the indexes of their partitions in those of the condition.
	Partitions []int
	// Before and After report whether the range may have more items before and after them.
	Before, After bool
	// Err is why the state could not be read; nil if it could.
	Err error
}

// State returns the state that the operation of a context has read.
func (e *Engine) State(ctx context.Context) State {
	op := OperationOf(ctx)
	f := op.bound.Live
	v := op.root.Values[f.Slot]
	if f.Kind == plan.LiveField {
		if v = connectionOf(v); v == nil {
			return State{Before: true, After: true}
		}
	}
	return v.state()
}

// connectionOf returns the connection of an event whose page has been read: its aliases are one Read. It is nil if
// there is none.
func connectionOf(event *Value) *Value {
	for _, v := range event.Objects[0].Values {
		if v != nil && (v.Err != nil || len(v.states) > 0) {
			return v
		}
	}
	return nil
}

func (v *Value) state() State {
	s := State{Err: v.Err}
	if len(v.states) == 0 { // an error, or a condition that selects nothing
		return s
	}
	page, err := v.page()
	if err != nil {
		return State{Err: err}
	}
	s.Items = page.Items
	for i := range page.Items {
		s.Partitions = append(s.Partitions, page.at(i).partition)
	}
	s.Before, s.After = page.HasPreviousPage, page.HasNextPage
	if v.condition.Field.Kind == design.Query && v.condition.Field.Result == design.One {
		s.After = len(page.Items) > 0
	}
	return s
}
