package loaders

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
)

// run reads values and everything that is selected below them, wave by wave. One goroutine uses it.
type run struct {
	op     *Operation
	gets   map[keys.Key]*state
	ranges map[plan.Read]*state
	// pending are the Reads of the next wave.
	pending []*state
	// deferred are Gets of objects below which nothing depends on their items: existence checks, and attributes of the
	// object itself. They wait if a later wave probably has Gets anyway, and are sent with the first BatchGetItem, or
	// when nothing else is left to read.
	deferred []*state
	// waiting are the values whose Reads are not done.
	waiting []*Value
	// expected are the values that edited resolvers will probably ask for: those of their fields' directives.
	expected []*Value
	pace     Pace
}

func (op *Operation) newRun() *run { return &run{op: op} }

// readRange returns the state of a Range, which it registers for the next wave unless it is known.
func (r *run) readRange(read plan.Read) *state {
	if s := r.ranges[read]; s != nil {
		return s
	}
	s := r.op.newState(keys.Key{}, &read)
	if s.done {
		return s
	}
	if r.ranges == nil {
		r.ranges = make(map[plan.Read]*state)
	}
	r.ranges[read] = s
	r.pending = append(r.pending, s)
	return s
}

// get returns the state of a Get, which it registers unless it is known: for the next wave, or if later is set as
// deferred. A Get that is already known remains as consistent as it is: the one of a subscription comes first.
func (r *run) get(key keys.Key, later, consistent bool) *state {
	s := r.gets[key]
	switch {
	case s == nil:
		s = r.op.newState(key, nil)
		if s.consistent = consistent; s.done {
			return s
		}
		if r.gets == nil {
			r.gets = make(map[keys.Key]*state)
		}
		r.gets[key] = s
	case s.deferred && !later:
		r.deferred = slices.DeleteFunc(r.deferred, func(d *state) bool { return d == s })
	default:
		return s
	}
	if s.deferred = later; later {
		r.deferred = append(r.deferred, s)
	} else {
		r.pending = append(r.pending, s)
	}
	return s
}
