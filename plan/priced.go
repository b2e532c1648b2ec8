package plan

import (
	"slices"

	"github.com/partita/partita/keys"
)

// pricedObject is what is read below one object, at worst.
type pricedObject struct {
	fields []*pricedField
	// waves begin with the one that reads the object itself.
	waves []wave
	// writes are write units; otherRequests are sent by hand-written resolvers.
	writes, otherRequests float64
	// costliest is the field that is, or contains, the one with the most read units of its own; costs are those units.
	costliest *pricedField
	costs     float64
}

// pricedField is what a group of equal fields of one object reads by itself, and its children.
type pricedField struct {
	// Field is the first of the group.
	*Field
	// parent is the name of the type that has the attributes for the key condition of read; read is nil for a
	// hand-written resolver.
	parent string
	read   *keys.Field
	// via is the path in the response from the object to the field; nil except below the page of a connection.
	via []string
	// isNode is set for the Get of an edge's node.
	isNode bool
	// page is the size of a connection's page; -1 for any other field. backward is set if it is requested with last.
	page     int
	backward bool
	// partitions is how many partitions a Query reads, limit how many items it requests in each.
	partitions, limit int
	// after is how many waves after the object's own the field is read: 0 if the object's key provides the values for
	// the field's key condition.
	after int
	own   wave
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
	waves := n.waves()
	writes, others := n.writes, n.otherRequests
	for _, c := range n.children {
		writes = bounded(writes + c.items*c.object.writes)
		others = bounded(others + c.items*c.object.otherRequests)
	}
	o.fields = append(o.fields, n)
	o.writes += writes
	o.otherRequests += others
	o.waves = grown(o.waves, len(waves))
	for i, w := range waves {
		o.waves[i] = o.waves[i].plus(w, 1)
	}
	if costs := n.costs(); o.costliest == nil || costs > o.costs {
		o.costliest, o.costs = n, costs
	}
}

// waves returns what is sent for the field and its children, from the wave of the parent on.
func (n *pricedField) waves() []wave {
	waves := make([]wave, n.after+1)
	waves[n.after] = n.own
	var below []wave
	for _, c := range n.children {
		below = grown(below, len(c.object.waves))
		for i, w := range c.object.waves {
			w = wave{}.plus(w, c.items)
			if n.mixed {
				below[i] = below[i].max(w)
			} else {
				below[i] = below[i].plus(w, 1)
			}
		}
	}
	waves = grown(waves, n.after+len(below))
	for i, w := range below {
		waves[n.after+i] = waves[n.after+i].plus(w, 1)
	}
	return waves
}

// costs returns the most read units of a single field, this one or one below.
func (n *pricedField) costs() float64 {
	costs := n.own.allUnits()
	for _, c := range n.children {
		costs = max(costs, bounded(c.items*c.object.costs))
	}
	return costs
}

// hasCost reports whether anything is read or written for the field or below it.
func (n *pricedField) hasCost() bool {
	n.children = slices.DeleteFunc(n.children, func(c pricedChild) bool { return len(c.object.fields) == 0 })
	return len(n.children) > 0 || n.own != (wave{}) || n.writes > 0
}

// chain returns the fields from the root to the one with the most read units of its own.
func (o *pricedObject) chain() []*pricedField {
	var chain []*pricedField
	for o != nil && o.costliest != nil && o.costs > 0 {
		n := o.costliest
		chain = append(chain, n)
		if n.own.allUnits() >= o.costs {
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
