package loaders

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// setDeleted sets the ids of the objects that an action has deleted.
func (w *mutated) setDeleted(p *Payload) {
	for i := range w.Steps {
		s, field := &w.Steps[i], w.mutation.Steps[i].Deleted
		switch {
		case field == "":
		case s.IsDeleted:
			if p.DeletedIDs == nil {
				p.DeletedIDs = map[string]*keys.ID{}
			}
			p.DeletedIDs[field] = &s.ID
		case len(s.Elements) > 0 && s.Elements[0].IsDeleted:
			if p.DeletedLists == nil {
				p.DeletedLists = map[string][]keys.ID{}
			}
			for _, element := range s.Elements {
				p.DeletedLists[field] = append(p.DeletedLists[field], element.ID)
			}
		}
	}
}

// steps sets the values of the payload's fields with the objects of an action: of those that are known, of those that
// are read now, and null where there is no object.
func (w *mutated) steps(r *run, values []*Value, at *price.Trace) {
	for i := range w.Steps {
		for _, s := range slices.Concat(w.Steps[i:i+1], w.Steps[i].Elements) {
			if s.Object != nil && !s.IsDeleted && !r.op.exec.expiry.IsMissing(s.Object) {
				r.op.written = append(r.op.written, s.Object)
			}
		}
	}
	for i := range w.mutation.Steps {
		step := &w.mutation.Steps[i]
		for _, f := range w.node.Fields {
			switch {
			case f.Kind != plan.ReadField || f.Name != step.Object:
			case step.Each != "":
				values[f.Slot] = w.elements(r, i, f, at)
			default:
				values[f.Slot] = w.step(r, i, f, at)
			}
		}
	}
}

// step returns the value of a field with the object of the i-th step.
func (w *mutated) step(r *run, i int, f *plan.Field, at *price.Trace) *Value {
	if i >= len(w.Steps) {
		return &Value{Field: f, finished: true}
	}
	return w.object(r, &w.Steps[i], f, at)
}

// elements returns the value of a field with the objects of the i-th step, one for each element of its list.
func (w *mutated) elements(r *run, i int, f *plan.Field, at *price.Trace) *Value {
	v := &Value{Field: f, finished: true}
	if i < len(w.Steps) {
		for n := range w.Steps[i].Elements {
			v.Elements = append(v.Elements, w.object(r, &w.Steps[i].Elements[n], f, at))
		}
	}
	return v
}

// object returns the value of an object of an action.
func (w *mutated) object(r *run, s *write.StepOutcome, f *plan.Field, at *price.Trace) *Value {
	if s.IsDeleted || s.Identity == nil {
		return &Value{Field: f, finished: true}
	}
	known := s.Object
	if known == nil {
		known = s.Identity
	}
	if s.Object != nil && r.op.exec.expiry.IsMissing(s.Object) {
		return &Value{Field: f, finished: true}
	}
	return r.readBelow(f, known, nil, at)
}
