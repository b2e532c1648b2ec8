package directives

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// mutation is what @mutable declares of one mutation, before the schema is validated.
type mutation struct {
	kind keys.MutationKind
	name string
	// def is the object's type with its extensions, and directive its @mutable.
	def       *ast.Definition
	directive *ast.Directive
	// to lists who may call it, and owner is the field with the owner's id, or "".
	to       []string
	owner    string
	identity []string
}

// mutationsOf returns the mutations of a type with @mutable, whose items have that identity.
func mutationsOf(def *ast.Definition, identity []string) []*mutation {
	d := def.Directives.ForName("mutable")
	if d == nil {
		return nil
	}
	owner := ""
	if allow := def.Directives.ForName("allow"); allow != nil {
		owner, _ = rawArgument(allow, "owner").(string)
	}
	names := namesOf(d)
	var list []*mutation
	for kind := keys.CreateMutation; kind <= keys.DeleteMutation; kind++ {
		to := rawArgument(d, verbs[kind])
		if to == nil {
			continue
		}
		m := &mutation{
			kind: kind, name: verbs[kind] + upperFirst(def.Name), def: def, directive: d, owner: owner,
			identity: identity,
		}
		if name, ok := names[verbs[kind]].(string); ok {
			m.name = name
		}
		for _, word := range listOf(to) {
			text, _ := word.(string)
			m.to = append(m.to, text)
		}
		list = append(list, m)
	}
	return list
}

// namesOf returns the names that a @mutable gives mutations by their verbs. The caller may modify them.
func namesOf(d *ast.Directive) map[string]any {
	names, _ := rawArgument(d, "names").(map[string]any)
	if names == nil {
		names = map[string]any{}
	}
	return names
}

// verbs are the arguments of @mutable, and the beginnings of the names of mutations.
var verbs = [...]string{
	keys.CreateMutation: "create", keys.UpdateMutation: "update", keys.DeleteMutation: "delete",
}

// rawArgument returns the value that a directive's argument is given, nil if it is absent or null.
func rawArgument(d *ast.Directive, name string) any {
	a := d.Arguments.ForName(name)
	if a == nil || a.Value == nil {
		return nil
	}
	value, err := a.Value.Value(nil)
	if err != nil {
		return nil
	}
	return value
}

func (m *mutation) input() string { return upperFirst(m.name) + "Input" }

func (m *mutation) payload() string { return upperFirst(m.name) + "Payload" }

// object and deleted are the payload's fields with the object, and with the id of a deleted one.
func (m *mutation) object() string { return lowerFirst(m.def.Name) }

func (m *mutation) deleted() string { return "deleted" + upperFirst(m.def.Name) + "Id" }

// viewer returns the attribute that has the id of the viewer, because only the owner may call the mutation, or "".
func (m *mutation) viewer() string {
	if len(m.to) == 0 || slices.ContainsFunc(m.to, func(word string) bool { return word != allowOwner }) {
		return ""
	}
	return m.owner
}

// hasID reports whether the input has the id of the object.
func (m *mutation) hasID() bool {
	owned := slices.Contains(m.identity, m.viewer())
	switch m.kind {
	case keys.CreateMutation:
		return false
	case keys.UpdateMutation:
		return !owned || len(m.identity) > 1
	default:
		return !owned
	}
}

// keyNames returns the attributes by which the input names the object instead of by its id.
func (m *mutation) keyNames() []string {
	if m.kind == keys.CreateMutation || m.hasID() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.identity), func(name string) bool { return name == m.viewer() })
}

// generatesID reports whether the object gets a new id.
func (m *mutation) generatesID() bool {
	id := m.def.Fields.ForName("id")
	return m.kind == keys.CreateMutation && id != nil && id.Type.Name() == "ID" && slices.Contains(m.identity, "id") &&
		m.viewer() != "id" && !isNumber(id)
}

// inputs returns the fields of the type that the input may have.
func (m *mutation) inputs() []*ast.FieldDefinition {
	var fields []*ast.FieldDefinition
	for _, f := range m.def.Fields {
		isKey := slices.Contains(m.identity, f.Name)
		switch {
		case m.kind == keys.DeleteMutation, !isAttribute(f), f.Name == m.viewer():
		case slices.ContainsFunc(f.Directives, isWritten):
		case f.Name == "id" && f.Type.Name() == "ID" && !isKey, f.Name == "id" && m.generatesID():
		case m.kind == keys.UpdateMutation && isKey:
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

// versionOf returns the field of a type with @version, or nil.
func versionOf(def *ast.Definition) *ast.FieldDefinition {
	for _, f := range def.Fields {
		if f.Directives.ForName("version") != nil {
			return f
		}
	}
	return nil
}

// isNumber reports whether a text is stored as a Number, so that it cannot be a new id.
func isNumber(f *ast.FieldDefinition) bool {
	d := f.Directives.ForName("stored")
	return d != nil && rawArgument(d, "as") == keys.Number.String()
}

// isWritten reports whether a directive lets writes set a field, so that no input has it.
func isWritten(d *ast.Directive) bool {
	return d.Name == "version" || d.Name == "now" || d.Name == "counts"
}
