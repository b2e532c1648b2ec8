package write

import (
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// CodeIllegalTransition means that a value cannot become another one. Only schemas with @transitions have it.
const CodeIllegalTransition Code = "ILLEGAL_TRANSITION"

// A TransitionError is the error of a write after which an object would have a value that @transitions does not
// allow.
type TransitionError struct {
	// Attribute is the attribute with the value.
	Attribute string
	// Message is a sentence for the person.
	Message string
}

func (e *TransitionError) Error() string { return "write: " + e.Attribute + ": " + e.Message }

// started returns a TransitionError if an object may not begin with a value that it has.
func started(t *design.Type, it item.Item) error {
	return transitions(t, func(a *design.Attribute) (from, to string) {
		if to = it.Text(a.Name); to == "" || a.Transitions.Starts(to) {
			return "", ""
		}
		return "", to
	})
}

// moved returns a TransitionError if an object may not go from a value to another one, and otherwise the conditions
// that what it goes from is as it was read. What is deleted softly goes nowhere.
func moved(t *design.Type, before, after item.Item) (conditions []Precondition, err error) {
	if t == nil || keys.IsDeleted(after) {
		return nil, nil
	}
	err = transitions(t, func(a *design.Attribute) (from, to string) {
		from, to = before.Text(a.Name), after.Text(a.Name)
		switch {
		case from == to, from != "" && slices.Contains(a.Transitions.To(from), to):
		case from == "" && a.Transitions.Starts(to):
		default:
			return from, to
		}
		if from == to {
			return "", ""
		}
		if v, is := before.Get(a.Name); is {
			conditions = append(conditions, ifRead(t, a.Name, v))
		} else {
			conditions = append(conditions, IfUnset(a.Name))
		}
		return "", ""
	})
	return conditions, err
}

// illegal adds a TransitionError as a user error, and reports whether it is one.
func (x *mutation) illegal(err error) bool {
	if !errors.As(err, new(*TransitionError)) {
		return false
	}
	return x.out.AddInput("", err)
}

// transitions returns the error for the first attribute for which wrong returns values.
func transitions(t *design.Type, wrong func(*design.Attribute) (from, to string)) error {
	if t == nil {
		return nil
	}
	for i := range t.Attributes {
		a := &t.Attributes[i]
		if a.Transitions == nil {
			continue
		}
		if from, to := wrong(a); from != "" || to != "" {
			return &TransitionError{a.Name, a.Transitions.Problem(t.Name, from, to)}
		}
	}
	return nil
}

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
