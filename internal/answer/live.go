package answer

import (
	"errors"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
)

// event writes a field of the type Subscription that returns the events of a connection, or a field of such an event.
func (w *writer) event(f *plan.Field, o *loaders.Instance) bool {
	event := w.op.Event()
	switch f.Kind {
	case plan.LiveField:
		if event.IsDamaged {
			w.fail(f, loaders.ErrOmitted)
		}
		v := o.Values[f.Slot]
		instance, err := w.op.ItemOf(v)
		if err != nil {
			w.fail(f, err)
			return w.null()
		}
		return w.instance(instance, nil, w.op.EventPage(), 0)
	case plan.ChangeField:
		w.out = appendString(w.out, event.Kind.String())
		return true
	case plan.NodeIDField:
		return w.nodeID()
	}
	v := o.Values[f.Slot]
	switch {
	case v == nil:
		return w.null()
	case f.Kind == plan.ItemField && w.op.HasEdgeNode():
		return w.object(f, f, v, false)
	}
	instance, err := w.op.ItemOf(v)
	if err != nil {
		w.fail(f, err)
		return w.null()
	}
	return w.instance(instance, nil, w.op.EventPage(), 0)
}

// nodeID writes the global id of the node of an event.
func (w *writer) nodeID() bool {
	if w.op.Event().Kind == loaders.CurrentEvent {
		return w.null()
	}
	t, it := w.op.EventNode()
	if t == nil {
		return w.null()
	}
	w.identity(t, it)
	return true
}

// live writes the object of a subscription, or null.
func (w *writer) live(f *plan.Field, v *loaders.Value) bool {
	event := w.op.Event()
	switch {
	case event.IsDamaged:
		w.fail(f, loaders.ErrDamaged)
		return w.null()
	case event.IsLater && errors.Is(v.Err, plan.ErrForbidden):
		return w.null()
	}
	return w.object(f, f, v, false)
}
