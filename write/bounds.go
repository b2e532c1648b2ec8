package write

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// DynamoDB compares what an item has before a write, and computes nothing in a condition. So what a counter must be
// afterwards is a condition on what it is before, which depends on all that the transaction adds to it. A counter below
// a limit that is another attribute can take one more; what is more than that needs the value of the limit. The object
// is read for it, unless it is known from a failure.

// exceeded is a counter that would not be within one of its bounds.
type exceeded struct {
	*design.Counter
	key keys.Key
	// bound is the limit that would not be kept, and limit its value. isMin is set for Min.
	bound *design.Bound
	limit int
	isMin bool
	// value is what the counter would be, and by what is added to it.
	value, by int
	// isLimit is set if the write changes the limit.
	isLimit bool
}

// settle creates objects on demand, lets copies have the counters that the actions of a transaction change, and puts
// conditions in place of the bounds that must be kept. It returns those that are known not to be.
func (x *mutation) settle(ctx context.Context, tx *Transaction) ([]exceeded, error) {
	if err := x.createParents(ctx, tx); err != nil {
		return nil, err
	}
	if err := x.copyCounts(ctx, tx); err != nil {
		return nil, err
	}
	var all []exceeded
	for i := range tx.Actions {
		a := &tx.Actions[i]
		for _, c := range a.bounded {
			for _, limit := range limitsOf(c) {
				e, err := x.settleOne(ctx, a, limit)
				if err != nil {
					return nil, err
				}
				if e != nil {
					all = append(all, *e)
				}
			}
		}
		a.bounded = nil
	}
	return all, nil
}

// limitsOf returns the limits of a counter. A sum is an Int.
func limitsOf(c *design.Counter) []exceeded {
	var all []exceeded
	add := func(b *design.Bound, isMin bool) {
		if b != nil {
			all = append(all, exceeded{Counter: c, bound: b, isMin: isMin})
		}
	}
	add(c.Max, false)
	add(c.Min, true)
	if c.AtMost > 0 {
		add(&design.Bound{Number: c.AtMost}, false)
	}
	if c.Of != "" {
		add(&design.Bound{Number: math.MaxInt32}, false)
		add(&design.Bound{Number: math.MinInt32}, true)
	}
	return all
}

// settleOne settles one limit of a counter of the item of an action.
func (x *mutation) settleOne(ctx context.Context, a *Action, e exceeded) (*exceeded, error) {
	e.key, e.by = a.Key, a.added(e.Attribute)
	_, isSet := a.Set.Get(e.bound.Attribute)
	e.isLimit = a.Kind == ActionPut && a.object == nil || isSet
	isNearer := e.by > 0 && !e.isMin || e.by < 0 && e.isMin
	switch {
	case a.Kind == ActionDelete, slices.Contains(a.Remove, e.bound.Attribute), !isNearer && !isSet && a.Kind != ActionPut:
		return nil, nil
	case a.Kind == ActionPut:
		if e.by = numberIn(a.Item, e.Attribute); a.object == nil {
			e.by = 0
		}
		return e.within(a.Item), nil
	case isSet:
		_, e.limit = limitIn(a.Set, e.bound)
	case e.bound.Attribute == "":
		e.limit = e.bound.Number
	case x.parents[a.Key] == nil && (e.by == 1 || e.by == -1) && !x.d.ReadsBound(e.Counter, e.bound):
		a.If = append(a.If, IfCompares(e.Attribute, e.strictly(), item.Attribute{Name: e.bound.Attribute}))
		return nil, nil
	default:
		isLimited, err := x.readLimit(ctx, a, &e)
		if err != nil || !isLimited {
			return nil, err
		}
	}
	if it := x.parents[a.Key]; it != nil {
		if beyond := e.at(numberIn(it, e.Attribute) + e.by); beyond != nil {
			return beyond, nil
		}
	}
	a.If = append(a.If, e.condition())
	return nil, nil
}

// readLimit finds the value of a limit in the object, which is read if it is not known, and adds the condition that it
// is still the same. isLimited is false where it has no value.
func (x *mutation) readLimit(ctx context.Context, a *Action, e *exceeded) (isLimited bool, err error) {
	it, err := x.readParent(ctx, a.Key)
	if it == nil || err != nil {
		return false, err // The action has the condition that it exists.
	}
	if isLimited, e.limit = limitIn(it, e.bound); !isLimited {
		a.If = append(a.If, IfUnset(e.bound.Attribute))
		return false, nil
	}
	a.If = append(a.If, ifRead(x.d.Type(e.Parent), e.bound.Attribute, item.NumberValue(e.limit)))
	return true, nil
}

// strictly is how a counter compares to a limit that it has not reached.
func (e exceeded) strictly() predicate.Op {
	if e.isMin {
		return predicate.Greater
	}
	return predicate.Less
}

