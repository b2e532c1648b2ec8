package write

import (
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Workload is what a mutation reads and writes at worst.
type Workload struct {
	// Reads are the requests before the write, each strongly consistent: for single items, and for what is below an
	// object that is deleted. ReadUnits are their units.
	Reads     int
	ReadUnits float64
	// Writes are the items that are written: in one transaction, or by a single write if there is one.
	Writes []ItemWrite
	// isTransaction is set if the write of one item may need a token.
	isTransaction bool
}

// ItemWrite is the write of one item.
type ItemWrite struct {
	Part ItemPart
	Kind ActionKind
	// Type is the stored type of the item, or the value of the type attribute of a claim.
	Type string
	// Shape are the templates of the item's key.
	Shape keys.Shape
	// Attribute is the unique attribute of a claim, or the counter; "" for others. Others are further counters.
	Attribute string
	Others    []string
	// Indexes are the indexes in which an entry is written.
	Indexes []string
	// Units are the write units, those of the index entries included.
	Units int
	// Times is how many such items are written; 0 is one.
	Times int
	// If are the conditions of the write: only ExplainedWorkloadOf and [WritesOf] return them.
	If []Precondition

	// bytes is the largest size of the item, and entries how often index entries are written.
	bytes, entries int
	// isRead is set for an object with counters that is read before.
	isRead bool
}

// ItemPart is what an item is to the mutation that writes it.
type ItemPart uint8

// The parts of a mutation: the object's base item, a copy, the claim of a unique value, the parent with a counter,
// the claim of an idempotency key, the item of a member, the object below which an object is created, what is below one
// that is deleted, and its item in the list of the sweep.
const (
	ObjectPart ItemPart = iota
	CopyPart
	ClaimPart
	CounterPart
	OncePart
	MemberPart
	ParentPart
	BelowPart
	DeletionPart
)

// Units returns the sum of the write units.
func (w Workload) Units() int {
	units := 0
	for _, one := range w.Writes {
		units += one.Units
	}
	return units
}

// IndexUnits returns which of the Units are those of entries in Indexes together.
func (w ItemWrite) IndexUnits() int { return max(1, w.Times) * w.entries * capacity.Write(w.bytes) }

// Items returns how many items are written.
func (w Workload) Items() int {
	n := 0
	for _, one := range w.Writes {
		n += max(1, one.Times)
	}
	return n
}

// IsSingle reports whether the mutation is a single write and not a transaction.
func (w Workload) IsSingle() bool { return w.Items() == 1 && !w.isTransaction }

// double adds the units of a second write of each item: a transaction writes each of its items twice.
func (w *Workload) double() {
	for i := range w.Writes {
		w.Writes[i].Units += max(1, w.Writes[i].Times) * capacity.Write(w.Writes[i].bytes)
	}
}

// planner collects the Workload of a mutation.
type planner struct {
	d  *design.Design
	m  *design.Mutation
	t  *design.Type
	in *Input
	// isWorst is set if the values of the input are examples.
	isWorst bool
	// set are the values that a step of an action sets whatever the input is.
	set item.Item
	// elements is how many elements the lists of an action have; 0 for those of the input.
	elements int
	// explains is set if the writes get their conditions. owner is then the attribute that must have the id of the viewer
	// as its owner, "" for none; isStep is set for a step of an action, and isBelow for what is deleted below an object.
	explains, isStep, isBelow bool
	owner                     string
	work                      Workload
}

// sets reports whether the mutation sets or removes one of the attributes.
func (x *planner) sets(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		switch {
		case slices.Contains(x.m.Now, name), name == x.t.Version:
			return true
		case name == x.m.Viewer:
			return x.m.Kind == design.CreateMutation
		case x.in == nil:
			return slices.Contains(x.m.Inputs, name)
		default:
			_, given := x.in.Set.Get(name)
			return given || slices.Contains(x.in.Remove, name)
		}
	})
}

// changed returns the attributes that an update sets or removes.
func (x *planner) changed() []string {
	if x.in != nil {
		return x.in.changed(x.t, x.m)
	}
	return slices.DeleteFunc(slices.Clone(x.m.Inputs), func(name string) bool { return !isChange(x.t, x.m, name) })
}

// hasValues reports whether the values of the input are known, not just which attributes it has.
func (x *planner) hasValues() bool { return x.in != nil && !x.isWorst }

// value returns the text that the input gives an attribute; "" if it is not known.
func (x *planner) value(name string) string {
	if !x.hasValues() {
		return ""
	}
	return x.in.Set.Text(name)
}

func (x *planner) read(maxBytes int) {
	x.work.Reads++
	x.work.ReadUnits += capacity.Get(maxBytes, true)
}

// add adds a write of an item of so many bytes. entries are how often index entries are written.
func (x *planner) add(w ItemWrite, bytes, entries int) *ItemWrite {
	each := capacity.Write(bytes)
	w.Units, w.bytes, w.entries = each+entries*each, bytes, entries
	x.work.Writes = append(x.work.Writes, w)
	return &x.work.Writes[len(x.work.Writes)-1]
}

// item adds a write of the n-th stored item of an object of a type: 0 is the base item. changes reports whether an
// update changes one of the attributes; nil for none.
func (x *planner) item(part ItemPart, kind ActionKind, t *design.Type, n int, changes func(...string) bool) *ItemWrite {
	w := ItemWrite{Part: part, Kind: kind, Type: t.Name, Shape: t.Shapes()[n]}
	entries := 0
	place := map[string]int{}
	for _, ix := range t.Indexes {
		if place[ix.Name]++; place[ix.Name] != n+1 {
			continue // the entry of another item
		}
		entries++
		if kind == ActionUpdate && changes(append(ix.PK.Variables(), ix.SK.Variables()...)...) {
			entries++ // The old entry is deleted.
		}
		w.Indexes = append(w.Indexes, ix.Name)
	}
	return x.add(w, t.MaxBytes, entries)
}
