package price

import (
	"slices"

	"github.com/partita/partita/keys/design"
)

// pricedObject is what is read below one object, at worst.
type pricedObject struct {
	fields []*pricedField
	// phases are the waves of what does not depend on Go code, then of what hand-written resolvers read after that, of
	// the resolvers below these, and so on. The waves of the first phase begin with the one that reads the object.
	phases [][]wave
	// writes are write units; otherRequests are sent by hand-written resolvers.
	writes, otherRequests float64
	// costliest is the field that is, or contains, the one with the most read units of its own; costs are those units.
	costliest *pricedField
	costs     float64
}

// pricedField is what a group of equal fields of one object reads by itself, and its children.
type pricedField struct {
	// The field is the first of the group.
	step
	// parent is the name of the type that has the attributes for the key condition of read; read is nil for a
	// hand-written resolver.
	parent string
	read   *design.Field
	// via is the path in the response from the object to the field; nil except below the page of a connection.
	via []string
	// isNode is set for the Get of an edge's node, isItem for that of an item whose entry in an index is incomplete.
	isNode, isItem bool
	// partitions is how many partitions a Query reads, limit how many items it requests in each. buckets are those of
	// each wave if they are time buckets that are read in order.
	partitions, limit int
	buckets           []int
	// phase is the one of the object's phases in which the field is read: 1 for a hand-written resolver.
	phase int
	// after is how many waves after the object's own, or after the beginning of a later phase, the field is read: 0 if
	// the object's key provides the values for the field's key condition.
	after int
	// own is the wave that reads the field; rest are the further waves of a page of time buckets.
	own  wave
	rest []wave
	// writes are write units; otherRequests are sent by a hand-written resolver.
	writes, otherRequests float64
	children              []pricedChild
	// mixed is set if each item has only one of the children, that of its type.
	mixed bool
}

// pricedChild is the price below each item of a field.
type pricedChild struct {
	items    float64
	typeName string
	// via is the path in the response from the field to the items; nil except for the nodes of a connection.
	via    []string
	object *pricedObject
}

// add adds the price of a field.
func (o *pricedObject) add(n *pricedField) {
	writes, others := n.writes, n.otherRequests
	for _, c := range n.children {
		writes = bounded(writes + c.items*c.object.writes)
		others = bounded(others + c.items*c.object.otherRequests)
	}
	o.fields = append(o.fields, n)
	o.writes += writes
	o.otherRequests += others
	for i, waves := range n.phases() {
		o.addWaves(i, waves)
	}
	if costs := n.costs(); o.costliest == nil || costs > o.costs {
		o.costliest, o.costs = n, costs
	}
}

// addWaves adds waves to a phase.
func (o *pricedObject) addWaves(phase int, waves []wave) {
	for len(o.phases) <= phase {
		o.phases = append(o.phases, nil)
	}
	o.phases[phase] = grown(o.phases[phase], len(waves))
	for i, w := range waves {
		o.phases[phase][i] = o.phases[phase][i].plus(w, 1)
	}
}

// phases returns what is sent for the field and its children, in the phases of its object.
func (n *pricedField) phases() [][]wave {
	var below pricedObject
	for _, c := range n.children {
		for i, waves := range c.object.phases {
			if len(below.phases) <= i {
				below.addWaves(i, nil)
			}
			below.phases[i] = n.together(below.phases[i], waves, c.items)
		}
	}
	phases := make([][]wave, max(n.phase+1, n.phase+len(below.phases)))
	last := n.after + len(n.rest)
	phases[n.phase] = make([]wave, last+1)
	phases[n.phase][n.after] = n.own
	copy(phases[n.phase][n.after+1:], n.rest)
	for i, waves := range below.phases {
		if i > 0 {
			phases[n.phase+i] = waves
			continue
		}
		phases[n.phase] = grown(phases[n.phase], last+len(waves))
		for k, w := range waves {
			phases[n.phase][last+k] = phases[n.phase][last+k].plus(w, 1)
		}
	}
	return phases
}

// together returns the waves of all children so far with those below the items of one more.
func (n *pricedField) together(all, waves []wave, items float64) []wave {
	all = grown(all, len(waves))
	for i, w := range waves {
		w = wave{}.plus(w, items)
		if n.mixed {
			all[i] = all[i].max(w)
		} else {
			all[i] = all[i].plus(w, 1)
		}
	}
	return all
}

// costs returns the most read units of a single field, this one or one below.
func (n *pricedField) costs() float64 {
	costs := n.units()
	for _, c := range n.children {
		costs = max(costs, bounded(c.items*c.object.costs))
	}
	return costs
}

// units returns the read units of the field itself.
func (n *pricedField) units() float64 {
	units := n.own.allUnits()
	for _, w := range n.rest {
		units += w.units
	}
	return units
}

// hasCost reports whether anything is read or written for the field or below it.
func (n *pricedField) hasCost() bool {
	n.children = slices.DeleteFunc(n.children, func(c pricedChild) bool { return len(c.object.fields) == 0 })
	return len(n.children) > 0 || n.own != (wave{}) || n.writes > 0
}

// chain returns the fields from the root to the one with the most read units of its own.
func (o *pricedObject) chain() []step {
	var chain []step
	for o != nil && o.costliest != nil && o.costs > 0 {
		n := o.costliest
		if !n.isItem {
			chain = append(chain, n.step)
		}
		if n.units() >= o.costs {
			return chain
		}
		costs := o.costs
		o = nil
		for _, c := range n.children {
			if bounded(c.items*c.object.costs) >= costs {
				o = c.object
			}
		}
	}
	return chain
}
