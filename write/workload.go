package write

import (
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
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
	x.member()
	if !x.work.IsSingle() {
		x.work.double()
	}
	return x.work
}

// objects adds a write of each stored item of the object, that of the base item on conditions.
func (x *planner) objects(kind ActionKind, conditions func() []Precondition) {
	x.require(x.item(ObjectPart, kind, x.t, 0, nil), conditions)
	for n := range x.t.Copies {
		x.copied(n, kind, nil)
	}
}

// copied adds a write of the n-th copy of the object. One that holds the latest of several has a condition.
func (x *planner) copied(n int, kind ActionKind, changes func(...string) bool) {
	w, c := x.item(CopyPart, kind, x.t, n+1, changes), x.t.Copies[n]
	x.require(w, func() []Precondition {
		switch {
		case c.Latest != "" && kind == ActionPut:
			return []Precondition{IfBelow(c.Latest, placeholder(c.Latest))}
		case c.Latest != "":
			return []Precondition{x.ifLatest(c)}
		case kind == ActionUpdate:
			return []Precondition{IfExists()}
		}
		return nil
	})
}

func (x *planner) claim(kind ActionKind, u design.Unique, isNew bool) {
	w := ItemWrite{Part: ClaimPart, Kind: kind, Type: u.Claim, Shape: u.Shape(), Attribute: u.Attribute}
	x.require(x.add(w, x.claimBytes(u, isNew), 0), func() []Precondition {
		if isNew {
			return []Precondition{IfMissing()}
		}
		return []Precondition{x.ifHeld(u)}
	})
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
	x.require(w, func() []Precondition { return x.ifCountable(counters, isMore, isLess, w.isRead) })
	for n := range parent.Copies {
		x.onlyIf(x.item(CopyPart, ActionUpdate, parent, n+1, changes), IfExists())
	}
}

// countersByParent returns the counters that count the object, together those of one parent: one action changes them.
func (x *planner) countersByParent() [][]*design.Counter {
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
		// The object, if an earlier attempt has created it, after its claim if that attempt was a moment ago.
		x.work.ReadUnits += capacity.Get(max(otherBytes, onceBytes+x.holderBytes(nil)), true)
		x.read(x.t.MaxBytes)
		t := idempotency(x.d, x.t)
		once := ItemWrite{Part: OncePart, Kind: ActionPut, Type: t.Type, Shape: t.shape()}
		x.onlyIf(x.add(once, max(otherBytes, onceBytes+x.holderBytes(x.in)), 0), IfMissing())
	}
	x.objects(ActionPut, func() []Precondition { return []Precondition{IfMissing()} })
	for _, u := range x.t.Uniques {
		if (x.in == nil || x.sets(u.Attribute)) && mayHold(u.Where, x.known) {
			x.claim(ActionPut, u, true)
		}
	}
	for _, of := range x.countersByParent() {
		isUnset := func(name string) bool { return !slices.Contains(x.t.Identity, name) && !x.sets(name) }
		if !slices.ContainsFunc(of[0].Identity, isUnset) {
			x.count(slices.DeleteFunc(of, func(c *design.Counter) bool { return !x.mayCount(c) }), true, false)
		}
	}
	x.above()
}

