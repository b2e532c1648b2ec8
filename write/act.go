package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// action is one execution of the steps of an action.
type action struct {
	*mutation
	steps []*step
	// values are the values of the input in the form in which they are stored; see action.input.
	values item.Item
	// attempt identifies this execution, and gives new objects their ids.
	attempt attempt
	// once and claim are those of the idempotency key.
	once  Once
	claim Attempt
}

// step returns the step of that name.
func (x *action) step(name string) *step {
	return x.steps[slices.IndexFunc(x.steps, func(s *step) bool { return s.Name == name })]
}

// step is one step of an action that is carried out.
type step struct {
	*design.Step
	of *action
	t  *design.Type
	// own is the mutation that does to the object what the step does.
	own *mutation
	// identity are the attributes of the object's identity, and base the same as a base item.
	identity, base item.Item
	// reads is set if the object is read before: it, or what others have stored since. wasRead is set once it is known.
	reads, wasRead bool
	read           item.Item
	// change is what the step does. after is the object afterwards, as far as it is known.
	change *change
	after  item.Item
	// shown is the object as it is, if the step has failed because of it.
	shown item.Item
}

// part returns the name of a part of the step in the transaction of all.
func (s *step) part(name string) string { return s.Name + ": " + name }
