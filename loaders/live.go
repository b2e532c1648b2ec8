package loaders

import (
	"context"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// LiveCondition returns the key condition of a subscription. The error is a keys.InputError, a plan.ArgumentError or a
// plan.AccessError.
func (e *Engine) LiveCondition(b *plan.Bound) (*design.Condition, error) { return b.LiveCondition() }

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
		if op.bound.Authorize(&c, err) != nil || len(op.bound.Awaited(&c)) > 0 || c.IsEmpty() ||
			op.bound.DecideObjects(&c) != plan.Allow {
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
