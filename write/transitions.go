package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
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
