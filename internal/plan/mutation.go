package plan

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// AuthorizeMutation decides whether the viewer may call a MutationField whose Arguments have no error, and give the
// values that the input has. The error is an AccessError. owner is the raw id that the owner attribute of the object
// must have, because the viewer may write no other objects; "" if there is no such condition. isMember is set if the
// viewer must be a member, or that owner.
func (b *Bound) AuthorizeMutation(f *Field) (owner string, isMember bool, err error) {
	decision, err := DecideMutation(f.Rule, b.Viewer, "", false)
	if isMember = decision != Allow && b.asksMembers(f.Rule); isMember {
		decision = Unknown
	} else if err != nil {
		return "", false, err
	}
	in := &b.Arguments(f).input.Input
	for _, r := range f.Mutation.InputRules {
		_, isSet := in.Set.Get(r.Name)
		if !isSet && !slices.Contains(in.Remove, r.Name) {
			continue
		}
		of := Decide(r.Rule, b.Viewer, "", false)
		if of == Deny || of == Unknown && isMember && f.Rule.Owner == "" {
			return "", false, &AccessError{"you may not set " + r.Name + "; leave it out, or sign in as someone who may"}
		}
		isMember = isMember && of == Allow // otherwise only the owner may set it
		decision = min(decision, of)
	}
	if decision == Unknown && (!isMember || f.Rule.Owner != "") {
		owner = b.viewerID()
	}
	return owner, isMember, nil
}

// mutationArguments returns the arguments of a MutationField. They do not depend on the viewer.
func (s *Schema) mutationArguments(f *Field, variables map[string]any) *Arguments {
	a := &Arguments{input: &mutationInput{}}
	def := f.Definition.Arguments.ForName(inputArgument)
	raw := valueOf(f.ast, def, variables)
	if a.Err = s.checkArgument(def.Type, raw, def.Name); a.Err != nil {
		return a
	}
	r := &inputReader{
		Schema: s, mutation: f.Mutation, object: s.Design.Type(f.Mutation.Type),
		definition: s.AST.Types[def.Type.Name()], mutationInput: a.input,
	}
	if r.given, _ = raw.(map[string]any); f.Mutation.Kind == design.ActionMutation {
		if a.Err = checkLengths(f.Mutation, r.given); a.Err != nil {
			return a
		}
	}
	r.read()
	if !a.input.errors.Any() {
		workload := write.WorkloadOf
		if s.IsWorst {
			workload = write.WorstWorkloadOf
		}
		a.input.work = workload(s.Design, f.Mutation, &a.input.Input)
		if s.Workload != nil {
			a.input.work = s.Workload(f.Mutation, &a.input.Input, a.input.work)
		}
	}
	return a
}

// MutationInput returns the input of a MutationField whose Arguments have no error. owner and isMember are those of
// AuthorizeMutation.
// The user errors are those of values that the type of a field of the input has, but not the object.
func (b *Bound) MutationInput(f *Field, owner string, isMember bool) (write.Input, write.UserErrors) {
	bound := b.Arguments(f).input
	in := bound.Input
	if in.Owner, in.Caller = owner, b.viewerID(); isMember {
		in.Members = f.Mutation.Members
	}
	in.Set = append(make(item.Item, 0, len(in.Set)+1), in.Set...) // A hook may change it.
	if m := f.Mutation; m.Viewer != "" {
		value := viewerValue(b.Schema.Design.Type(m.Type), m.Viewer, in.Caller)
		in.Set = append(in.Set, item.Attribute{Name: m.Viewer, Value: value})
	}
	return in, bound.errors
}

// ExplainedWorkload is the Workload of the Arguments of a MutationField, with the conditions of each write. They are
// those of a viewer who must be the owner, if the rule has one.
func (b *Bound) ExplainedWorkload(f *Field) write.Workload {
	a := b.Arguments(f)
	if a.input.errors.Any() {
		return write.Workload{}
	}
	in := a.input.Input
	if f.Mutation.Owner != "" {
		in.Owner = keys.ViewerVariable
	}
	w := write.ExplainedWorkloadOf(b.Schema.Design, f.Mutation, &in, b.Schema.IsWorst)
	if b.Schema.Workload != nil {
		w = b.Schema.Workload(f.Mutation, &in, w)
	}
	return w
}

// viewerValue returns the value of an attribute that has the id of the viewer.
func viewerValue(t *design.Type, attribute, id string) item.Value {
	if a := t.Attribute(attribute); a != nil && a.Kind == keys.IDKind {
		return keys.IDAttribute(keys.NewID(a.Ref, id))
	}
	return item.StringValue(id)
}

// returns reports whether a mutation knows the object in a field of its payload when it has been carried out.
func (s *Schema) returns(m *design.Mutation, field string) bool {
	if m.Kind != design.ActionMutation {
		return field == m.Object
	}
	step := m.StepOf(field)
	return step != nil && write.ReturnsStep(s.Design, m, step)
}
