package answer

import (
	"errors"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
)

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

// isWithheld reports whether the object of a subscription is null instead.
func (w *writer) isWithheld(f *plan.Field, v *loaders.Value) bool {
	event := w.op.Event()
	if event.IsDamaged {
		w.fail(f, loaders.ErrDamaged)
		return true
	}
	return event.IsLater && errors.Is(v.Err, plan.ErrForbidden)
}
