package directives

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// readMutations reads the mutations of types with @mutable, and adds the reads of their payloads.
func (r *design) readMutations() {
	for _, t := range r.sortedTypes() {
		for _, m := range mutationsOf(t.def, t.Identity) {
			d := &declaredMutation{mutation: m, of: t}
			if r.schema.Mutation != nil {
				d.field = r.schema.Mutation.Fields.ForName(m.name)
			}
			r.mutations = append(r.mutations, d)
			d.inputDef, d.payloadDef = r.schema.Types[m.input()], r.schema.Types[m.payload()]
			if !t.broken && !t.hasUnknownVariable() && d.field != nil && d.inputDef != nil && d.payloadDef != nil {
				d.Mutation = r.mutation(d)
				r.readPayload(d)
			}
		}
	}
}

// declaredMutation is a mutation with its definitions in the schema.
type declaredMutation struct {
	*mutation
	of                   *storedType
	field                *ast.FieldDefinition
	inputDef, payloadDef *ast.Definition
	// Mutation is nil if Load could not add a definition, because of a fault that is found.
	*keys.Mutation
}

func (r *design) mutation(d *declaredMutation) *keys.Mutation {
	m := &keys.Mutation{
		Name: d.name, Kind: d.kind, Type: d.of.Name, HasID: d.hasID(), Keys: d.keyNames(), Viewer: d.viewer(),
		HasIdempotencyKey: d.generatesID() && d.inputDef.Fields.ForName(idempotencyKey) != nil,
	}
	if f := d.payloadDef.Fields.ForName(d.object()); f != nil {
		m.Object = f.Name
	}
	if f := d.payloadDef.Fields.ForName(d.deleted()); f != nil && d.kind == keys.DeleteMutation {
		m.Deleted = f.Name
	}
	if slices.Contains(d.to, allowOwner) {
		m.Owner = d.owner
	}
	inputs := d.inputs()
	for _, f := range d.inputDef.Fields {
		if slices.ContainsFunc(inputs, func(in *ast.FieldDefinition) bool { return in.Name == f.Name }) {
			m.Inputs = append(m.Inputs, f.Name)
		}
	}
	for _, f := range d.def.Fields {
		if now := f.Directives.ForName("now"); now != nil && d.setsNow(now) {
			m.Now = append(m.Now, f.Name)
		}
	}
	return m
}

// setsNow reports whether the mutation sets a field with @now.
func (m *mutation) setsNow(now *ast.Directive) bool {
	update, _ := rawArgument(now, "update").(bool)
	return m.kind == keys.CreateMutation || m.kind == keys.UpdateMutation && update
}

// mutationOf returns the mutation with @mutable of that name, or nil.
func (r *design) mutationOf(name string) *declaredMutation {
	i := slices.IndexFunc(r.mutations, func(d *declaredMutation) bool { return d.name == name })
	if i < 0 {
		return nil
	}
	return r.mutations[i]
}

// readPayload adds the reads of a payload: that of the object by its own key, and those that the payload has in common
// with the type. checkPayload finds all others.
func (r *design) readPayload(d *declaredMutation) {
	for _, f := range d.payloadDef.Fields {
		rd := &read{
			Field:    &keys.Field{Kind: keys.Get, PK: d.of.Item.PK, SK: d.of.Item.SK},
			def:      f,
			parent:   d.of,
			possible: []string{d.of.Name},
		}
		if of := r.readBy(d.of.Name, f.Name); of != nil && f.Name != d.Object {
			if d.payloadFault(f, of) != payloadOK {
				continue
			}
			field := *of.Field
			rd.Field, rd.connection, rd.possible = &field, of.connection, of.possible
		} else if f.Name != d.Object || f.Type.String() != d.of.Name || len(f.Arguments) > 0 {
			continue
		}
		rd.Parent, rd.Name = d.payloadDef.Name, f.Name
		r.reads = append(r.reads, rd)
	}
}

// readBy returns the read of a field, or nil.
func (r *access) readBy(parent, name string) *read {
	for _, rd := range r.reads {
		if rd.Parent == parent && rd.Name == name {
			return rd
		}
	}
	return nil
}

// readMutationRules adds the rules of mutations with @mutable.
func (r *design) readMutationRules() {
	for _, d := range r.mutations {
		if d.Mutation == nil {
			continue
		}
		rule := &keys.Rule{}
		for _, word := range d.to {
			r.addWord(rule, d, word)
		}
		slices.Sort(rule.Roles)
		rule.Roles = slices.Compact(rule.Roles)
		r.rules = append(r.rules, &keys.FieldRule{Parent: r.schema.Mutation.Name, Name: d.name, Rule: rule})
	}
}

func (r *design) addWord(rule *keys.Rule, d *declaredMutation, word string) {
	switch {
	case word == allowPublic:
		rule.Public = true
	case word == allowViewer:
		rule.SignedIn = true
	case word == allowOwner:
		rule.Owner = d.Owner
	default:
		rule.Roles = append(rule.Roles, word)
	}
}

// designMutations returns the mutations in the order of their names.
func (r *design) designMutations() []*keys.Mutation {
	var list []*keys.Mutation
	for _, d := range r.mutations {
		if d.Mutation != nil {
			list = append(list, d.Mutation)
		}
	}
	slices.SortFunc(list, func(a, b *keys.Mutation) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// payloadFault is why a field of a payload cannot be read as the field of the object with its name.
type payloadFault int

const (
	payloadOK payloadFault = iota
	otherArguments
	otherType
	ownCount
	unknownVariable
)

// payloadFault returns why a field of a payload cannot be read as another one of the object.
func (d *declaredMutation) payloadFault(f *ast.FieldDefinition, of *read) payloadFault {
	isKnown := func(name string) bool {
		argument, _ := of.source(name)
		return argument != nil || slices.Contains(d.of.Identity, name) || name == keys.ViewerVariable
	}
	switch {
	case argumentsText(f) != argumentsText(of.def):
		return otherArguments
	case f.Type.String() != of.def.Type.String():
		return otherType
	case of.Count != "":
		return ownCount
	case slices.ContainsFunc(of.variables(), func(name string) bool { return !isKnown(name) }):
		return unknownVariable
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
