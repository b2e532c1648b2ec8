package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// DeclaredAction is an action with its definitions in the schema.
type DeclaredAction struct {
	*Action
	InputDef, PayloadDef *ast.Definition
	// Built is nil if a step names no stored type, or a definition is missing: this is found.
	Built *design.Mutation
}

// readActions reads the fields with @step, and adds the reads of their payloads.
func (r *Design) readActions() {
	for _, a := range ActionsOf(r.Schema.Mutation) {
		d := &DeclaredAction{
			Action: a, InputDef: r.Schema.Types[a.InputName()], PayloadDef: r.Schema.Types[a.Field.Type.Name()],
		}
		r.Actions = append(r.Actions, d)
		isUnknown := func(s *Step) bool {
			t := r.Types[s.Type]
			return t == nil || t.Broken || t.HasUnknownVariable()
		}
		if d.InputDef != nil && d.PayloadDef != nil && !slices.ContainsFunc(a.Steps, isUnknown) {
			d.Built = r.buildAction(d)
			r.readActionPayload(d)
		}
	}
}

// ActionNamed returns the action of that name, or nil.
func (r *Design) ActionNamed(name string) *DeclaredAction {
	i := slices.IndexFunc(r.Actions, func(d *DeclaredAction) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return r.Actions[i]
}

// IdentityOf returns the attributes of the identity of a type.
func (r *Design) IdentityOf(def *ast.Definition) []string {
	if t := r.Types[def.Name]; t != nil {
		return t.Identity
	}
	return nil
}

// InputsOf returns the fields that the input of an action has.
func (r *Design) InputsOf(a *Action) []ActionInput {
	return a.Inputs(func(name string) *ast.Definition { return r.Schema.Types[name] }, r.IdentityOf)
}

func (r *Design) buildAction(d *DeclaredAction) *design.Mutation {
	m := &design.Mutation{
		Name: d.Name, Kind: design.ActionMutation, Type: d.Steps[0].Type,
		HasIdempotencyKey: d.InputDef.Fields.ForName(IdempotencyKey) != nil &&
			d.HasIdempotencyKey(func(name string) *ast.Definition { return r.Schema.Types[name] }, r.IdentityOf),
	}
	for _, in := range r.InputsOf(d.Action) {
		if r.inputField(d, in) != nil {
			m.ActionInputs = append(m.ActionInputs, in.ActionInput)
		}
	}
	allow := d.Field.Directives.ForName("allow")
	if allow != nil && slices.Contains(sdl.List(allow, "to"), any(AllowOwner)) {
		m.Owner = r.ownerOf(d.Steps[0])
	}
	for _, s := range d.Steps {
		m.Steps = append(m.Steps, r.buildStep(d, s))
	}
	return m
}

// inputField returns the field of the declared input, or of its type of elements, with the name of an input, or nil.
func (r *Design) inputField(d *DeclaredAction, in ActionInput) *ast.FieldDefinition {
	if in.List == "" {
		return d.InputDef.Fields.ForName(in.Name)
	}
	list := d.InputDef.Fields.ForName(in.List)
	if list == nil || in.IsElement {
		return list
	}
	element := r.Schema.Types[list.Type.Name()]
	return element.Fields.ForName(strings.TrimPrefix(in.Name, in.List+"."))
}

// ownerOf returns the attribute with the owner of the object of a step, or "".
func (r *Design) ownerOf(s *Step) string {
	if allow := r.Types[s.Type].Def.Directives.ForName("allow"); allow != nil {
		return sdl.Text(allow, "owner")
	}
	return ""
}

func (r *Design) buildStep(d *DeclaredAction, s *Step) design.Step {
	t := r.Types[s.Type]
	step := design.Step{
		Kind: s.Kind, Name: s.Name, Type: s.Type, Each: s.Each, ID: s.ID, If: s.If, Code: s.Code, Message: s.Message,
		CoversMissing: s.CoversMissing,
	}
	for _, name := range s.Take {
		step.Set = append(step.Set, design.Assignment{
			Attribute: name, Value: predicate.Operand{Kind: predicate.Variable, Text: s.InputOf(name)},
			IsTaken: s.Kind == design.UpdateStep || s.Kind == design.UpsertStep && !slices.Contains(t.Identity, name),
		})
	}
	for _, v := range s.Key {
		step.Key = append(step.Key, design.Assignment{Attribute: v.Name, Value: canonical(t, v)})
	}
	for _, v := range s.Set {
		step.Set = append(step.Set, design.Assignment{Attribute: v.Name, Value: canonical(t, v), IsNegative: v.IsNegative})
	}
	for _, v := range s.Add {
		step.Add = append(step.Add, design.Addition{Attribute: v.Name, Value: v.Operand, IsNegative: v.IsNegative})
	}
	if d.PayloadDef.Fields.ForName(s.Name) != nil && s.Kind != design.CheckStep {
		step.Object = s.Name
	}
	if d.PayloadDef.Fields.ForName(s.DeletedID()) != nil && s.Kind == design.DeleteStep {
		step.Deleted = s.DeletedID()
	}
	return step
}

// canonical returns the operand of a value for an attribute: a time in the form in which it is stored.
func canonical(t *Type, v StepValue) predicate.Operand {
	if a := t.Attribute(v.Name); a != nil && a.Kind == keys.Time && v.Operand.Kind == predicate.Text {
		if at, err := keys.ParseTime(v.Operand.Text); err == nil {
			v.Operand.Text = item.TimeValue(at).Text
		}
	}
	return v.Operand
}

// readActionPayload adds the reads of the objects in a payload.
func (r *Design) readActionPayload(d *DeclaredAction) {
	for _, s := range d.Steps {
		f := d.PayloadDef.Fields.ForName(s.Name)
		if s.Kind == design.CheckStep || f == nil || f.Type.String() != s.Object() || len(f.Arguments) > 0 {
			continue
		}
		t := r.Types[s.Type]
		field := &design.Field{Parent: d.PayloadDef.Name, Name: f.Name, Kind: design.Get, PK: t.Item.PK, SK: t.Item.SK}
		if s.Each != "" {
			field.Result = design.Many
		}
		r.Reads = append(r.Reads, &Read{Field: field, Def: f, ParentType: t, Possible: []string{s.Type}})
	}
}

// setActionOwners sets the owner in the rules of actions: that of the first step's object.
func (r *Design) setActionOwners() {
	for _, rule := range r.Rules {
		if d := r.ActionNamed(rule.Name); d != nil && d.Built != nil && rule.Parent == r.Schema.Mutation.Name {
			rule.Rule.Owner = d.Built.Owner
		}
	}
}

// sortedMutations returns mutations in the order of their names.
func sortedMutations(list []*design.Mutation) []*design.Mutation {
	slices.SortFunc(list, func(a, b *design.Mutation) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
