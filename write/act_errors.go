package write

import (
	"math"
	"math/big"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// isAsNeeded reports whether an object exists, is the owner's and fulfils the condition of the step. Otherwise it
// adds the user error.
func (s *step) isAsNeeded(it item.Item) bool {
	// Where a key has a value in another case, or beside another one, it can be that of another object.
	isMissing := it == nil || it.Type() != s.t.Name || idOf(s.t, it) != s.own.out.ID || !s.own.owns(it)
	switch {
	case isMissing && !s.CoversMissing:
		s.missing()
		return false
	case isMissing:
	case s.holds(it):
		return s.isTransition(it)
	default:
		s.shown = it
		if given, stored, is := s.otherVersion(it); is {
			s.own.out.outdated(s.t.Version, given, stored)
			s.adopt()
			return false
		}
	}
	s.of.out.Add(Code(s.Code), s.Element(), "%s", s.Message)
	return false
}

// otherVersion reports whether the condition fails because it demands the version that the input has, which is not
// that of the object.
func (s *step) otherVersion(it item.Item) (given, stored int, is bool) {
	for i, c := range s.comparisons() {
		if c.Holds(it) {
			continue
		}
		o := s.If.Comparisons[i].Values[0]
		if c.Name != s.t.Version || c.Op != predicate.Equal || o.Kind != predicate.Variable || s.of.m.Input(o.Text) == nil {
			return 0, 0, false
		}
		v, _ := it.Get(s.t.Version)
		given, _ = item.AsInt(s.of.input(o.Text))
		stored, _ = item.AsInt(v)
		return given, stored, true
	}
	return 0, 0, false
}

// missing adds that there is no object of the step.
func (s *step) missing() {
	s.own.missing()
	for _, e := range s.own.out.list {
		if e.Field = s.element(); s.ID != "" {
			e.Field = &s.ID
		}
		s.of.out.list = append(s.of.out.list, e)
	}
	s.own.out.UserErrors = UserErrors{}
}

// bounds returns the least and the greatest value that a number may have to which something is added.
func (s *step) bounds(attribute string) (least, most int) { return boundsOf(s.t, attribute) }

func boundsOf(t *design.Type, attribute string) (least, most int) {
	least, most = math.MinInt32, math.MaxInt32
	c := t.Attribute(attribute).Check
	if c == nil {
		return least, most
	}
	if n, ok := new(big.Float).SetString(c.Min); ok {
		f, _ := n.Float64()
		least = max(least, int(math.Ceil(f)))
	}
	if n, ok := new(big.Float).SetString(c.Max); ok {
		f, _ := n.Float64()
		most = min(most, int(math.Floor(f)))
	}
	return least, most
}

// ifWithin requires that a number is on this side of a bound.
func ifWithin(name string, op predicate.Op, bound int) Precondition {
	return IfCompares(name, op, item.Attribute{Value: item.NumberValue(bound)})
}

// beyond adds that a number would become too large or too small.
func (s *step) beyond(attribute string, n int) {
	what := "would be beyond what an Int can have"
	if c := s.t.Attribute(attribute).Check; c != nil {
		if fault := c.Fault(item.NumberValue(n)); fault != "" {
			what = fault
		}
	}
	s.own.out.Add(CodeInvalid, attribute, "%s of this %s %s", attribute, s.t.Name, what)
	s.adopt()
}

// isWithin reports whether a number of a new object is within its bounds. Otherwise it adds the user error.
func (s *step) isWithin(attribute string, n int) bool {
	least, most := s.bounds(attribute)
	if n < least || n > most {
		s.beyond(attribute, n)
	}
	return least <= n && n <= most
}

// fail adds the user errors of the step's parts that failed. An object that has changed since it was read is tried
// again, as it is stored now.
func (s *step) fail(failed *Failure) {
	if failed.Part(objectPart) {
		s.failObject(failed.Item(objectPart))
	}
	s.own.missingParents(s.change, failed)
	s.own.taken(s.change, failed)
	s.adopt()
}

func (s *step) failObject(it item.Item) {
	switch {
	case s.tryAgain(it):
	case s.Kind == design.CreateStep:
		s.own.exists(it, idOf(s.t, s.identity))
		if it != nil && it.Type() == s.t.Name {
			s.shown = it
		}
	case !s.isAsNeeded(it), s.Kind == design.DeleteStep && s.own.isCounting(it):
	default:
		s.own.parents[keys.KeyOf(s.base)], s.own.moved = it, nil
		s.findBeyond(it)
		s.read, s.wasRead = it, s.reads || s.Kind == design.DeleteStep
	}
}

// findBeyond adds that a number has reached its bound, to which a step adds that has not read it.
func (s *step) findBeyond(it item.Item) {
	if s.reads {
		return
	}
	for _, add := range s.increments() {
		least, most := s.bounds(add.Name)
		v, _ := it.Get(add.Name)
		n, err := item.AsInt(v)
		if n += add.By; err == nil && (add.By > 0 && n > most || add.By < 0 && n < least) {
			s.beyond(add.Name, n)
		}
	}
}
