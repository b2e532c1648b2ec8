package loaders

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Estimate is what an operation takes of the table at worst, known before
// anything is read.
//
// ReadUnits are never below what the operation consumes while the table holds
// what the design says and nothing else: items within their type's maxBytes,
// collections within their atMost. Not in it are items marked as deleted that a Query meets until
// they are gone, and more entries of a sharded index with a cursor's own sort key
// than a page holds. A field that has neither @get nor @query is taken to read
// each stored object that it returns by a Get, unless @cost says otherwise.
type Estimate struct {
	// ReadUnits and WriteUnits are capacity units. They stop at 1e12.
	ReadUnits, WriteUnits float64
	// Requests and Waves are those of the plan; they stop at 1e12.
	Requests, Waves int

	root *level
}

// most is where an Estimate stops counting.
const most = 1e12

// Estimator computes Estimates. It may be used by many operations at the same
// time.
type Estimator struct {
	design *keys.Design
	schema *ast.Schema
}

// NewEstimator makes the Estimator of a schema and its design.
func NewEstimator(design *keys.Design, schema *ast.Schema) *Estimator {
	return &Estimator{design, schema}
}

// Estimate is the worst case of a validated operation with coerced variables. It
// reads nothing.
func (e *Estimator) Estimate(request *graphql.OperationContext) Estimate {
	return e.capped(request, nil)
}

// capped is Estimate with pages no larger than the cap says; nil for no cap.
func (e *Estimator) capped(request *graphql.OperationContext, pageCap func(*ast.Field, int) int) Estimate {
	a := &appraisal{
		outline: outline{design: e.design, request: request},
		schema:  e.schema,
		strong:  isConsistent(request),
		pageCap: pageCap,
		levels:  make(map[levelKey]*level),
	}
	return estimateOf(a.operation())
}

func estimateOf(root *level) Estimate {
	est := Estimate{root: root, WriteUnits: min(root.writes, most)}
	requests := root.otherRequests
	for _, w := range root.waves {
		if w != (tally{}) {
			est.Waves++
		}
		requests += w.requests()
		est.ReadUnits += w.units
	}
	est.ReadUnits = min(est.ReadUnits, most)
	est.Requests = int(min(requests, most))
	return est
}

// level is what is read below one object.
type level struct {
	steps []*step
	// waves are counted from the one that reads the object itself.
	waves []tally
	// writes are write units, otherRequests what mutations send by themselves.
	writes, otherRequests float64
	// costliest is the step that leads to the field with the most read units of its
	// own; costs are these.
	costliest *step
	costs     float64
}

// step is a field below one object, with what it reads.
type step struct {
	parent string
	group  []graphql.CollectedField
	field  *keys.Field
	args   map[string]any
	values func(name string) keys.Value
	// page is the size of a connection's page; -1 for any other field.
	page int
	// partitions is over how many partitions a Query goes, limit how many items it
	// asks for in each.
	partitions, limit int
	// keys are those of Gets that global ids name.
	keys []keys.Key
	// after is in how many waves from the object's own the field is read: 0 when the
	// object's key tells the field's keys.
	after int
	own   tally
	// writes are write units, otherRequests what a mutation sends by itself.
	writes, otherRequests float64
	below                 []branch
	// mixed is set when each item takes only one of the branches.
	mixed bool
}

// branch is what follows from each item of a step.
type branch struct {
	items float64
	level *level
}

// add puts a step into the level.
func (l *level) add(s *step) {
	waves := s.waves()
	writes, others := s.writes, s.otherRequests
	for _, b := range s.below {
		writes = bounded(writes + b.items*b.level.writes)
		others = bounded(others + b.items*b.level.otherRequests)
	}
	l.steps = append(l.steps, s)
	l.writes += writes
	l.otherRequests += others
	for i, w := range waves {
		l.waves = grown(l.waves, i+1)
		l.waves[i] = l.waves[i].plus(w, 1)
	}
	if costs := s.costs(); l.costliest == nil || costs > l.costs {
		l.costliest, l.costs = s, costs
	}
}

func (s *step) waves() []tally {
	waves := make([]tally, s.after+1)
	waves[s.after] = s.own
	var below []tally
	for _, b := range s.below {
		for i, w := range b.level.waves {
			below = grown(below, i+1)
			w = tally{}.plus(w, b.items)
			if s.mixed {
				below[i] = tally{max(below[i].queries, w.queries), max(below[i].gets, w.gets), max(below[i].units, w.units)}
				continue
			}
			below[i] = below[i].plus(w, 1)
		}
	}
	for i, w := range below {
		waves = grown(waves, s.after+i+1)
		waves[s.after+i] = waves[s.after+i].plus(w, 1)
	}
	return waves
}

// costs is the most that one field reads by itself, this one or one below.
func (s *step) costs() float64 {
	costs := s.own.units
	for _, b := range s.below {
		costs = max(costs, bounded(b.items*b.level.costs))
	}
	return costs
}

func grown(waves []tally, n int) []tally {
	for len(waves) < n {
		waves = append(waves, tally{})
	}
	return waves
}
