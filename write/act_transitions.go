package write

import (
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// sentTransitions returns the conditions under which a step may set values without a read of the object: it has one
// from which they follow. A value that the input may leave out may also stay as it is.
func (s *step) sentTransitions() []Precondition {
	var conditions []Precondition
	for _, set := range s.Set {
		a := s.t.Attribute(set.Attribute)
		v := s.of.value(a, set.Value)
		if a == nil || a.Transitions == nil || v.Kind == item.Null {
			continue
		}
		from := a.Transitions.From(v.Text)
		if set.IsTaken {
			from = append(from, v.Text)
		}
		others := make([]item.Attribute, 0, len(from)+1)
		for _, text := range from {
			others = append(others, item.Attribute{Value: item.StringValue(text)})
		}
		if !a.NonNull && a.Transitions.Starts(v.Text) {
			others = append(others, item.Attribute{})
		}
		if len(others) == 0 {
			s.illegal(a, fmt.Sprintf("no %s becomes %s", s.t.Name, v.Text))
			continue
		}
		conditions = append(conditions, IfCompares(a.Name, predicate.In, others...))
	}
	return conditions
}

// illegal adds the user error for an attribute: about the field of the input with its value, or with the object's id.
func (s *step) illegal(a *design.Attribute, message string) {
	name := a.Name
	if s.fieldOf(name) == nil {
		name = fieldID
	}
	s.own.out.Add(CodeIllegalTransition, name, "%s", message)
	s.adopt()
}

// isTransition reports whether an object may get the values that the step sets. Otherwise it adds the user error.
func (s *step) isTransition(it item.Item) bool {
	for _, set := range s.Set {
		a := s.t.Attribute(set.Attribute)
		if a == nil || a.Transitions == nil || s.Kind != design.UpdateStep {
			continue
		}
		from, to := it.Text(a.Name), s.of.value(a, set.Value).Text
		isStill := from == to && set.IsTaken
		if to == "" || isStill || slices.Contains(a.Transitions.To(from), to) || from == "" && a.Transitions.Starts(to) {
			continue
		}
		s.shown = it
		s.illegal(a, a.Transitions.Problem(s.t.Name, from, to))
		return false
	}
	return true
}
