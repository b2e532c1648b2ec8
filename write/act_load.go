package write

import (
	"slices"
	"time"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// ReturnsStep reports whether the object of a step of an action is known when the action has been carried out, whatever
// the input is, so that it need not be read.
func ReturnsStep(d *design.Design, m *design.Mutation, s *design.Step) bool {
	isRead := (s.Kind == design.UpdateStep || s.Kind == design.UpsertStep) && d.ReadsBefore(m, s)
	return s.Kind == design.CreateStep || isRead && !m.HasIdempotencyKey || WorkloadOf(d, m, nil).IsSingle()
}

// act plans the steps of an action.
func (x *planner) act() {
	x.m = x.m.Expanded(x.length)
	isRead := false
	for i := range x.m.Steps {
		s := &x.m.Steps[i]
		x.work = x.with(s)
		if isBatched := x.d.ReadsBefore(x.m, s) && readsElement(x.m, s); isBatched && isRead {
			x.work.Reads-- // Its object is read with those of the other elements.
		} else {
			isRead = isRead || isBatched
		}
	}
	x.readLimits()
	if x.m.HasIdempotencyKey && (x.in == nil || x.in.IdempotencyKey != "") {
		x.once()
	}
	if x.isOverList() {
		x.work.group()
	}
	s := &x.m.Steps[0]
	x.work.isTransaction = s.Kind == design.UpdateStep && !x.d.ReadsBefore(x.m, s) && !endsItself(x.d.Type(s.Type), s)
}

// with returns the work with a step. That of an UpsertStep is the dearer one of a creation and an update.
func (x *planner) with(s *design.Step) Workload {
	x.work.Writes = slices.Clip(x.work.Writes)
	own := func(s *design.Step) *planner {
		own := &planner{
			d: x.d, t: x.d.Type(s.Type), m: x.stepMutation(s), set: constants(s), work: x.work,
			explains: x.explains, isStep: true,
		}
		if x.m.IsFirst(s) {
			own.owner = x.owner
		}
		return own
	}
	if s.Kind != design.UpsertStep {
		one := own(s)
		one.step(x.m, s)
		return one.work
	}
	t := x.d.Type(s.Type)
	created, updated := own(s.As(design.CreateStep, t)), own(s.As(design.UpdateStep, t))
	created.read(t.MaxBytes)
	created.create()
	at := len(updated.work.Writes)
	updated.update()
	updated.require(&updated.work.Writes[at], func() []Precondition { return updated.ifMet(x.m, s) })
	dearer := updated.work
	if created.work.Units() > updated.work.Units() {
		dearer = created.work
	}
	dearer.Reads = max(created.work.Reads, updated.work.Reads)
	dearer.ReadUnits = max(created.work.ReadUnits, updated.work.ReadUnits)
	return dearer
}

// readLimits plans the reads of objects to whose counters several steps may add, if a limit is another attribute: then
// no comparison of the two says whether it is kept.
func (x *planner) readLimits() {
	for _, parent := range x.d.Types {
		isCompared := func(c *design.Counter) bool {
			return c.Max != nil && c.Max.Attribute != "" || c.Min != nil && c.Min.Attribute != ""
		}
		if !slices.ContainsFunc(x.d.CountersIn(parent), isCompared) {
			continue
		}
		counts := 0
		for _, w := range x.work.Writes {
			if w.Part == CounterPart && w.Type == parent.Name && !w.isRead {
				counts++
			}
		}
		for range counts / 2 {
			x.read(parent.MaxBytes)
		}
	}
}

// once plans the claim of the idempotency key, and the reads of what an earlier attempt has created. The claim is read
// before anything else is: what is stored of the objects has changed since that attempt.
func (x *planner) once() {
	once := onceOf(x.d, x.m.Name, 1)
	bytes := max(otherBytes, onceBytes+uuidBytes)
	if x.work.ReadUnits += capacity.Get(bytes, true); x.work.Reads > 0 || len(x.m.Members) > 0 {
		x.work.Reads++
	}
	for i := range x.m.Steps {
		if s := &x.m.Steps[i]; s.Kind == design.CreateStep {
			x.read(x.d.Type(s.Type).MaxBytes)
		}
	}
	w := x.add(ItemWrite{Part: OncePart, Kind: ActionPut, Type: once.Type, Shape: once.shape()}, bytes, 0)
	x.onlyIf(w, IfMissing())
}

// constants returns the values that a step sets whatever the input is.
func constants(s *design.Step) item.Item {
	var all item.Item
	for _, a := range s.Set {
		if a.Value.Kind != predicate.Variable {
			all = append(all, item.Attribute{Name: a.Attribute, Value: a.Value.Value(nil)})
		}
	}
	return all
}

// stepMutation returns the mutation that does to the object of a step what the step does, for the fields that the input
// has.
func (x *planner) stepMutation(s *design.Step) *design.Mutation {
	m := &design.Mutation{Name: x.m.Name, Kind: ownKind(s.Kind), Type: s.Type, Now: s.Times(x.d.Type(s.Type)), HasID: true}
	for _, a := range s.Set {
		isLeft := func() bool {
			_, isGiven := x.in.Set.Find(a.Value.Text)
			return a.IsTaken && !isGiven && !slices.Contains(x.in.Remove, a.Value.Text)
		}
		if x.in == nil || !isLeft() {
			m.Inputs = append(m.Inputs, a.Attribute)
		}
	}
	for _, a := range s.Add {
		m.Inputs = append(m.Inputs, a.Attribute)
	}
	return m
}

// step plans a step of an action.
func (x *planner) step(of *design.Mutation, s *design.Step) {
	if s.Kind == design.CreateStep {
		x.create()
		return
	}
	at := len(x.work.Writes)
	x.existing(s, x.d.ReadsBefore(of, s))
	x.require(&x.work.Writes[at], func() []Precondition { return x.ifMet(of, s) })
}

// existing plans what a step does to an object that there is.
func (x *planner) existing(s *design.Step, reads bool) {
	switch {
	case s.Kind == design.UpdateStep && reads:
		x.update()
		return
	case reads:
		x.read(x.t.MaxBytes)
	}
	switch s.Kind {
	case design.UpdateStep:
		x.require(x.item(ObjectPart, ActionUpdate, x.t, 0, x.sets), func() []Precondition {
			return append(append([]Precondition{IfExists()}, x.ifOwned()...), x.ifAdded(s)...)
		})
	case design.DeleteStep:
		if len(x.d.Below(x.t)) > 0 {
			x.softDeleted()
			return
		}
		x.deleted(reads)
	case design.CheckStep:
		w := x.add(ItemWrite{Part: ObjectPart, Kind: ActionCheck, Type: s.Type, Shape: x.t.Item}, x.t.MaxBytes, 0)
		x.require(w, func() []Precondition { return append([]Precondition{IfExists()}, x.asItWas(reads)...) })
	}
}

// endsItself reports whether the condition of an update does not hold any more once it is carried out, whatever the
// input is: then it can be sent without a token.
func endsItself(t *design.Type, s *design.Step) bool {
	for _, set := range s.Set {
		if t.Attribute(set.Attribute).Transitions != nil && !set.IsTaken {
			return true // no value becomes itself
		}
		for _, c := range s.If.Comparisons {
			isUnknown := func(o predicate.Operand) bool {
				isTime := o.Text == predicate.Now && t.Attribute(c.Field).Kind == keys.Time
				return o.Kind == predicate.Variable && !isTime
			}
			if c.Field != set.Attribute || isUnknown(set.Value) || slices.ContainsFunc(c.Values, isUnknown) {
				continue
			}
			if !c.Holds(set.Value.Value(anyNow), anyNow) {
				return true
			}
		}
	}
	return false
}

// anyNow returns the value of {now} with an offset: which time it is makes no difference for comparisons with others.
func anyNow(o predicate.Operand) item.Value { return item.TimeValue(o.Time(time.Unix(0, 0))) }
