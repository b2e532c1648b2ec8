package prices

import (
	"maps"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// field adds the choices of the variables in the arguments of a field.
func (w *worst) field(f *ast.Field) {
	w.constant[f.Position] = !slices.ContainsFunc(f.Arguments, func(a *ast.Argument) bool {
		return len(variablesIn(a.Value)) > 0
	})
	if f.ObjectDefinition == nil || f.Definition == nil {
		return
	}
	if mutation := w.design.Mutation(f.Name); mutation != nil && f.ObjectDefinition == w.schema.Mutation {
		w.mutation(f, mutation)
		return
	}
	read := w.design.Field(f.ObjectDefinition.Name, f.Name)
	switch {
	case read == nil:
	case read.Kind.IsByID():
		w.nodes(f)
	default:
		w.buckets(f, read)
		if read.Result == design.Connection {
			w.page(f)
		}
	}
}

// page adds the choices of a connection: the largest page in each direction, from the beginning or a cursor.
func (w *worst) page(f *ast.Field) {
	first, after := variableOf(f.Arguments, "first"), variableOf(f.Arguments, "after")
	last, before := variableOf(f.Arguments, "last"), variableOf(f.Arguments, "before")
	if first == "" && after == "" && last == "" && before == "" {
		return
	}
	const cursor = "cursor" // only whether there is one makes a difference
	var options []map[string]any
	for _, given := range [][4]any{
		{plan.MaxPage, nil, nil, nil}, {plan.MaxPage, cursor, nil, nil},
		{nil, nil, plan.MaxPage, nil}, {nil, nil, plan.MaxPage, cursor},
	} {
		option := map[string]any{}
		for i, name := range []string{first, after, last, before} {
			if name != "" && (given[i] != nil || w.isNullable(name)) {
				option[name] = given[i]
			}
		}
		options = append(options, option)
	}
	maps.Copy(w.values, options[0])
	w.choose(options...)
}

func (w *worst) isNullable(name string) bool {
	v := w.operation.VariableDefinitions.ForName(name)
	return v != nil && !v.Type.NonNull
}

// nodes adds the choices of the fields node and nodes: ids of each type.
func (w *worst) nodes(f *ast.Field) {
	for _, a := range f.Arguments {
		for _, name := range variablesIn(a.Value) {
			definition := w.operation.VariableDefinitions.ForName(name)
			if definition == nil {
				continue
			}
			var options []map[string]any
			for _, t := range w.design.Types {
				options = append(options, map[string]any{name: w.value(definition.Type, t.Name, 0)})
			}
			if len(options) > 0 {
				w.choose(options...)
			}
		}
	}
}

// variablesIn returns the names of the variables in a value.
func variablesIn(v *ast.Value) []string {
	if v.Kind == ast.Variable {
		return []string{v.Raw}
	}
	var names []string
	for _, child := range v.Children {
		names = append(names, variablesIn(child.Value)...)
	}
	return names
}

// buckets adds the choices of a range over time buckets: all that one page may read, or no range.
func (w *worst) buckets(f *ast.Field, read *design.Field) {
	argument := read.Bucketed()
	given := f.Arguments.ForName(argument)
	if argument == "" || given == nil {
		return
	}
	from := bucketsBefore(w.now, read.PK.Bucket(argument)).UTC().Format(time.RFC3339)
	if given.Value.Kind == ast.Variable {
		options := []map[string]any{{given.Value.Raw: map[string]any{"from": from}}}
		if w.isNullable(given.Value.Raw) {
			options = append(options, map[string]any{given.Value.Raw: nil})
		}
		w.values[given.Value.Raw] = options[0][given.Value.Raw]
		w.choose(options...)
		return
	}
	for _, end := range given.Value.Children {
		if name := end.Value.Raw; end.Value.Kind == ast.Variable {
			if w.values[name] = from; end.Name == "to" {
				w.values[name] = w.now.UTC().Format(time.RFC3339)
			}
			if w.isNullable(name) {
				w.choose(map[string]any{name: w.values[name]}, map[string]any{name: nil})
			}
		}
	}
}

// bucketsBefore returns the beginning of a range that ends at a time and has as many buckets as a range may have.
func bucketsBefore(now time.Time, bucket keys.Bucket) time.Time {
	const n = keys.MaxBuckets - 1
	now = now.UTC()
	switch bucket {
	case keys.Year:
		return time.Date(now.Year()-n, 1, 1, 0, 0, 0, 0, time.UTC)
	case keys.Month:
		return time.Date(now.Year(), now.Month()-n, 1, 0, 0, 0, 0, time.UTC)
	case keys.Day:
		return now.AddDate(0, 0, -n)
	}
	return now.Add(-n * time.Hour)
}

// mutation sets the ids in the input of a mutation without hand-written Go: those of the types that it expects.
func (w *worst) mutation(f *ast.Field, m *design.Mutation) {
	given := f.Arguments.ForName("input")
	if given == nil {
		return
	}
	for _, list := range m.Lists() {
		w.shorten(given.Value, list, m.AtMost(list))
	}
	for _, field := range w.schema.Types[f.Definition.Arguments.ForName("input").Type.Name()].Fields {
		if field.Type.Elem != nil || field.Type.NamedType != "ID" {
			continue
		}
		id := w.idIn(m, field.Name)
		if input, is := w.values[given.Value.Raw].(map[string]any); is && given.Value.Kind == ast.Variable {
			input[field.Name] = id
		}
		if child := given.Value.Children.ForName(field.Name); child != nil && child.Kind == ast.Variable {
			w.values[child.Raw] = id
		}
	}
}

// shorten lets a list in the input of a mutation have as many elements as it may have at most.
func (w *worst) shorten(input *ast.Value, list string, most int) {
	short := func(v any) any {
		if all, is := v.([]any); is && len(all) > most {
			return all[:most]
		}
		return v
	}
	if values, is := w.values[input.Raw].(map[string]any); is && input.Kind == ast.Variable {
		values[list] = short(values[list])
	}
	if child := input.Children.ForName(list); child != nil && child.Kind == ast.Variable {
		w.values[child.Raw] = short(w.values[child.Raw])
	}
}

// idIn returns an id for a field in the input of a mutation: of the object itself, or of one that it refers to.
func (w *worst) idIn(m *design.Mutation, field string) string {
	name := m.Type
	if in := m.Input(field); in != nil {
		name, field = in.Type, in.Attribute
	}
	if a := w.design.Type(name).Attribute(field); a != nil && field != "id" {
		name = a.Ref
	}
	return idOf(name, w.identity(name), 0)
}
