package price

import (
	"maps"
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// Part is how much of an operation's units the table or one of its indexes has at worst, compared with other parts.
type Part struct {
	// Index is the name of the index, "" for the table itself.
	Index string
	// ReadUnits and WriteUnits are not negative.
	ReadUnits, WriteUnits float64
}

// Parts divides the units of an operation between the table and its indexes, sorted by name. They add up to the
// operation's Price, except where objects of several types are possible: the dearest type is then not the same one for
// each index. Units of hand-written Go are those of the table, and the entries of an item in several indexes have
// equally many.
func Parts(b *plan.Bound) []Part {
	d := divider{operation: newOperation(b), known: map[*object]map[string]Part{}}
	all := d.object(d.root)
	var parts []Part
	for _, index := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, all[index])
	}
	return parts
}

// divider divides the units of objects, each one once.
type divider struct {
	*operation
	known map[*object]map[string]Part
}

func (d *divider) object(o *object) map[string]Part {
	if all := d.known[o]; all != nil {
		return all
	}
	all := map[string]Part{}
	d.known[o] = all
	for _, n := range o.fields {
		d.own(all, n)
		for index, below := range d.below(n) {
			all[index] = all[index].plus(index, below.ReadUnits, below.WriteUnits)
		}
	}
	return all
}

func (p Part) plus(index string, reads, writes float64) Part {
	return Part{index, min(p.ReadUnits+reads, most), min(p.WriteUnits+writes, most)}
}

// own adds what a field reads and writes by itself.
func (d *divider) own(all map[string]Part, n *field) {
	reads := n.units() - n.besides.units
	if n.read != nil && n.read.Kind == design.Query && !n.isItem {
		all[n.read.Index] = all[n.read.Index].plus(n.read.Index, reads, 0)
		reads = 0
	}
	writes := n.writes
	if n.Mutation != nil && n.declared == nil {
		for _, w := range d.Arguments(n.Field).Workload().Writes {
			each := float64(w.IndexUnits()) / float64(max(1, len(w.Indexes)))
			for _, index := range w.Indexes {
				all[index] = all[index].plus(index, 0, each)
				writes -= each
			}
		}
	}
	all[""] = all[""].plus("", reads+n.besides.units, max(0, writes))
}

// below returns what is consumed below all items of a field.
func (d *divider) below(n *field) map[string]Part {
	all := map[string]Part{}
	for _, c := range n.children {
		for index, p := range d.object(c.object) {
			reads, writes := bounded(c.items*p.ReadUnits), bounded(c.items*p.WriteUnits)
			if n.mixed {
				p = all[index]
				reads, writes = max(0, reads-p.ReadUnits), max(0, writes-p.WriteUnits)
			}
			all[index] = all[index].plus(index, reads, writes)
		}
	}
	return all
}