func (x *planner) update() {
	if !x.d.ReadsBeforeUpdate(x.m, x.changed()) {
		x.require(x.item(ObjectPart, ActionUpdate, x.t, 0, x.sets), func() []Precondition {
			return append(ifIdentified(x.t, placeholder), x.ifOwned()...)
		})
		return
	}
	x.read(x.t.MaxBytes)
	if x.in != nil && !x.in.Changes(x.d, x.m) {
		return
	}
	x.require(x.item(ObjectPart, ActionUpdate, x.t, 0, x.sets), x.ifUpdated)
	for n, c := range x.t.Copies {
		if !x.sets(append(c.PK.Variables(), c.SK.Variables()...)...) {
			kind := ActionUpdate
			if c.Latest != "" && x.sets(c.Latest) {
				kind = ActionPut
			}
			x.copied(n, kind, x.sets)
			continue
		}
		if readsMoved(x.d, c) {
			x.read(x.t.MaxBytes)
		}
		x.moved(n, c)
	}
	for _, u := range x.t.Uniques {
		x.updateClaim(u)
	}
	for _, of := range x.countersByParent() {
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
	x.above()
}

// moved adds the writes of a copy that gets another key.
func (x *planner) moved(n int, c design.Copy) {
	if c.Latest != "" { // A tombstone remains.
		x.copied(n, ActionPut, nil)
		x.require(x.item(CopyPart, ActionPut, x.t, n+1, nil), func() []Precondition { return []Precondition{x.ifLatest(c)} })
		return
	}
	x.onlyIf(x.item(CopyPart, ActionPut, x.t, n+1, nil), IfMissing())
	x.onlyIf(x.item(CopyPart, ActionDelete, x.t, n+1, nil), IfExists())
}

// updateClaim adds what an update changes of the claim of a unique value.
func (x *planner) updateClaim(u design.Unique) {
	mayHold := mayHold(u.Where, x.given)
	switch {
	case !x.sets(u.Sources()...):
		if x.t.Expires != "" && x.sets(x.t.Expires) { // The claim expires with the object.
			x.claim(ActionPut, u, false)
		}
	case !x.sets(u.Key.Variables()...) && mayHold:
		x.claim(ActionPut, u, false) // or the same claim is deleted
	default:
		if mayHold && (!x.hasValues() || !x.sets(u.Attribute) || x.value(u.Attribute) != "") {
			x.claim(ActionPut, u, true)
		}
		x.claim(ActionDelete, u, false)
	}
}

// mayCount reports whether a new object may have a share in a counter, by the values of it that are known.
func (x *planner) mayCount(c *design.Counter) bool {
	v, isKnown := x.known(c.Of)
	n, err := item.AsInt(v)
	return mayHold(c.Where, x.known) && (!isKnown || err == nil && n != 0)
}

// mayHold reports whether an object may fulfil a condition afterwards, by the values of it that are known.
func mayHold(where predicate.Predicate, known func(string) (v item.Value, isKnown bool)) bool {
	return !slices.ContainsFunc(where.Comparisons, func(c predicate.Comparison) bool {
		v, isKnown := known(c.Field)
		return isKnown && !c.Holds(v, nil)
	})
}

// known returns the value of an attribute of a new object, if it is known.
func (x *planner) known(name string) (v item.Value, isKnown bool) {
	a := x.t.Attribute(name)
	v, isKnown = x.given(name)
	if !isKnown && x.hasValues() && a != nil && a.NonNull && a.Default.Kind != item.Null {
		return a.Default, true
	}
	return v, isKnown
}

// given returns the value that the mutation gives an attribute, if it is known.
func (x *planner) given(name string) (v item.Value, isKnown bool) {
	if a := x.t.Attribute(name); a == nil || a.Kind == keys.IDKind {
		return item.Value{}, false
	}
	if v, isKnown = x.set.Get(name); isKnown || !x.hasValues() {
		return v, isKnown
	}
	return x.in.Set.Get(name)
}

func (x *planner) delete() {
	isRead := readsBeforeDelete(x.d, x.m)
	if isRead {
		x.read(x.t.MaxBytes)
	}
	if x.d.IsSwept(x.t) {
		x.softDeleted()
		return
	}
	x.deleted(isRead)
	x.deletedBelow(x.t, 1)
}

// deleted adds what deletes an object, which may have been read before.
func (x *planner) deleted(isRead bool) {
	x.objects(ActionDelete, func() []Precondition {
		conditions := append([]Precondition{IfExists()}, uncounted(x.d, x.t)...)
		return append(append(conditions, x.asItWas(isRead)...), x.ifCounted()...)
	})
	x.left(nil)
}

// ifCounted returns the conditions that the counters of what is deleted with the object are as they were read.
func (x *planner) ifCounted() []Precondition {
	var conditions []Precondition
	for _, f := range x.d.Below(x.t) {
		for _, name := range f.Types {
			if counter := x.d.CounterOf(f, name); counter != "" {
				conditions = append(conditions, IfEquals(counter, valueAsRead(counter)))
			}
		}
	}
	return conditions
}

// left adds what an object leaves that is deleted: its claims and its counters, but that of the collection it is in.
func (x *planner) left(in *design.Field) {
	for _, u := range x.t.Uniques {
		x.claim(ActionDelete, u, false)
	}
	for _, of := range x.countersByParent() {
		if !slices.ContainsFunc(of, func(c *design.Counter) bool { return isIn(c, in) }) {
			x.count(slices.DeleteFunc(of, isSequence), false, true)
		}
	}
}

// isIn reports whether a counter counts the collection of a field, which is nil for none.
func isIn(c *design.Counter, f *design.Field) bool {
	return f != nil && c.Parent == f.Parent && c.Field == f.Name
}

// softDeleted adds what turns an object into a tombstone.
func (x *planner) softDeleted() {
	w := x.item(ObjectPart, ActionUpdate, x.t, 0, func(...string) bool { return false })
	x.require(w, func() []Precondition {
		return append(append([]Precondition{IfExists()}, uncounted(x.d, x.t)...), x.unchanged()...)
	})
	for n := range x.t.Copies {
		x.copied(n, ActionDelete, nil)
	}
	x.left(nil)
	shape := keys.Shape{PK: keys.MustTemplate(string(DeletionsPK)), SK: keys.MustTemplate("{deletedAt}")}
	x.add(ItemWrite{Part: DeletionPart, Kind: ActionPut, Type: DeletionType, Shape: shape}, otherBytes, 0)
}

// deletedBelow adds what is read and deleted below so many objects of a type.
func (x *planner) deletedBelow(t *design.Type, times int) {
	for _, f := range x.d.Below(t) {
		x.query(f, times)
		var worst []ItemWrite
		for _, name := range f.Types {
			one := &planner{d: x.d, m: x.m, t: x.d.Type(name), explains: x.explains, isBelow: true}
			one.objects(ActionDelete, func() []Precondition {
				conditions := append([]Precondition{IfExists()}, asRead(one.d, one.t, standIn(one.t))...)
				return append(conditions, one.ifCounted()...)
			})
			one.left(f)
			for i := range one.work.Writes {
				w := &one.work.Writes[i]
				if w.Part == ObjectPart || w.Part == CopyPart {
					w.Part = BelowPart
				}
				w.Times, w.Units = times*f.AtMost, times*f.AtMost*w.Units
			}
			one.deletedBelow(one.t, times*f.AtMost)
			x.work.Reads += one.work.Reads
			x.work.ReadUnits += one.work.ReadUnits
			if one.work.Units() > (Workload{Writes: worst}).Units() {
				worst = one.work.Writes
			}
		}
		x.work.Writes = append(x.work.Writes, worst...)
	}
}

// SweepUnits is what a sweep consumes at worst for an object of a type.
type SweepUnits struct {
	Type  string
	Units int
}

// SweepUnitsOf returns what a sweep consumes after a mutation, by the types of the objects that it removes: those below
// a deleted one, and finally that one itself, whose tombstone and item in the list are deleted.
func SweepUnitsOf(d *design.Design, m *design.Mutation) []SweepUnits {
	var all []SweepUnits
	swept := map[string]bool{}
	if m.Kind == design.DeleteMutation {
		swept[m.Type] = d.IsSwept(d.Type(m.Type))
	}
	for _, s := range m.Steps {
		swept[s.Type] = swept[s.Type] || s.Kind == design.DeleteStep && len(d.Below(d.Type(s.Type))) > 0
	}
	for _, t := range d.Types {
		if swept[t.Name] {
			all = append(sweepUnits(d, t, all), SweepUnits{t.Name, finishUnits(t)})
		}
	}
	return all
}

// finishUnits returns what a sweep consumes for the tombstone of an object, whose index entries have been deleted
// before, and for its item in the list.
func finishUnits(t *design.Type) int { return capacity.Write(t.MaxBytes) + capacity.Write(otherBytes) }

// sweepUnits returns those of the types below, but of those that are known already.
func sweepUnits(d *design.Design, t *design.Type, known []SweepUnits) []SweepUnits {
	for _, f := range d.Below(t) {
		for _, name := range f.Types {
			if slices.ContainsFunc(known, func(u SweepUnits) bool { return u.Type == name }) {
				continue
			}
			one := &planner{d: d, t: d.Type(name)}
			if d.IsWhole(one.t) {
				one.objects(ActionDelete, nil)
				one.left(nil)
				one.deletedBelow(one.t, 1)
			} else {
				one.softDeleted()
			}
			if d.CounterOf(f, name) == "" { // The tombstone is checked.
				one.add(ItemWrite{Part: ParentPart, Kind: ActionCheck, Type: t.Name, Shape: t.Item}, t.MaxBytes, 0)
			}
			one.work.double()
			if known = append(known, SweepUnits{name, one.work.Units()}); !d.IsWhole(one.t) {
				known[len(known)-1].Units += finishUnits(one.t)
				known = sweepUnits(d, one.t, known)
			}
		}
	}
	return known
}

// query adds the Queries that read a collection of so many objects. One item more is asked for than there can be.
func (x *planner) query(f *design.Field, times int) {
	bytes := 0
	for _, name := range f.Types {
		bytes = max(bytes, x.d.Type(name).MaxBytes)
	}
	requests, units := capacity.Spread(len(f.Shards()), f.AtMost+1, bytes, true)
	x.work.Reads += times * requests
	x.work.ReadUnits += float64(times) * units
}

// above adds the checks of the objects below which an object is created, or moved by an update.
func (x *planner) above() {
	for _, p := range x.d.ParentsOf(x.t) {
		if x.m.Kind == design.UpdateMutation && !x.sets(p.Identity...) {
			continue
		}
		t := x.d.Type(p.Parent)
		w := ItemWrite{Part: ParentPart, Kind: ActionCheck, Type: t.Name, Shape: t.Item}
		x.onlyIf(x.add(w, t.MaxBytes, 0), IfExists())
	}
}

// Changes reports whether the input of an update has an attribute to change.
func (in *Input) Changes(d *design.Design, m *design.Mutation) bool {
	return len(in.changed(d.Type(m.Type), m)) > 0
}

// changed returns the attributes that an update sets or removes.
func (in *Input) changed(t *design.Type, m *design.Mutation) []string {
	names := slices.Clone(in.Remove)
	for _, a := range in.Set {
		if isChange(t, m, a.Name) {
			names = append(names, a.Name)
		}
	}
	return names
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