// condition is that of an item before something is added to the counter.
func (e exceeded) condition() Precondition {
	if e.isMin {
		return IfAtLeast(e.Attribute, e.limit-e.by)
	}
	return IfAtMost(e.Attribute, e.limit-e.by)
}

// within returns what is exceeded in an item that is put; nil for nothing.
func (e exceeded) within(it item.Item) *exceeded {
	isLimited, limit := limitIn(it, e.bound)
	if e.limit = limit; !isLimited {
		return nil
	}
	return e.at(numberIn(it, e.Attribute))
}

// at returns what is exceeded with a value of the counter; nil for nothing.
func (e exceeded) at(value int) *exceeded {
	if e.value = value; e.isMin && value >= e.limit || !e.isMin && value <= e.limit {
		return nil
	}
	return &e
}

// limitIn returns the value of a limit in an object.
func limitIn(it item.Item, b *design.Bound) (isLimited bool, limit int) {
	if b.Attribute == "" {
		return true, b.Number
	}
	v, _ := it.Get(b.Attribute)
	n, err := item.AsInt(v)
	return err == nil, n
}

// numberIn returns the value of a counter in an object, which counts from 0.
func numberIn(it item.Item, name string) int {
	v, _ := it.Get(name)
	n, err := item.AsInt(v)
	if err != nil {
		return 0
	}
	return n
}

// added returns what an Update adds to an attribute.
func (a Action) added(name string) int {
	for _, add := range a.Add {
		if add.Name == name {
			return add.By
		}
	}
	return 0
}

// Error returns what is wrong, for a person.
func (e exceeded) Error() string {
	before, isNamed := e.value-e.by, e.bound.Attribute != ""
	switch {
	case e.isLimit && isNamed && e.isMin:
		return fmt.Sprintf("%s cannot be more than %s, which is %d", e.bound.Attribute, e.Attribute, e.value)
	case e.isLimit && isNamed:
		return fmt.Sprintf("%s cannot be less than %s, which is %d", e.bound.Attribute, e.Attribute, e.value)
	case e.IsOfAll() && !e.isMin && isNamed:
		return fmt.Sprintf("this %s has %d %s, and its %s is %d; more are not possible", e.Parent, before, e.Field,
			e.bound.Attribute, e.limit)
	case e.IsOfAll() && !e.isMin:
		return fmt.Sprintf("this %s has %d %s; more are not possible", e.Parent, before, e.Field)
	case isNamed:
		return fmt.Sprintf("%s of this %s would be %d, and its %s is %d", e.Attribute, e.Parent, e.value, e.bound.Attribute,
			e.limit)
	case e.isMin:
		return fmt.Sprintf("%s of this %s would be %d, and is at least %d", e.Attribute, e.Parent, e.value, e.limit)
	}
	return fmt.Sprintf("%s of this %s would be %d, and is at most %d", e.Attribute, e.Parent, e.value, e.limit)
}

// withOtherBounds returns the counters of an object with a limit that an update changes.
func (x *mutation) withOtherBounds(before, after item.Item) []*design.Counter {
	var all []*design.Counter
	for _, c := range x.d.CountersIn(x.t) {
		for _, b := range [...]*design.Bound{c.Min, c.Max} {
			if b != nil && b.Attribute != "" && !isSame(before, after, b.Attribute) {
				all = append(all, c)
			}
		}
	}
	return all
}

// settleAll settles the bounds of a mutation of one object, and adds user errors for those that would not be kept.
func (x *mutation) settleAll(ctx context.Context, c *change) error {
	all, err := x.settle(ctx, &c.tx)
	for _, e := range all {
		x.out.Add(CodeInvalid, x.limitField(e), "%s", e.Error())
	}
	return err
}

// limitField returns the field of the input because of which a counter would not be within a bound; "" for no single
// one.
func (x *mutation) limitField(e exceeded) string {
	if e.isLimit {
		return e.bound.Attribute
	}
	if x.m.Kind == design.UpdateMutation {
		for _, name := range append([]string{e.Of}, append(e.Where.Fields(), e.Identity...)...) {
			if has(x.in.Set, name) {
				return name
			}
		}
	}
	return x.referenceField(e.Counter)
}

// settle settles the bounds of an action, and adds user errors for those that would not be kept.
func (x *action) settle(ctx context.Context, tx *Transaction) error {
	all, err := x.mutation.settle(ctx, tx)
	for _, e := range all {
		s := x.steps[max(0, slices.IndexFunc(x.steps, func(s *step) bool { return s.exceeds(e) }))]
		s.own.out.Add(CodeInvalid, s.own.limitField(e), "%s", e.Error())
		s.adopt()
	}
	return err
}

// exceeds reports whether it is the step because of which a counter would not be within a bound.
func (s *step) exceeds(e exceeded) bool {
	if e.isLimit {
		return s.t.Name == e.Parent && keys.KeyOf(s.base) == e.key
	}
	return slices.ContainsFunc(s.change.counts, func(n counted) bool { return n.Counter == e.Counter && n.key == e.key })
}
