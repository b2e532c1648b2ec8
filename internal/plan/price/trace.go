package price

import (
	"cmp"

	"github.com/partita/partita/internal/plan"
)

// Trace is a field at a place of an operation that is measured. It has the ids of the field's Reads in the Explanation,
// so that what they consume can be compared with it. Its methods accept nil, for an operation that is not measured and
// for a field that the Explanation does not have.
type Trace struct {
	// first and last are the ids of the field's Reads, one for each wave. items is that of the Gets of the items whose
	// entries in an index are incomplete, members that of the Gets of the members that decide about it.
	first, last, items, members int
	// below are the fields of the objects that the field returns, node is that of the nodes of a connection's edges.
	below map[traceKey]*Trace
	node  *Trace
	// isMutation is set for the root of a mutation, whose fields share no Reads.
	isMutation bool
}

// traceKey identifies a group of equal fields of an object.
type traceKey struct{ parent, field string }

// TraceOf returns the Trace of the root of an operation.
func TraceOf(b *plan.Bound) *Trace { return explain(b).trace }

// Field returns the Trace of a field of an object that the field of t returns. For the parts of a connection, or of an
// event, that are not read by themselves, it is t.
func (t *Trace) Field(f *plan.Field) *Trace {
	if t == nil {
		return nil
	}
	switch f.Kind {
	case plan.EdgesField, plan.NodeField, plan.EdgeField:
		return t
	case plan.NodesField, plan.ItemField:
		return cmp.Or(t.node, t)
	}
	return t.below[t.keyOf(f)]
}

func (t *Trace) keyOf(f *plan.Field) traceKey {
	if t.isMutation {
		return traceKey{f.Parent, f.Alias}
	}
	return traceKey{f.Parent, f.GroupKey()}
}

// ReadID returns the id of the Reads that the field sends in the wave after those with the id before, which is 0 for
// the first wave. It is 0 for a field without Reads.
func (t *Trace) ReadID(before int) int {
	switch {
	case t == nil:
		return 0
	case before == 0:
		return t.first
	}
	return min(before+1, t.last)
}

// ItemsID returns the id of the Gets of the items whose entries in an index are incomplete.
func (t *Trace) ItemsID() int {
	if t == nil {
		return 0
	}
	return t.items
}

// MembersID returns the id of the Gets of the members that decide about the field.
func (t *Trace) MembersID() int {
	if t == nil {
		return 0
	}
	return t.members
}

// add returns the Trace of a field below t.
func (t *Trace) add(n *field) *Trace {
	if n.isItem || n.isMember {
		return t
	}
	key := t.keyOf(n.Field)
	if n.isNode {
		key = traceKey{n.parent, plan.NodeName}
	}
	if t.below == nil {
		t.below = make(map[traceKey]*Trace)
	}
	below := &Trace{}
	t.below[key] = below
	if n.isNode {
		t.node = below
	}
	return below
}

// addMembers adds the id of the Gets of members that decide about the field.
func (t *Trace) addMembers(id int) { t.members = id }

// addRead adds the id of Reads of the field.
func (t *Trace) addRead(n *field, id int) {
	switch {
	case n.isItem:
		t.items = id
	case t.first == 0:
		t.first, t.last = id, id
	default:
		t.last = id
	}
}
