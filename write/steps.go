package write

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// Steps are an action that Go composes: what a mutation does to several objects, in one transaction. Each step is
// carried out as a @step of the schema is: with copies, index entries, claims, counters, the version and the times
// of its object, under the rules that the schema has for it.
//
// A mistake in the code, such as an unknown type, is an error of Commit.
type Steps struct {
	d  *design.Design
	m  design.Mutation
	in Input
	// fields are the fields of the caller's input by the names of the values of the steps.
	fields map[string]string
	out    []StepOutcome
	err    error
}

// NewSteps returns an action without steps. name is that of the mutation, and caller the raw id of the viewer, ""
// for an anonymous one: what {viewer} is.
func NewSteps(d *design.Design, name, caller string) *Steps {
	return &Steps{
		d: d, m: design.Mutation{Name: name, Kind: design.ActionMutation}, in: Input{Caller: caller},
		fields: map[string]string{},
	}
}

// Once makes the action happen once for each idempotency key of the caller: repeated with the same key and the same
// values within a day, it returns the same objects. With "" it does nothing.
func (s *Steps) Once(key string) {
	s.m.HasIdempotencyKey, s.in.IdempotencyKey = key != "", key
}

// StepOf is a step that has been added to Steps.
type StepOf struct {
	all  *Steps
	name string
	at   int
}

// Create adds a step that creates an object of a type. The attributes are those of [Items]; without its id, an
// object gets a new one. The name is that of the step.
func (s *Steps) Create(name, typ string, attributes item.Item) StepOf {
	step := s.add(name, design.CreateStep, typ)
	return step.set(attributes)
}

// Update adds a step that changes attributes of the object with an id. Those that are NULL are removed.
func (s *Steps) Update(name string, id keys.ID, attributes item.Item) StepOf {
	return s.add(name, design.UpdateStep, id.Type()).on(id).set(attributes)
}

// Delete adds a step that deletes the object with an id.
func (s *Steps) Delete(name string, id keys.ID) StepOf {
	return s.add(name, design.DeleteStep, id.Type()).on(id)
}

// Check adds a step that requires the object with an id.
func (s *Steps) Check(name string, id keys.ID) StepOf {
	return s.add(name, design.CheckStep, id.Type()).on(id)
}

// InputField says which field of the caller's input has an attribute of the step, for user errors: "id" is the id of
// its object. Without it, the field has the name of the attribute.
func (s StepOf) InputField(attribute, field string) StepOf {
	s.all.fields[s.name+"."+attribute] = field
	return s
}

// At says where the values of the step are in the caller's input: with "lines.2" a user error about the attribute
// sku is about the field lines.2.sku.
func (s StepOf) At(path string) StepOf {
	for name := range s.all.fields {
		if attribute, is := strings.CutPrefix(name, s.name+"."); is && !strings.Contains(attribute, ".") {
			s.all.fields[name] = path + "." + attribute
		}
	}
	return s
}

// Assign sets an attribute to a variable, as it is in a @step: {viewer}, {now}, or {order.id}, a field of the object
// of the earlier step order.
func (s StepOf) Assign(attribute, variable string) StepOf {
	value, err := predicate.ParseVariable(strings.Trim(variable, "{}"))
	if err != nil {
		s.all.fail(fmt.Errorf("write: step %q sets %s to %q: %w", s.name, attribute, variable, err))
	}
	if of, _, isStep := strings.Cut(value.Text, "."); isStep && !s.all.has(of, s.at) {
		s.all.fail(fmt.Errorf("write: step %q has %s, and there is no step %q before it", s.name, variable, of))
	}
	s.step().Set = append(s.step().Set, design.Assignment{Attribute: attribute, Value: value})
	return s
}

// Add adds a number to an Int attribute.
func (s StepOf) Add(attribute string, by int) StepOf {
	s.step().Add = append(s.step().Add, design.Addition{
		Attribute: attribute, Value: predicate.Operand{Kind: predicate.Number, Text: strconv.Itoa(by)},
	})
	return s
}

