package write

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// action is one execution of the steps of an action.
type action struct {
	*mutation
	// declared is the action as the schema has it: that of the mutation has a step for each element of its lists.
	declared *design.Mutation
	steps    []*step
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
	// declared is the step as the action has it: an UpsertStep is a CreateStep or an UpdateStep once its object is read.
	declared *design.Step
	of       *action
	t        *design.Type
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

// adopt adds the user errors about attributes of the object: about the fields of the input that have their values.
func (s *step) adopt() {
	for _, e := range s.own.out.list {
		if e.Field != nil {
			e.Field = s.fieldOf(*e.Field)
		}
		if e.Field == nil {
			e.Field = s.element()
		}
		s.of.out.list = append(s.of.out.list, e)
	}
	s.own.out.UserErrors = UserErrors{}
}

// fieldOf returns the field of the input that has the value of an attribute, or to which it is compared; nil if there
// is none.
func (s *step) fieldOf(attribute string) *string {
	if attribute == fieldID && s.ID != "" {
		return &s.ID
	}
	for _, a := range slices.Concat(s.Key, s.Set) {
		if a.Attribute == attribute && a.Value.Kind == predicate.Variable && s.of.m.Input(a.Value.Text) != nil {
			return &a.Value.Text
		}
	}
	for _, add := range s.Add {
		if add.Attribute == attribute && s.of.m.Input(add.Value.Text) != nil {
			return &add.Value.Text
		}
	}
	for _, c := range s.If.Comparisons {
		if o := c.Values[0]; c.Field == attribute && o.Kind == predicate.Variable && s.of.m.Input(o.Text) != nil {
			return &o.Text
		}
	}
	return nil
}

// attribute returns the value of a field of the object, for another step.
func (s *step) attribute(name string) item.Value {
	for _, it := range []item.Item{s.after, s.read, s.identity} {
		if v, has := it.Get(name); has {
			return v
		}
	}
	return item.Value{}
}
