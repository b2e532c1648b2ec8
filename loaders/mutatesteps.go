package loaders

import (
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
)

// steps sets the values of the payload's fields with the objects of an action: of those that are known, of those that
// are read now, and null where there is no object.
func (w *mutated) steps(r *run, values []*Value, at *price.Trace) {
	for _, s := range w.Steps {
		if s.Object != nil && !s.IsDeleted && !r.op.exec.expiry.IsMissing(s.Object) {
			r.op.written = append(r.op.written, s.Object)
		}
	}
	for i := range w.mutation.Steps {
		for _, f := range w.node.Fields {
			if f.Kind == plan.ReadField && f.Name == w.mutation.Steps[i].Object {
				values[f.Slot] = w.step(r, i, f, at)
			}
		}
	}
}

// step returns the value of a field with the object of the i-th step.
func (w *mutated) step(r *run, i int, f *plan.Field, at *price.Trace) *Value {
	isThere := i < len(w.Steps) && !w.Steps[i].IsDeleted && w.Steps[i].Identity != nil
	if !isThere {
		return &Value{Field: f, finished: true}
	}
	s := &w.Steps[i]
	known := s.Object
	if known == nil {
		known = s.Identity
	}
	if s.Object != nil && r.op.exec.expiry.IsMissing(s.Object) {
		return &Value{Field: f, finished: true}
	}
	return r.readBelow(f, known, nil, at)
}
