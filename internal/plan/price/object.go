package price

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// object is what is read below one object, at worst.
type object struct {
	fields []*field
	total
}

// total is what the fields of an object and everything below them cost together. It depends on the sizes of pages.
type total struct {
	// phases are the waves of what does not depend on Go code, then of what hand-written resolvers read after that, of
	// the resolvers below these, and so on. The waves of the first phase begin with the one that reads the object.
	phases [][]wave
	// writes are write units; otherRequests are sent by hand-written resolvers.
	writes, otherRequests float64
	// costliest is the field that is, or contains, the one with the most read units of its own; costs are those units.
	costliest *field
	costs     float64
}

// field is what a group of equal fields of one object reads by itself, and its children.
type field struct {
	// The field is the first of the group.
	step
	// parent is the name of the type that has the attributes for the key condition of read; read is nil for a
	// hand-written resolver.
	parent string
	read   *design.Field
	// via is the path in the response from the object to the field; nil except below the page of a connection.
	via []string
	// isNode is set for the Get of an edge's node, isItem for that of an item whose entry in an index is incomplete, and
	// isMember for those of the members that only an item shows.
	isNode, isItem, isMember bool
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
	// besides are the Gets of members that decide about the field, in the wave that reads it.
	besides wave
	members []member
	// declared is what the field's @cost declares; nil if it has none.
	declared *plan.Declared
	// writes are write units; otherRequests are sent by a hand-written resolver.
	writes, otherRequests float64
	children              []child
	// mixed is set if each item has only one of the children, that of its type.
	mixed bool
}

// child is the price below each item of a field.
type child struct {
	items    float64
	typeName string
	// via is the path in the response from the field to the items; nil except for the nodes of a connection.
	via    []string
	object *object
}

// isDescending reports whether a Query begins at the end of its range.
func (n *field) isDescending() bool { return n.read.Descending != n.backward }

// A step is a field on the way to the most expensive one.
type step struct {
	*plan.Field
	// page is the size of a connection's page; -1 for any other field. backward is set if it is requested with last.
	page     int
	backward bool
}

// direction returns the argument that has the page's size: first or last.
func (n step) direction() string {
	if n.backward {
		return "last"
	}
	return "first"
}

// name returns the name of the field as a message shows it, with the size of its page.
func (n step) name() string {
	if n.page < 0 {
		return n.Name
	}
	return fmt.Sprintf("%s(%s: %d)", n.Name, n.direction(), n.page)
}

// pathOf returns the path to a field as a message shows it.
func pathOf(chain []step) string {
	names := make([]string, len(chain))
	for i, n := range chain {
		names[i] = n.name()
	}
	return strings.Join(names, ".")
}

// sum adds up what an object's fields cost.
func (o *object) sum() {
	o.total = total{}
	for _, n := range o.fields {
		o.add(n)
	}
}

// add adds what a field costs.
func (t *total) add(n *field) {
	writes, others := n.writes, n.otherRequests
	for _, c := range n.children {
		writes = bounded(writes + c.items*c.object.writes)
		others = bounded(others + c.items*c.object.otherRequests)
	}
	t.writes += writes
	t.otherRequests += others
	for i, waves := range n.phases() {
		t.addWaves(i, waves)
	}
	if costs := n.costs(); t.costliest == nil || costs > t.costs {
		t.costliest, t.costs = n, costs
	}
}

// addWaves adds waves to a phase.
func (t *total) addWaves(phase int, waves []wave) {
	for len(t.phases) <= phase {
		t.phases = append(t.phases, nil)
	}
	t.phases[phase] = grown(t.phases[phase], len(waves))
	for i, w := range waves {
		t.phases[phase][i] = t.phases[phase][i].plus(w, 1)
	}
}

// phases returns what is sent for the field and its children, in the phases of its object.
func (n *field) phases() [][]wave {
	var below total
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
	phases[n.phase][n.after] = n.own.plus(n.besides, 1)
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
func (n *field) together(all, waves []wave, items float64) []wave {
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
func (n *field) costs() float64 {
	costs := n.units()
	for _, c := range n.children {
		costs = max(costs, bounded(c.items*c.object.costs))
	}
	return costs
}

// units returns the read units of the field itself.
func (n *field) units() float64 {
	units := n.own.allUnits() + n.besides.units
	for _, w := range n.rest {
		units += w.units
	}
	return units
}

// hasCost reports whether anything is read or written for the field or below it.
func (n *field) hasCost() bool {
	n.children = slices.DeleteFunc(n.children, func(c child) bool { return len(c.object.fields) == 0 })
	return len(n.children) > 0 || n.own != (wave{}) || n.besides != (wave{}) || n.writes > 0
}

// chain returns the fields from the root to the one with the most read units of its own.
func (o *object) chain() []step {
	var chain []step
	for o != nil && o.costliest != nil && o.costs > 0 {
		n := o.costliest
		if !n.isItem && !n.isMember {
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

// addDeclared adds what the field's @cost declares.
func (n *field) addDeclared() {
	if d := n.declared; d != nil {
		n.own.units += d.ReadUnits
		n.writes, n.otherRequests = d.WriteUnits, d.Requests
	}
}

// setItems sets of how many items of the field there is something below them.
func (n *field) setItems(items int) {
	for i := range n.children {
		n.children[i].items = float64(items)
	}
}
