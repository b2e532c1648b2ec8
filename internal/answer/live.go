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
