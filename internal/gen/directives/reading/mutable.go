package reading

import (
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// FieldName is the name that a mutation can have.
var FieldName = regexp.MustCompile(`^[a-zA-Z][_0-9A-Za-z]*$`)

// IdempotencyKey is the field of the input of a creation by which a repetition is recognised.
const IdempotencyKey = "idempotencyKey"

// NestedInput returns the name of the input for objects of a type that is stored within others.
func NestedInput(object string) string { return object + "Input" }

// Mutation is what @mutable declares of one mutation, before the schema is validated.
type Mutation struct {
	Kind design.MutationKind
	Name string
	// Def is the object's type with its extensions, and directive its @mutable.
	Def       *ast.Definition
	Directive *ast.Directive
	// To lists who may call it, and owner is the field with the owner's id, or "".
	To       []string
	Owner    string
	identity []string
}

// MutationsOf returns the mutations of a type with @mutable, whose items have that identity.
func MutationsOf(def *ast.Definition, identity []string) []*Mutation {
	d := def.Directives.ForName("mutable")
	if d == nil {
		return nil
	}
	owner := ""
	if allow := def.Directives.ForName("allow"); allow != nil {
		owner, _ = sdl.Raw(allow, "owner").(string)
	}
	names := NamesOf(d)
	var list []*Mutation
	for kind := design.CreateMutation; kind <= design.DeleteMutation; kind++ {
		to := sdl.Raw(d, Verbs[kind])
		if to == nil {
			continue
		}
		m := &Mutation{
			Kind: kind, Name: Verbs[kind] + sdl.UpperFirst(def.Name), Def: def, Directive: d, Owner: owner,
			identity: identity,
		}
		if name, ok := names[Verbs[kind]].(string); ok {
			m.Name = name
		}
		for _, word := range sdl.ListOf(to) {
			text, _ := word.(string)
			m.To = append(m.To, text)
		}
		list = append(list, m)
	}
	return list
}

// NamesOf returns the names that a @mutable gives mutations by their verbs. The caller may modify them.
func NamesOf(d *ast.Directive) map[string]any {
	names, _ := sdl.Raw(d, "names").(map[string]any)
	if names == nil {
		names = map[string]any{}
	}
	return names
}

// Verbs are the arguments of @mutable, and the beginnings of the names of mutations.
var Verbs = [...]string{
	design.CreateMutation: "create", design.UpdateMutation: "update", design.DeleteMutation: "delete",
}

// Input returns the name of the input.
func (m *Mutation) Input() string { return sdl.UpperFirst(m.Name) + "Input" }

// Payload returns the name of the payload.
func (m *Mutation) Payload() string { return sdl.UpperFirst(m.Name) + "Payload" }

// Object returns the name of the payload's field with the object.
func (m *Mutation) Object() string { return sdl.LowerFirst(m.Def.Name) }

// Deleted returns the name of the payload's field with the id of a deleted object.
func (m *Mutation) Deleted() string { return "deleted" + sdl.UpperFirst(m.Def.Name) + "Id" }

// Viewer returns the attribute that has the id of the viewer, because only the owner may call the mutation, or "".
func (m *Mutation) Viewer() string {
	if len(m.To) == 0 || slices.ContainsFunc(m.To, func(word string) bool { return word != AllowOwner }) {
		return ""
	}
	return m.Owner
}

// HasID reports whether the input has the id of the object.
func (m *Mutation) HasID() bool {
	owned := slices.Contains(m.identity, m.Viewer())
	switch m.Kind {
	case design.CreateMutation:
		return false
	case design.UpdateMutation:
		return !owned || len(m.identity) > 1
	default:
		return !owned
	}
}

// KeyNames returns the attributes by which the input names the object instead of by its id.
func (m *Mutation) KeyNames() []string {
	if m.Kind == design.CreateMutation || m.HasID() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.identity), func(name string) bool { return name == m.Viewer() })
}

// GeneratesID reports whether the object gets a new id.
func (m *Mutation) GeneratesID() bool {
	id := m.Def.Fields.ForName("id")
	return m.Kind == design.CreateMutation && id != nil && id.Type.Name() == "ID" && slices.Contains(m.identity, "id") &&
		m.Viewer() != "id" && !isNumber(id)
}

// Inputs returns the fields of the type that the input may have.
func (m *Mutation) Inputs() []*ast.FieldDefinition {
	var fields []*ast.FieldDefinition
	for _, f := range m.Def.Fields {
		isKey := slices.Contains(m.identity, f.Name)
		switch {
		case m.Kind == design.DeleteMutation, !sdl.IsAttribute(f), f.Name == m.Viewer():
		case slices.ContainsFunc(f.Directives, IsWritten), m.isClosed(f):
		case f.Name == "id" && f.Type.Name() == "ID" && !isKey, f.Name == "id" && m.GeneratesID():
		case m.Kind == design.UpdateMutation && isKey:
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

// GivenBy returns who may give the value of a field, if not all who may call the mutation may.
func (m *Mutation) GivenBy(f *ast.FieldDefinition) (to []string, isRestricted bool) {
	d := f.Directives.ForName("mutable")
	if d == nil || m.Kind == design.DeleteMutation {
		return nil, false
	}
	for _, word := range sdl.ListOf(sdl.Raw(d, Verbs[m.Kind])) {
		text, _ := word.(string)
		to = append(to, text)
	}
	isGiven := func(word string) bool {
		return slices.Contains(to, word) || slices.Contains(to, allowPublic) ||
			slices.Contains(to, AllowViewer) && word != allowPublic // an owner, a member or one with a role has signed in
	}
	return to, slices.ContainsFunc(m.To, func(word string) bool { return !isGiven(word) })
}

// isClosed reports whether nobody may give the value of a field.
func (m *Mutation) isClosed(f *ast.FieldDefinition) bool {
	to, isRestricted := m.GivenBy(f)
	return isRestricted && len(to) == 0
}

// IsRequired reports whether the input must have a value of a field, because the object would lack it.
func (m *Mutation) IsRequired(f *ast.FieldDefinition) bool {
	_, isRestricted := m.GivenBy(f)
	return f.Type.NonNull && m.Kind == design.CreateMutation && !isRestricted
}

// isNumber reports whether a text is stored as a Number, so that it cannot be a new id.
func isNumber(f *ast.FieldDefinition) bool {
	d := f.Directives.ForName("stored")
	return d != nil && sdl.Raw(d, "as") == keys.Number.String()
}

// IsWritten reports whether a directive lets writes set a field, so that no input has it.
func IsWritten(d *ast.Directive) bool {
	return d.Name == "version" || d.Name == "now" || d.Name == "counts" || d.Name == "sequence"
}
