package write

import (
	"fmt"
	"math"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// Before an object is read, the conditions of its write follow from one that stands for it, whose values are
// placeholders. The functions that make them are those of the write itself.

// ExplainedWorkloadOf is WorkloadOf with the conditions of each write, or WorstWorkloadOf if isWorst is set. Values
// that follow from the input, from its Owner or from an object that is read are placeholders, such as {version}.
func ExplainedWorkloadOf(d *design.Design, m *design.Mutation, in *Input, isWorst bool) Workload {
	x := &planner{d: d, m: m, t: d.Type(m.Type), in: in, isWorst: isWorst, explains: true}
	if in.Owner != "" {
		x.owner = m.Owner
	}
	return x.workload()
}

// placeholder returns what stands for a value.
func placeholder(text string) item.Value { return item.StringValue("{" + text + "}") }

// valueAsRead returns what stands for the value that is read of an attribute.
func valueAsRead(name string) item.Value { return placeholder(name + " as read") }

// standIn returns an object that stands for one of the type.
func standIn(t *design.Type) item.Item {
	it := item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
	for _, a := range t.Attributes {
		it = append(it, item.Attribute{Name: a.Name, Value: valueAsRead(a.Name)})
	}
	for _, ix := range t.Indexes {
		for _, name := range [...]string{keys.IndexPK(ix.Name), keys.IndexSK(ix.Name)} {
			it = with(it, name, valueAsRead(name))
		}
	}
	return it
}

// onlyIf adds a condition to a write, if the plan has them.
func (x *planner) onlyIf(w *ItemWrite, c Precondition) {
	if x.explains {
		w.If = append(w.If, c)
	}
}

// require is onlyIf for conditions that are not made otherwise, because each mutation is priced.
func (x *planner) require(w *ItemWrite, conditions func() []Precondition) {
	if x.explains {
		w.If = append(w.If, conditions()...)
	}
}

// unchanged returns the conditions that the object is as it was read. The version is that of the input, unless it is
// the object of a step.
func (x *planner) unchanged() []Precondition {
	version := placeholder(x.t.Version)
	if x.isStep {
		version = valueAsRead(x.t.Version)
	}
	return unchangedObject(x.d, x.t, standIn(x.t), version)
}

// ifOwned returns the conditions on an object that is not read before.
func (x *planner) ifOwned() []Precondition {
	var conditions []Precondition
	if x.t.Version != "" && !x.isStep {
		conditions = append(conditions, IfEquals(x.t.Version, placeholder(x.t.Version)))
	}
	if x.owner != "" {
		conditions = append(conditions, ifOwnedBy(x.t, x.owner, placeholder(keys.ViewerVariable)))
	}
	return conditions
}

// asItWas returns the conditions on the object of a deletion, or of a step that is no update.
func (x *planner) asItWas(isRead bool) []Precondition {
	if isRead {
		return x.unchanged()
	}
	return x.ifOwned()
}

// kept returns the condition that nested values are as they were read, which an update sets and keeps what is beside.
func (x *planner) kept() []Precondition {
	var assumed item.Item
	for _, a := range x.t.Attributes {
		if a.Kind == keys.Other && x.sets(a.Name) {
			assumed = append(assumed, item.Attribute{Name: a.Name, Value: valueAsRead(a.Name)})
		}
	}
	if assumed == nil {
		return nil
	}
	return []Precondition{IfHolds(assumed)}
}

// ifUpdated returns the conditions of the base item of an update of an object that is read.
func (x *planner) ifUpdated() []Precondition {
	conditions := append([]Precondition{IfExists()}, x.kept()...)
	if slices.ContainsFunc(x.t.Copies, x.moves) {
		conditions = append(conditions, whole(x.d, x.t, standIn(x.t))...)
	}
	for _, a := range x.t.Attributes {
		if a.Transitions != nil && x.sets(a.Name) {
			conditions = append(conditions, IfEquals(a.Name, valueAsRead(a.Name)))
		}
	}
	return append(conditions, x.unchanged()...)
}

// moves reports whether a copy gets another key, or another object if it is that of the latest.
func (x *planner) moves(c design.Copy) bool {
	return x.sets(append(c.PK.Variables(), c.SK.Variables()...)...) || c.Latest != "" && x.sets(c.Latest)
}

// ifLatest returns the condition that a copy holds the object.
func (x *planner) ifLatest(c design.Copy) Precondition {
	return IfHolds(Distinguishing(x.t, c, standIn(x.t)))
}

// ifHeld returns the condition that the object holds the claim of a value.
func (x *planner) ifHeld(u design.Unique) Precondition {
	return UniqueClaims(x.t, u).ifHeld(placeholder(fieldID))
}

// ifCountable returns the conditions on an object to whose counters something is added, or from which it is subtracted.
func (x *planner) ifCountable(counters []*design.Counter, isMore, isLess, isRead bool) []Precondition {
	conditions := []Precondition{IfExists()}
	if x.isBelow {
		conditions[0] = IfStored()
	}
	for _, c := range counters {
		if isSequence(c) {
			conditions = append(conditions, IfEquals(c.Attribute, valueAsRead(c.Attribute)))
		}
	}
	if parent := x.d.Type(counters[0].Parent); x.d.HasCopiedCounters(parent) {
		for _, name := range x.d.CopyKeys(parent) {
			conditions = append(conditions, IfEquals(name, valueAsRead(name)))
		}
	}
	for _, c := range counters {
		for _, e := range limitsOf(c) {
			// What is added to a sum may be negative.
			if c.Of != "" || isMore && !e.isMin || isLess && e.isMin {
				conditions = append(conditions, x.ifWithin(e, isRead)...)
			}
		}
	}
	return conditions
}

// ifWithin returns the conditions by which a counter is within a bound afterwards.
func (x *planner) ifWithin(e exceeded, isRead bool) []Precondition {
	var conditions []Precondition
	limit, by := fmt.Sprint(e.bound.Number), "1"
	switch isNumber := e.bound.Attribute == ""; {
	case isNumber && e.Of == "":
		if e.limit, e.by = e.bound.Number, 1; e.isMin {
			e.by = -1
		}
		return []Precondition{e.condition()}
	case !isNumber && e.Of == "" && !isRead:
		return []Precondition{IfCompares(e.Attribute, e.strictly(), item.Attribute{Name: e.bound.Attribute})}
	case !isNumber:
		limit = e.bound.Attribute
		conditions = append(conditions, IfEquals(limit, valueAsRead(limit)))
	}
	if e.Of != "" {
		by = e.Of
	}
	within := Precondition{Kind: PreconditionAtMost, Name: e.Attribute, Value: placeholder(limit + " - " + by)}
	if e.isMin {
		within.Kind, within.Value = PreconditionAtLeast, placeholder(limit+" + "+by)
	}
	return append(conditions, within)
}

// ifMember returns the conditions on the item of a member.
func (x *planner) ifMember(m *design.Member) []Precondition {
	conditions := []Precondition{IfExists()}
	if readsMember(x.d, x.m, m) {
		conditions = append(conditions, ifMember(x.d, m, standIn(x.d.Type(m.Type)))...)
	}
	return conditions
}

// ifMet returns the comparisons of the condition of a step of an action that are sent.
func (x *planner) ifMet(of *design.Mutation, s *design.Step) []Precondition {
	var all []Precondition
	for _, c := range s.If.Comparisons {
		var others item.Item
		for _, o := range c.Values {
			switch {
			case o.Kind != predicate.Variable:
				others = append(others, item.Attribute{Value: o.Value(nil)})
			case of.IsFieldOf(x.t, o.Text):
				others = append(others, item.Attribute{Name: o.Text})
			default:
				others = append(others, item.Attribute{Value: placeholder(o.Text)})
			}
		}
		all = append(all, IfCompares(c.Field, c.Op, others...))
	}
	return sentOf(x.t, all)
}

// ifAdded returns the conditions of a step that sets values of an object without a read, and adds to them.
func (x *planner) ifAdded(s *design.Step) []Precondition {
	var conditions []Precondition
	for _, set := range s.Set {
		a := x.t.Attribute(set.Attribute)
		if a == nil || a.Transitions == nil {
			continue
		}
		conditions = append(conditions, IfCompares(a.Name, predicate.In, x.ways(a, set)...))
	}
	for _, add := range s.Add {
		least, most := boundsOf(x.t, add.Attribute)
		op, bound := predicate.AtMost, fmt.Sprintf("%d - %s", most, add.Value.Text)
		if add.IsNegative {
			op, bound = predicate.AtLeast, fmt.Sprintf("%d + %s", least, add.Value.Text)
		}
		conditions = append(conditions, IfCompares(add.Attribute, op, item.Attribute{Value: placeholder(bound)}))
	}
	if x.t.Version != "" {
		conditions = append(conditions, IfAtMost(x.t.Version, math.MaxInt32-1))
	}
	return conditions
}

// ways returns the values from which an attribute becomes the one that is set.
func (x *planner) ways(a *design.Attribute, set design.Assignment) []item.Attribute {
	if set.Value.Kind == predicate.Variable {
		return []item.Attribute{{Value: placeholder("what becomes " + set.Value.Text)}}
	}
	var all []item.Attribute
	for _, from := range a.Transitions.From(set.Value.Text) {
		all = append(all, item.Attribute{Value: item.StringValue(from)})
	}
	if !a.NonNull && a.Transitions.Starts(set.Value.Text) {
		all = append(all, item.Attribute{})
	}
	return all
}
