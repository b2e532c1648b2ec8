package loaders

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Estimate is the worst-case cost of an operation, computed before anything is read.
//
// ReadUnits is an upper bound of what the operation consumes if the table fits the design: all
// items are within their type's maxBytes and all collections within their atMost. It does not
// include tombstones that a Query reads until they are removed, nor the entries of a sharded index
// with the same sort key as a cursor, beyond one page of them. A field without @get and @query is
// assumed to read each stored object that it returns by a Get, unless it has a @cost.
type Estimate struct {
	// ReadUnits and WriteUnits are capacity units, at most 1e12.
	ReadUnits, WriteUnits float64
	// Requests, at most 1e12, and Waves are those of the plan.
	Requests, Waves int

	root *objectNode
}

// most is the greatest number in an Estimate.
const most = 1e12

// Estimator computes Estimates. Its methods may be called concurrently.
type Estimator struct {
	design *keys.Design
	schema *ast.Schema
}

// NewEstimator returns the Estimator of a schema and its design.
func NewEstimator(design *keys.Design, schema *ast.Schema) *Estimator {
	return &Estimator{design, schema}
}

// Estimate returns the worst-case cost of a validated operation with coerced variables. It reads
// nothing.
func (e *Estimator) Estimate(request *graphql.OperationContext) Estimate {
	return e.capped(request, nil)
}

// capped is Estimate with page sizes replaced by what pageCap returns; nil for no cap.
func (e *Estimator) capped(request *graphql.OperationContext, pageCap func(*ast.Field, int) int) Estimate {
	p := &estimatePlanner{
		boundOperation: boundOperation{design: e.design, request: request},
		schema:         e.schema,
		strong:         isConsistent(request),
		pageCap:        pageCap,
		objects:        make(map[objectKey]*objectNode),
	}
	return estimateOf(p.operation())
}

func estimateOf(root *objectNode) Estimate {
	est := Estimate{root: root, WriteUnits: min(root.writes, most)}
	requests := root.otherRequests
	for _, w := range root.waves {
		if w != (readCapacity{}) {
			est.Waves++
		}
		requests += w.requests()
		est.ReadUnits += w.units
	}
	est.ReadUnits = min(est.ReadUnits, most)
	est.Requests = int(min(requests, most))
	return est
}

// objectNode is the plan of what is read below one object, at worst.
type objectNode struct {
	fields []*fieldNode
	// waves begin with the one that reads the object itself.
	waves []readCapacity
	// writes are write units; otherRequests are sent by hand-written resolvers.
	writes, otherRequests float64
	// costliest is the field that is, or contains, the one with the most read units of its own;
	// costs are those units.
	costliest *fieldNode
	costs     float64
}

// fieldNode is the plan of a field of one object: what it reads by itself, and its children.
type fieldNode struct {
	parent string
	group  []graphql.CollectedField
	field  *keys.Field
	args   map[string]any
	values func(name string) keys.Value
	// page is the size of a connection's page; -1 for any other field.
	page int
	// partitions is how many partitions a Query reads, limit how many items it requests in each.
	partitions, limit int
	// keys are those of the global ids of node and nodes.
	keys []keys.Key
	// after is how many waves after the object's own the field is read: 0 if the object's key
	// provides the values for the field's key condition.
	after int
	own   readCapacity
	// writes are write units; otherRequests are sent by a hand-written resolver.
	writes, otherRequests float64
	children              []child
	// mixed is set if each item has only one of the children, that of its type.
	mixed bool
}

// child is the plan below each item of a field.
type child struct {
	items  float64
	object *objectNode
}

// add adds the plan of a field.
func (o *objectNode) add(n *fieldNode) {
	waves := n.waves()
	writes, others := n.writes, n.otherRequests
	for _, c := range n.children {
		writes = bounded(writes + c.items*c.object.writes)
		others = bounded(others + c.items*c.object.otherRequests)
	}
	o.fields = append(o.fields, n)
	o.writes += writes
	o.otherRequests += others
	for i, w := range waves {
		o.waves = grown(o.waves, i+1)
		o.waves[i] = o.waves[i].plus(w, 1)
	}
	if costs := n.costs(); o.costliest == nil || costs > o.costs {
		o.costliest, o.costs = n, costs
	}
}

// waves returns what is sent for the field and its children, from the wave of the parent on.
func (n *fieldNode) waves() []readCapacity {
	waves := make([]readCapacity, n.after+1)
	waves[n.after] = n.own
	var below []readCapacity
	for _, c := range n.children {
		for i, w := range c.object.waves {
			below = grown(below, i+1)
			w = readCapacity{}.plus(w, c.items)
			if n.mixed {
				below[i] = below[i].max(w)
			} else {
				below[i] = below[i].plus(w, 1)
			}
		}
	}
	for i, w := range below {
		waves = grown(waves, n.after+i+1)
		waves[n.after+i] = waves[n.after+i].plus(w, 1)
	}
	return waves
}

// costs returns the most read units of a single field, this one or one below.
func (n *fieldNode) costs() float64 {
	costs := n.own.units
	for _, c := range n.children {
		costs = max(costs, bounded(c.items*c.object.costs))
	}
	return costs
}

// grown returns the waves, extended to at least n.
func grown(waves []readCapacity, n int) []readCapacity {
	for len(waves) < n {
		waves = append(waves, readCapacity{})
	}
	return waves
}