// Require sets the condition on the object as it was before, as that of a @step, and the user error if it does not
// hold. What a caller has given is a variable in it: see Steps.Give.
func (s StepOf) Require(condition string, code Code, message string) StepOf {
	p, err := predicate.Parse(condition)
	if err != nil {
		s.all.fail(fmt.Errorf("write: the condition of step %q: %w", s.name, err))
	}
	s.step().If, s.step().Code, s.step().Message = p, string(code), message
	return s
}

// Give makes a value the variable of that name in the condition: {name}. It is compared as it is stored.
func (s StepOf) Give(name string, v item.Value) StepOf {
	s.all.m.ActionInputs = append(s.all.m.ActionInputs, design.ActionInput{Name: name, Type: s.step().Type})
	s.all.in.Set = append(s.all.in.Set, item.Attribute{Name: name, Value: v})
	s.all.fields[name] = name
	return s
}

// Commit carries out the steps by the Store of the context. What a person can correct is in the UserErrors of the
// Outcome, whose Steps are in the order of the steps. The error is that of [Mutate].
func (s *Steps) Commit(ctx context.Context) (Outcome, error) {
	if s.err != nil {
		return Outcome{}, s.err
	}
	if len(s.m.Steps) == 0 {
		return Outcome{}, nil
	}
	s.m.Type = s.m.Steps[0].Type
	out, err := Mutate(ctx, s.d, &s.m, s.in)
	s.out = out.Steps
	for _, e := range out.list {
		if e.Field != nil {
			name := *e.Field
			field := s.fields[name]
			e.Field, e.Message = &field, strings.Replace(e.Message, name, field, 1)
		}
	}
	return out, err
}

// ObjectOf returns the object of a step after Commit, filled by the function that is generated for its type. It is
// nil if nothing was written or the object is not known, and after a user error about it the object as it is stored.
func ObjectOf[T any](s StepOf, fill func(item.Item) (*T, error)) (*T, error) {
	if s.at >= len(s.all.out) || s.all.out[s.at].Object == nil {
		return nil, nil
	}
	return fill(s.all.out[s.at].Object)
}

func (s *Steps) fail(err error) { s.err = errors.Join(s.err, err) }

func (s *Steps) has(name string, before int) bool {
	return slices.ContainsFunc(s.m.Steps[:before], func(step design.Step) bool { return step.Name == name })
}

func (s *Steps) add(name string, kind design.StepKind, typ string) StepOf {
	if s.d.Type(typ) == nil || name == "" || strings.Contains(name, ".") || s.has(name, len(s.m.Steps)) {
		s.fail(fmt.Errorf("write: step %q of type %q: a step has a name of its own, without dots, and a stored type",
			name, typ))
	}
	s.m.Steps = append(s.m.Steps, design.Step{
		Kind: kind, Name: name, Type: typ, Code: string(CodeConflict), Message: "this " + typ + " is not as it must be",
	})
	return StepOf{s, name, len(s.m.Steps) - 1}
}

func (s StepOf) step() *design.Step { return &s.all.m.Steps[s.at] }

// on makes the step one on the object with an id.
func (s StepOf) on(id keys.ID) StepOf {
	s.step().ID = s.give(fieldID, item.StringValue(string(id)))
	return s
}

// set lets the step set attributes.
func (s StepOf) set(attributes item.Item) StepOf {
	for _, a := range attributes {
		name := s.give(a.Name, a.Value)
		s.step().Set = append(s.step().Set, design.Assignment{
			Attribute: a.Name, Value: predicate.Operand{Kind: predicate.Variable, Text: name},
		})
	}
	return s
}

// give makes a value one of the input, and returns its name there.
func (s StepOf) give(attribute string, v item.Value) string {
	name := s.name + "." + attribute
	s.all.m.ActionInputs = append(s.all.m.ActionInputs, design.ActionInput{
		Name: name, Type: s.step().Type, Attribute: attribute,
	})
	s.all.in.Set = append(s.all.in.Set, item.Attribute{Name: name, Value: v})
	s.all.fields[name] = attribute
	return name
}
