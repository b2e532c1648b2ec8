package loaders

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// run reads values and everything that is selected below them, wave by wave. One goroutine uses it.
type run struct {
	op     *Operation
	gets   map[keys.Key]*state
	ranges map[plan.Read]*state
	// likely is how many Gets the object or list has of which the first one is registered.
	likely int
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

	values     slab[Value]
	states     slab[state]
	conditions slab[design.Condition]
	pages      slab[Page]
}

// Read reads everything in a query that does not depend on Go code. It returns the root object.
func (op *Operation) Read() *Instance {
	r := &run{op: op}
	r.fill(&op.root, nil, op.trace())
	r.all()
	op.prune(&op.root)
	r.prime()
	return &op.root
}

// all reads until nothing is left to read.
func (r *run) all() {
	for {
		if len(r.pending) == 0 {
			r.pending, r.deferred = r.deferred, nil
		}
		if len(r.pending) == 0 {
			return
		}
		var requests []plannedRequest
		requests, r.deferred = requestsOf(r.op.engine.design, r.pending, r.deferred)
		r.pending = nil
		r.op.exec.run(r.op.ctx, requests)
		for _, req := range requests {
			r.op.checked(req)
			r.readAgain(req)
		}
		r.advance()
	}
}

// readAgain registers Gets that their Query has not reached: for the next wave, or as deferred if they were.
func (r *run) readAgain(req plannedRequest) {
	for _, s := range req.gets {
		switch {
		case !s.again:
			s.deferred = false
			continue
		case s.deferred:
			r.deferred = append(r.deferred, s)
		default:
			r.pending = append(r.pending, s)
		}
		s.again, s.alone = false, true
	}
}

// readRange returns the state of a Range, which it registers for the next wave unless it is known.
func (r *run) readRange(read plan.Read) *state {
	if s := r.ranges[read]; s != nil {
		return s
	}
	s := r.op.setState(r.states.next(), keys.Key{}, &read)
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
		if r.gets == nil {
			r.gets = make(map[keys.Key]*state, r.likely)
			r.states.expect(r.likely)
			r.pending = slices.Grow(r.pending, r.likely)
			r.waiting = slices.Grow(r.waiting, r.likely)
		}
		s = r.op.setState(r.states.next(), key, nil)
		if s.consistent = consistent; s.done {
			return s
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
