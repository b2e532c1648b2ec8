package reading

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// readMutations reads the mutations of types with @mutable, and adds the reads of their payloads.
func (r *Design) readMutations() {
	for _, t := range r.SortedTypes() {
		for _, m := range MutationsOf(t.Def, t.Identity) {
			d := &DeclaredMutation{Mutation: m, Of: t}
			if r.Schema.Mutation != nil {
				d.Field = r.Schema.Mutation.Fields.ForName(m.Name)
			}
			r.Mutations = append(r.Mutations, d)
			d.InputDef, d.PayloadDef = r.Schema.Types[m.Input()], r.Schema.Types[m.Payload()]
			if !t.Broken && !t.HasUnknownVariable() && d.Field != nil && d.InputDef != nil && d.PayloadDef != nil {
				d.Built = r.build(d)
				r.readPayload(d)
			}
		}
	}
}

func (r *Design) build(d *DeclaredMutation) *design.Mutation {
	m := &design.Mutation{
		Name: d.Name, Kind: d.Kind, Type: d.Of.Name, HasID: d.HasID(), Keys: d.KeyNames(), Viewer: d.Viewer(),
		HasIdempotencyKey: d.GeneratesID() && d.InputDef.Fields.ForName(IdempotencyKey) != nil,
	}
	if f := d.PayloadDef.Fields.ForName(d.Object()); f != nil {
		m.Object = f.Name
	}
	if f := d.PayloadDef.Fields.ForName(d.Deleted()); f != nil && d.Kind == design.DeleteMutation {
		m.Deleted = f.Name
	}
	if slices.Contains(d.To, AllowOwner) {
		m.Owner = d.Owner
	}
	inputs := d.Inputs()
	for _, f := range d.InputDef.Fields {
		if slices.ContainsFunc(inputs, func(in *ast.FieldDefinition) bool { return in.Name == f.Name }) {
			m.Inputs = append(m.Inputs, f.Name)
		}
	}
	for _, f := range inputs {
		if to, isRestricted := d.GivenBy(f); isRestricted && slices.Contains(m.Inputs, f.Name) {
			m.InputRules = append(m.InputRules, design.InputRule{Name: f.Name, Rule: d.ruleOf(to)})
		}
	}
	if m.Kind != design.DeleteMutation {
		m.Now = d.Of.Times(m.Kind == design.UpdateMutation)
	}
	return m
}

// MutationOf returns the mutation with @mutable of that name, or nil.
func (r *Design) MutationOf(name string) *DeclaredMutation {
	i := slices.IndexFunc(r.Mutations, func(d *DeclaredMutation) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return r.Mutations[i]
}

// readPayload adds the reads of a payload: that of the object by its own key, and those that the payload has in common
// with the type. checkPayload finds all others.
func (r *Design) readPayload(d *DeclaredMutation) {
	for _, f := range d.PayloadDef.Fields {
		rd := &Read{
			Field:      &design.Field{Kind: design.Get, PK: d.Of.Item.PK, SK: d.Of.Item.SK},
			Def:        f,
			ParentType: d.Of,
			Possible:   []string{d.Of.Name},
		}
		if of := r.ReadBy(d.Of.Name, f.Name); of != nil && f.Name != d.Built.Object {
			if d.PayloadFault(f, of) != payloadOK {
				continue
			}
			field := *of.Field
			rd.Field, rd.Connection, rd.Possible = &field, of.Connection, of.Possible
		} else if f.Name != d.Built.Object || f.Type.String() != d.Of.Name || len(f.Arguments) > 0 {
			continue
		}
		rd.Parent, rd.Name = d.PayloadDef.Name, f.Name
		r.Reads = append(r.Reads, rd)
	}
}

// readMutationRules adds the rules of mutations with @mutable.
func (r *Design) readMutationRules() {
	for _, d := range r.Mutations {
		if d.Built == nil {
			continue
		}
		rule := d.ruleOf(d.To)
		rule.Members = r.membersOf(d.Def.Directives.ForName("allow"), d.To)
		d.Built.Members = rule.Members
		r.Rules = append(r.Rules, &design.FieldRule{Parent: r.Schema.Mutation.Name, Name: d.Name, Rule: rule})
	}
}

// ruleOf returns the rule of words that list who may call a mutation, or give a value, without members.
func (d *DeclaredMutation) ruleOf(words []string) *design.Rule {
	rule := &design.Rule{}
	members := MemberWords(d.Def.Directives.ForName("allow"))
	for _, word := range words {
		switch {
		case slices.Contains(members, word): // see membersOf
		case word == allowPublic:
			rule.Public = true
		case word == AllowViewer:
			rule.SignedIn = true
		case word == AllowOwner:
			rule.Owner = d.Owner
		default:
			rule.Roles = append(rule.Roles, word)
		}
	}
	slices.Sort(rule.Roles)
	rule.Roles = slices.Compact(rule.Roles)
	return rule
}

// DesignMutations returns the mutations in the order of their names.
func (r *Design) DesignMutations() []*design.Mutation {
	var list []*design.Mutation
	for _, d := range r.Mutations {
		if d.Built != nil {
			list = append(list, d.Built)
		}
	}
	for _, d := range r.Actions {
		if d.Built != nil {
			list = append(list, d.Built)
		}
	}
	return sortedMutations(list)
}

// payloadFault is why a field of a payload cannot be read as the field of the object with its name.
type payloadFault int

const (
	payloadOK payloadFault = iota
	// OtherArguments are those that the field of the object does not have.
	OtherArguments
	// OtherType is one that the field of the object does not have.
	OtherType
	// OwnCount is a count of the payload itself.
	OwnCount
	// UnknownVariable is one that nothing of the payload has.
	UnknownVariable
)

// PayloadFault returns why a field of a payload cannot be read as another one of the object.
func (d *DeclaredMutation) PayloadFault(f *ast.FieldDefinition, of *Read) payloadFault {
	isKnown := func(name string) bool {
		argument, _ := of.Source(name)
		return argument != nil || slices.Contains(d.Of.Identity, name) || name == keys.ViewerVariable
	}
	switch {
	case argumentsText(f) != argumentsText(of.Def):
		return OtherArguments
	case f.Type.String() != of.Def.Type.String():
		return OtherType
	case of.Count != "":
		return OwnCount
	case slices.ContainsFunc(of.Variables(), func(name string) bool { return !isKnown(name) }):
		return UnknownVariable
	}
	return payloadOK
}

// argumentsText returns the arguments of a field as they are declared, without descriptions.
func argumentsText(f *ast.FieldDefinition) string {
	text := ""
	for _, a := range f.Arguments {
		text += a.Name + ": " + a.Type.String()
		if a.DefaultValue != nil {
			text += " = " + a.DefaultValue.String()
		}
		text += ", "
	}
	return text
}
