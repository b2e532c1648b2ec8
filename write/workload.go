package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
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

// count adds the change of counters of one object, to which something is added or subtracted. The object is read if one
// of them has a limit that only a read finds.
func (x *planner) count(counters []*design.Counter, isMore, isLess bool) {
	if len(counters) == 0 {
		return
	}
	changes := func(names ...string) bool {
		return slices.ContainsFunc(counters, func(c *design.Counter) bool { return slices.Contains(names, c.Attribute) })
	}
	parent := x.d.Type(counters[0].Parent)
	w := x.item(CounterPart, ActionUpdate, parent, 0, changes)
	w.Attribute = counters[0].Attribute
	for _, c := range counters[1:] {
		w.Others = append(w.Others, c.Attribute)
	}
	w.isRead = slices.ContainsFunc(counters, func(c *design.Counter) bool {
		return (isMore || c.Of != "") && x.d.ReadsBound(c, c.Max) || (isLess || c.Of != "") && x.d.ReadsBound(c, c.Min)
	})
	w.isRead = w.isRead || slices.ContainsFunc(counters, isOnDemand) || slices.ContainsFunc(counters, isSequence) ||
		x.d.HasCopiedCounters(parent) && len(x.d.CopyKeys(parent)) > 0
	if w.isRead {
		x.read(parent.MaxBytes)
	}
	for n := range parent.Copies {
		x.item(CopyPart, ActionUpdate, parent, n+1, changes)
	}
}

// parents returns the counters that count the object, together those of one parent: one action changes them.
func (x *planner) parents() [][]*design.Counter {
	var all [][]*design.Counter
	for _, c := range x.d.CountersOf(x.t) {
		isSame := func(of []*design.Counter) bool {
			return of[0].Parent == c.Parent && slices.Equal(of[0].Identity, c.Identity)
		}
		if i := slices.IndexFunc(all, isSame); i >= 0 {
			all[i] = append(all[i], c)
		} else {
			all = append(all, []*design.Counter{c})
		}
	}
	return all
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
	for _, of := range x.parents() {
		isUnset := func(name string) bool { return !slices.Contains(x.t.Identity, name) && !x.sets(name) }
		if !slices.ContainsFunc(of[0].Identity, isUnset) {
			x.count(slices.DeleteFunc(of, func(c *design.Counter) bool { return !x.mayCount(c) }), true, false)
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
	for _, of := range x.parents() {
		of = slices.DeleteFunc(of, isSequence)
		switch isMoved := len(of) > 0 && x.sets(of[0].Identity...); {
		case isMoved:
			isLeft := func(name string) bool { return x.in != nil && slices.Contains(x.in.Remove, name) }
			if !slices.ContainsFunc(of[0].Identity, isLeft) {
				x.count(of, true, false)
			}
			x.count(of, false, true)
		default:
			x.count(slices.DeleteFunc(of, func(c *design.Counter) bool { return !x.sets(c.Sources()...) }), true, true)
		}
	}
}

// mayCount reports whether a new object may have a share in a counter, by the values of it that are known.
func (x *planner) mayCount(c *design.Counter) bool {
	for _, one := range c.Where.Comparisons {
		if v, isKnown := x.known(one.Field); isKnown && !one.Holds(v, nil) {
			return false
		}
	}
	v, isKnown := x.known(c.Of)
	n, err := item.AsInt(v)
	return !isKnown || err == nil && n != 0
}

// known returns the value of an attribute of a new object, if it is known.
func (x *planner) known(name string) (v item.Value, isKnown bool) {
	a := x.t.Attribute(name)
	if a == nil || a.Kind == keys.IDKind {
		return item.Value{}, false
	}
	if v, isKnown = x.set.Get(name); isKnown || !x.hasValues() {
		return v, isKnown
	}
	if v, isKnown = x.in.Set.Get(name); !isKnown && a.NonNull && a.Default.Kind != item.Null {
		return a.Default, true
	}
	return v, isKnown
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
	for _, of := range x.parents() {
		x.count(slices.DeleteFunc(of, isSequence), false, true)
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
