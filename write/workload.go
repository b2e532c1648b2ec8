package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// WorkloadOf returns what a mutation reads and writes at worst for an input, or with nil for any input. Each item
// counts with the maximum size of its type. The size of a claim follows from the values of the input, and where these
// are not known from what its key and the id of its holder can have at most. An input without a change reads and
// writes nothing but the object.
//
// As for Transaction.Units, this is one attempt: what is sent again after a conflict is not part of it.
func WorkloadOf(d *design.Design, m *design.Mutation, in *Input) Workload {
	return (&planner{d: d, m: m, t: d.Type(m.Type), in: in}).workload()
}

// WorstWorkloadOf is WorkloadOf for any input that has an id and the same attributes, whatever their values.
func WorstWorkloadOf(d *design.Design, m *design.Mutation, in *Input) Workload {
	return (&planner{d: d, m: m, t: d.Type(m.Type), in: in, isWorst: true}).workload()
}

func (x *planner) workload() Workload {
	if x.t == nil {
		return Workload{}
	}
	switch x.m.Kind {
	case design.CreateMutation:
		x.create()
	case design.UpdateMutation:
		x.update()
	case design.ActionMutation:
		x.act()
	default:
		x.delete()
	}
	if len(x.work.Writes) > 0 {
		x.member()
	}
	if !x.work.IsSingle() {
		x.work.double()
	}
	return x.work
}

// objects adds a write of each stored item of the object.
func (x *planner) objects(kind ActionKind) {
	x.item(ObjectPart, kind, x.t, 0, nil)
	for n := range x.t.Copies {
		x.item(CopyPart, kind, x.t, n+1, nil)
	}
}

func (x *planner) claim(kind ActionKind, u design.Unique, isNew bool) {
	w := ItemWrite{Part: ClaimPart, Kind: kind, Type: u.Claim, Shape: u.Shape(), Attribute: u.Attribute}
	x.add(w, x.claimBytes(u, isNew), 0)
}

func (x *planner) count(c *design.Counter) {
	changes := func(names ...string) bool { return slices.Contains(names, c.Attribute) }
	x.item(CounterPart, ActionUpdate, x.d.Type(c.Parent), 0, changes).Attribute = c.Attribute
}

func (x *planner) create() {
	if x.m.HasIdempotencyKey && (x.in == nil || x.in.IdempotencyKey != "") {
		// The claim, and the object if an earlier attempt has created it.
		x.read(max(otherBytes, onceBytes+x.holderBytes(nil)))
		x.read(x.t.MaxBytes)
		t := idempotency(x.d, x.t)
		once := ItemWrite{Part: OncePart, Kind: ActionPut, Type: t.Type, Shape: t.shape()}
		x.add(once, max(otherBytes, onceBytes+x.holderBytes(x.in)), 0)
	}
	x.objects(ActionPut)
	for _, u := range x.t.Uniques {
		if x.in == nil || x.sets(u.Attribute) {
			x.claim(ActionPut, u, true)
		}
	}
	for _, c := range x.d.CountersOf(x.t) {
		isSet := func(name string) bool { return slices.Contains(x.t.Identity, name) || x.sets(name) }
		if !slices.ContainsFunc(c.Identity, func(name string) bool { return !isSet(name) }) {
			x.count(c)
		}
	}
}

func (x *planner) update() {
	x.read(x.t.MaxBytes)
	if x.in != nil && !x.in.Changes(x.d, x.m) {
		return
	}
	x.item(ObjectPart, ActionUpdate, x.t, 0, x.sets)
	for n, c := range x.t.Copies {
		if !x.sets(append(c.PK.Variables(), c.SK.Variables()...)...) {
			kind := ActionUpdate
			if c.Latest != "" && x.sets(c.Latest) {
				kind = ActionPut
			}
			x.item(CopyPart, kind, x.t, n+1, x.sets)
			continue
		}
		if readsMoved(x.d, c) {
			x.read(x.t.MaxBytes)
		}
		x.item(CopyPart, ActionPut, x.t, n+1, nil)
		if c.Latest != "" { // A tombstone remains.
			x.item(CopyPart, ActionPut, x.t, n+1, nil)
		} else {
			x.item(CopyPart, ActionDelete, x.t, n+1, nil)
		}
	}
	for _, u := range x.t.Uniques {
		if !x.sets(u.Key.Variables()...) {
			if x.t.Expires != "" && x.sets(x.t.Expires) { // The claim expires with the object.
				x.claim(ActionPut, u, false)
			}
			continue
		}
		if !x.hasValues() || !x.sets(u.Attribute) || x.value(u.Attribute) != "" {
			x.claim(ActionPut, u, true)
		}
		x.claim(ActionDelete, u, false)
	}
	for _, c := range x.d.CountersOf(x.t) {
		if x.sets(c.Identity...) {
			x.count(c)
			x.count(c)
		}
	}
}

func (x *planner) delete() {
	if readsBeforeDelete(x.d, x.m) {
		x.read(x.t.MaxBytes)
	}
	x.deleted()
}

func (x *planner) deleted() {
	x.objects(ActionDelete)
	for _, u := range x.t.Uniques {
		x.claim(ActionDelete, u, false)
	}
	for _, c := range x.d.CountersOf(x.t) {
		x.count(c)
	}
}

// Changes reports whether the input of an update has an attribute to change.
func (in *Input) Changes(d *design.Design, m *design.Mutation) bool {
	t := d.Type(m.Type)
	return len(in.Remove) > 0 || slices.ContainsFunc(in.Set, func(a item.Attribute) bool { return isChange(t, m, a.Name) })
}

// isChange reports whether an attribute of the input of an update is one to change: neither part of the identity nor
// the id of the viewer.
func isChange(t *design.Type, m *design.Mutation, name string) bool {
	return name != m.Viewer && !slices.Contains(t.Identity, name)
}

// readsBeforeDelete is that of a design for the object of a mutation, on whose owner and members it may depend.
func readsBeforeDelete(d *design.Design, m *design.Mutation) bool {
	t, needed := d.Type(m.Type), memberKeys(m)
	if len(m.Members) > 0 && t.Attribute(m.Owner) != nil {
		needed = append(needed, m.Owner)
	}
	return d.ReadsBeforeDelete(t, m.Owner, needed...)
}
