package plan

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// inputReader reads an input.
type inputReader struct {
	*Schema
	mutation   *design.Mutation
	object     *design.Type
	definition *ast.Definition
	given      map[string]any
	// prefix begins the names of the values: those of an element of a list.
	prefix string
	*mutationInput
}

func (r *inputReader) read() {
	m := r.mutation
	for _, in := range m.ActionInputs {
		if in.List == "" {
			r.actionInput(in, in.Name)
		}
	}
	for _, list := range m.Lists() {
		r.elements(list)
	}
	if m.HasID {
		r.id()
	}
	for _, name := range slices.Concat(m.Keys, m.Inputs) {
		r.attribute(name, name)
	}
	if r.object.Version != "" && m.Kind != design.CreateMutation && m.Kind != design.ActionMutation {
		version, _ := keys.ParseInt64(r.given[r.object.Version])
		r.Version = int(version)
	}
	if m.HasIdempotencyKey {
		r.IdempotencyKey, _ = r.given[idempotencyKey].(string)
	}
}

func (r *inputReader) add(name string, v item.Value) {
	r.Set = append(r.Set, item.Attribute{Name: r.prefix + name, Value: v})
}

// id reads the global id of the object.
func (r *inputReader) id() {
	_ = r.ID.UnmarshalGQL(r.given["id"]) // mutationArguments returns the error
	r.ID = r.Design.CurrentID(r.ID)
	if r.ID.Type() != r.object.Name || len(r.ID.Values()) != len(r.object.Identity) {
		r.errors.Add(write.CodeInvalid, "id", "id must be an id of type %s, exactly as a response gave it", r.object.Name)
	}
}

// actionInput reads a field of the input of an action, or of an element of a list in it.
func (r *inputReader) actionInput(in design.ActionInput, name string) {
	of := *r
	if of.object = r.Design.Type(in.Type); of.object.Attribute(in.Attribute) != nil {
		of.attribute(name, in.Attribute)
		return
	}
	var id keys.ID // of several values
	_ = id.UnmarshalGQL(r.given[name])
	r.add(name, keys.IDAttribute(r.Design.CurrentID(id)))
}

// attribute reads a field of the input that has a value of an attribute of the object.
func (r *inputReader) attribute(name, attribute string) {
	raw, given := valueIn(r.given, r.definition.Fields.ForName(name))
	a := r.object.Attribute(attribute)
	switch {
	case raw != nil:
	case given && (r.mutation.Kind == design.UpdateMutation || r.mutation.Kind == design.ActionMutation):
		r.Remove = append(r.Remove, r.prefix+name)
		return
	default:
		return
	}
	if a.Kind == keys.IDKind {
		var id keys.ID
		_ = id.UnmarshalGQL(raw) // mutationArguments returns the error
		r.add(name, keys.IDAttribute(r.Design.CurrentID(id)))
		return
	}
	format := r.types[r.object.Name].fields[attribute].format
	r.add(name, r.stored(format, r.definition.Fields.ForName(name).Type, raw))
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

// stored returns the stored value of a value of an input. typ is its type in the input. f is nil for an object type
// that contains itself, and what is in it.
func (r *inputReader) stored(f *Format, typ *ast.Type, raw any) item.Value {
	if f == nil && typ.Elem == nil {
		f = r.formatOf(typ, "", nil)
	}
	switch {
	case raw == nil:
		return item.Value{}
	case f != nil && f.Any:
		return jsonValue(raw)
	case typ.Elem != nil:
		list, isList := raw.([]any)
		if !isList {
			list = []any{raw}
		}
		var element *Format
		if f != nil {
			element = f.Element
		}
		elements := make([]item.Value, len(list))
		for i, v := range list {
			elements[i] = r.stored(element, typ.Elem, v)
		}
		return item.ListValue(elements)
	case r.AST.Types[typ.Name()].Kind == ast.InputObject:
		return r.fields(f, typ, raw)
	case f == nil:
		return jsonValue(raw)
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

// fields returns the stored value of an input object. For an update, a field that is not set is NULL.
func (r *inputReader) fields(f *Format, typ *ast.Type, raw any) item.Value {
	object, _ := raw.(map[string]any)
	var fields item.Item
	for _, field := range r.AST.Types[typ.Name()].Fields {
		var format *Format
		if f != nil {
			part := slices.IndexFunc(f.Fields, func(part FieldFormat) bool { return part.Name == field.Name })
			if part < 0 {
				continue
			}
			format = f.Fields[part].Format
		}
		v, given := valueIn(object, field)
		if given || r.mutation.Kind == design.UpdateMutation {
			fields = append(fields, item.Attribute{Name: field.Name, Value: r.stored(format, field.Type, v)})
		}
	}
	if r.mutation.Kind == design.UpdateMutation {
		return item.FieldsValue(fields)
	}
	return item.MapValue(fields)
}

// jsonValue returns the stored value of a value without a format: of its JSON as it is.
func jsonValue(raw any) item.Value {
	switch raw := raw.(type) {
	case string:
		return item.StringValue(raw)
	case bool:
		return item.BoolValue(raw)
	case json.Number:
		return item.Value{Kind: item.Number, Text: raw.String()}
	case int64:
		return item.IntValue(raw)
	case float64:
		return item.FloatValue(raw)
	case []any:
		return item.ListValue(valuesOf(raw))
	case map[string]any:
		var fields item.Item
		for _, name := range slices.Sorted(maps.Keys(raw)) {
			fields = append(fields, item.Attribute{Name: name, Value: jsonValue(raw[name])})
		}
		return item.FieldsValue(fields)
	default:
		return item.Value{}
	}
}

func valuesOf(list []any) []item.Value {
	values := make([]item.Value, len(list))
	for i, v := range list {
		values[i] = jsonValue(v)
	}
	return values
}

func floatOf(raw any) float64 {
	if n, is := raw.(json.Number); is {
		f, _ := n.Float64()
		return f
	}
	return number(raw)
}
