package plan

import (
	"encoding/json"
	"errors"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// inputArgument is the argument of a MutationField, and idempotencyKey a field of its input.
const (
	inputArgument  = "input"
	idempotencyKey = "idempotencyKey"
)

// AuthorizeMutation decides whether the viewer may call a MutationField. The error is ErrSignIn or ErrNotYours. owner
// is the raw id that the owner attribute of the object must have, because the viewer may write no other objects; "" if
// there is no such condition.
func (b *Bound) AuthorizeMutation(f *Field) (owner string, err error) {
	rule := f.Rule
	if rule == nil {
		rule = &keys.Rule{} // A mutation without a rule is denied to everyone.
	}
	switch Decide(rule, b.Viewer, "", false) {
	case Allow:
		return "", nil
	case Unknown:
		return b.viewerID(), nil
	}
	if b.Viewer.IsAnonymous() {
		return "", ErrSignIn
	}
	return "", ErrNotYours
}

func (b *Bound) viewerID() string {
	if b.Viewer == nil {
		return ""
	}
	return b.Viewer.ID
}

// mutationArguments returns the arguments of a MutationField.
func (s *Schema) mutationArguments(f *Field, variables map[string]any) *Arguments {
	a := &Arguments{}
	def := f.Definition.Arguments.ForName(inputArgument)
	raw := valueOf(f.ast, def, variables)
	a.Err = s.checkArgument(def.Type, raw, def.Name)
	a.input, _ = raw.(map[string]any)
	return a
}

// MutationInput returns the input of a MutationField whose Arguments have no error, as it is written. owner is that of
// AuthorizeMutation. The user errors are those of values that the type of a field of the input has, but not an object.
func (b *Bound) MutationInput(f *Field, owner string) (write.Input, *write.UserErrors) {
	m, given := f.Mutation, b.Arguments(f).input
	t := b.Schema.Design.Type(m.Type)
	r := &inputReader{
		Schema: b.Schema, mutation: m, object: t, given: given,
		definition: b.Schema.AST.Types[f.Definition.Arguments.ForName(inputArgument).Type.Name()],
	}
	r.Owner = owner
	if m.HasID {
		r.id()
	}
	if m.Viewer != "" {
		r.add(m.Viewer, r.viewer(b.viewerID()))
	}
	for _, name := range m.Keys {
		r.attribute(name)
	}
	for _, name := range m.Inputs {
		r.attribute(name)
	}
	if t.Version != "" && m.Kind != keys.CreateMutation {
		version, _ := keys.ParseInt64(given[t.Version])
		r.Version = int(version)
	}
	if m.HasIdempotencyKey {
		r.once()
	}
	return r.Input, &r.errors
}

// inputReader reads an input.
type inputReader struct {
	*Schema
	mutation   *keys.Mutation
	object     *keys.Type
	definition *ast.Definition
	given      map[string]any
	write.Input
	errors write.UserErrors
}

func (r *inputReader) add(name string, v item.Value) {
	r.Set = append(r.Set, item.Attribute{Name: name, Value: v})
}

// id reads the global id of the object.
func (r *inputReader) id() {
	_ = r.ID.UnmarshalGQL(r.given["id"]) // mutationArguments returns the error
	if r.ID.Type() != r.object.Name || len(r.ID.Values()) != len(r.object.Identity) {
		r.errors.Add(write.CodeInvalid, "id", "id must be an id of type %s, exactly as a response gave it", r.object.Name)
	}
}

// viewer returns the value of the attribute that has the id of the viewer.
func (r *inputReader) viewer(id string) item.Value {
	if a := r.object.Attribute(r.mutation.Viewer); a != nil && a.Kind == keys.IDKind {
		return keys.IDAttribute(keys.NewID(a.Ref, id))
	}
	return item.StringValue(id)
}

// attribute reads an attribute of the object.
func (r *inputReader) attribute(name string) {
	raw, given := valueIn(r.given, r.definition.Fields.ForName(name))
	a := r.object.Attribute(name)
	switch {
	case raw != nil:
	case given && r.mutation.Kind == keys.UpdateMutation && a.NonNull:
		r.errors.Add(write.CodeInvalid, name, "%s must not be null; leave it out to keep its value", name)
		return
	case given && r.mutation.Kind == keys.UpdateMutation:
		r.Remove = append(r.Remove, name)
		return
	default:
		return
	}
	if a.Kind == keys.IDKind {
		var id keys.ID
		_ = id.UnmarshalGQL(raw) // mutationArguments returns the error
		r.add(name, keys.IDAttribute(id))
		return
	}
	f := r.types[r.object.Name].fields[name]
	r.add(name, r.stored(f.format, r.definition.Fields.ForName(name).Type, raw))
}

// valueIn returns the value of a field of an input object: its default if it is not given. It reports whether there is
// one.
func valueIn(object map[string]any, f *ast.FieldDefinition) (value any, given bool) {
	if f == nil {
		return nil, false
	}
	value, given = object[f.Name]
	if !given && f.DefaultValue != nil {
		value, _ = f.DefaultValue.Value(nil) // a valid schema has no value that cannot be read
		given = true
	}
	return value, given
}

// stored returns the stored value of a value of an input. typ is its type in the input.
func (r *inputReader) stored(f *Format, typ *ast.Type, raw any) item.Value {
	switch {
	case raw == nil:
		return item.Value{}
	case f.Element != nil:
		list, isList := raw.([]any)
		if !isList {
			list = []any{raw}
		}
		elements := make([]item.Value, len(list))
		for i, v := range list {
			elements[i] = r.stored(f.Element, typ.Elem, v)
		}
		return item.ListValue(elements)
	case f.Fields != nil:
		return r.fields(f, typ, raw)
	case f.Float:
		return item.FloatValue(floatOf(raw))
	}
	switch f.Kind {
	case keys.Int, keys.Int64:
		n, _ := keys.ParseInt64(raw)
		return item.IntValue(n)
	case keys.Boolean:
		is, _ := raw.(bool)
		return item.BoolValue(is)
	case keys.IDKind:
		var id keys.ID
		_ = id.UnmarshalGQL(raw)
		return keys.EncodedID(id)
	}
	text, _ := raw.(string)
	if f.Kind == keys.Time {
		t, _ := keys.ParseTime(text)
		return item.TimeValue(t)
	}
	return item.StringValue(text)
}

// fields returns the stored value of an input object.
func (r *inputReader) fields(f *Format, typ *ast.Type, raw any) item.Value {
	object, _ := raw.(map[string]any)
	definition := r.AST.Types[typ.Name()]
	var fields item.Item
	for _, part := range f.Fields {
		field := definition.Fields.ForName(part.Name)
		if v, given := valueIn(object, field); given {
			fields = append(fields, item.Attribute{Name: part.Name, Value: r.stored(part.Format, field.Type, v)})
		}
	}
	return item.MapValue(fields)
}

func floatOf(raw any) float64 {
	if n, is := raw.(json.Number); is {
		f, _ := n.Float64()
		return f
	}
	return number(raw)
}

// once sets the idempotency key and the digest of the input.
func (r *inputReader) once() {
	r.IdempotencyKey, _ = r.given[idempotencyKey].(string)
	if r.IdempotencyKey == "" {
		return
	}
	digest, err := write.Digest(jsonOf(item.FieldsValue(r.Set)))
	if err != nil {
		panic(errors.Join(errors.New("plan: bug: an input that is no JSON"), err))
	}
	r.Digest = digest
}

// jsonOf returns a value as encoding/json writes it, with the attributes of objects in a fixed order.
func jsonOf(v item.Value) any {
	switch v.Kind {
	case item.Null:
		return nil
	case item.List:
		list := make([]any, len(v.Elements()))
		for i, e := range v.Elements() {
			list[i] = jsonOf(e)
		}
		return list
	case item.Map:
		object := make(map[string]any, len(v.Fields()))
		for _, a := range v.Fields() {
			object[a.Name] = jsonOf(a.Value)
		}
		return object
	default:
		return v.Text
	}
}
