package prices

import (
	"fmt"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/plan"
)

// worst searches the worst case of an operation.
type worst struct {
	schema    *ast.Schema
	design    *keys.Design
	document  *ast.QueryDocument
	operation *ast.OperationDefinition
	plans     *plan.Schema
	now       time.Time

	// values are those of the variables. Each of the choices is a list of values for some of them, together.
	values  map[string]any
	choices [][]map[string]any
	// inside counts the objects of each input type around a value.
	inside map[string]int
}

// collect sets values and choices.
func (w *worst) collect() {
	for _, v := range w.operation.VariableDefinitions {
		w.values[v.Variable] = w.value(v.Type, "", 0)
	}
	w.selections(w.operation.SelectionSet)
	for _, f := range w.document.Fragments {
		w.selections(f.SelectionSet)
	}
}

func (w *worst) selections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			w.conditions(s.Directives)
			w.field(s)
			w.selections(s.SelectionSet)
		case *ast.InlineFragment:
			w.conditions(s.Directives)
			w.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			w.conditions(s.Directives)
		}
	}
}

// conditions adds the choices of @skip and @include. At first, what has them is selected.
func (w *worst) conditions(directives ast.DirectiveList) {
	for _, d := range directives {
		name := variableOf(d.Arguments, "if")
		if name == "" || d.Name != "skip" && d.Name != "include" {
			continue
		}
		selects := d.Name == "include"
		if w.values[name] = selects; !w.has(name) {
			w.choose(map[string]any{name: selects}, map[string]any{name: !selects})
		}
	}
}

// has reports whether there is a choice about a variable alone.
func (w *worst) has(name string) bool {
	return slices.ContainsFunc(w.choices, func(options []map[string]any) bool {
		_, has := options[0][name]
		return has && len(options[0]) == 1
	})
}

func (w *worst) choose(options ...map[string]any) { w.choices = append(w.choices, options) }

// variableOf returns the name of the variable that an argument is, or "".
func variableOf(arguments ast.ArgumentList, name string) string {
	if a := arguments.ForName(name); a != nil && a.Value.Kind == ast.Variable {
		return a.Value.Raw
	}
	return ""
}

func (w *worst) field(f *ast.Field) {
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
	case read.Kind == keys.Node || read.Kind == keys.Nodes:
		w.nodes(f)
	default:
		w.buckets(f, read)
		if read.Result == keys.Connection {
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
	for name, value := range options[0] {
		w.values[name] = value
	}
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
func (w *worst) buckets(f *ast.Field, read *keys.Field) {
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
func (w *worst) mutation(f *ast.Field, m *keys.Mutation) {
	input := f.Arguments.ForName("input")
	if input == nil {
		return
	}
	set := func(v *ast.Value, field string, object map[string]any) {
		id := idOf(m.Type, w.identity(m.Type), 0)
		if a := w.design.Type(m.Type).Attribute(field); a != nil && field != "id" {
			id = idOf(a.Ref, w.identity(a.Ref), 0)
		}
		switch {
		case object != nil:
			object[field] = id
		case v.Kind == ast.Variable:
			w.values[v.Raw] = id
		}
	}
	isID := func(def *ast.FieldDefinition) bool { return def.Type.Elem == nil && def.Type.NamedType == "ID" }
	definition := w.schema.Types[f.Definition.Arguments.ForName("input").Type.Name()]
	if input.Value.Kind == ast.Variable {
		object, _ := w.values[input.Value.Raw].(map[string]any)
		for _, field := range definition.Fields {
			if isID(field) {
				set(nil, field.Name, object)
			}
		}
		return
	}
	for _, child := range input.Value.Children {
		if field := definition.Fields.ForName(child.Name); field != nil && isID(field) {
			set(child.Value, child.Name, nil)
		}
	}
}

// value returns a value of a type with which an operation costs the most. IDs are those of objects of the type of, or
// texts. depth is the number of lists and objects around the value.
func (w *worst) value(t *ast.Type, of string, depth int) any {
	if t.Elem != nil {
		n := plan.MaxPage
		if depth > 1 {
			n = 1
		}
		if w.inside[t.Name()] == maxInside {
			n = 0
		}
		list := make([]any, n)
		for i := range list {
			if list[i] = w.value(t.Elem, of, depth+1); t.Elem.Name() == "ID" && t.Elem.Elem == nil {
				list[i] = idOf(of, w.identity(of), i)
			}
		}
		return list
	}
	switch def := w.schema.Types[t.NamedType]; {
	case t.NamedType == "Int":
		return plan.MaxPage
	case t.NamedType == "Float":
		return 1.5
	case t.NamedType == "Boolean":
		return true
	case t.NamedType == "ID":
		return idOf(of, w.identity(of), 0)
	case t.NamedType == "Time":
		return w.now.UTC().Format(time.RFC3339)
	case t.NamedType == "Date":
		return w.now.UTC().Format(time.DateOnly)
	case t.NamedType == "Int64":
		return "1"
	case def != nil && def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def != nil && def.Kind == ast.InputObject:
		return w.object(def, depth)
	}
	return "a"
}

// maxInside ends input types that contain themselves, maxDepth those that contain many others.
const maxInside, maxDepth = 2, 6

func (w *worst) object(def *ast.Definition, depth int) any {
	if w.inside[def.Name] == maxInside {
		return nil
	}
	w.inside[def.Name]++
	defer func() { w.inside[def.Name]-- }()
	object := map[string]any{}
	for _, f := range def.Fields {
		if f.Type.NonNull || depth < maxDepth {
			object[f.Name] = w.value(f.Type, "", depth+1)
		}
		if def.Directives.ForName("oneOf") != nil {
			break
		}
	}
	return object
}

// identity returns how many values the ids of a stored type have; 0 if there is no such type.
func (w *worst) identity(name string) int {
	if t := w.design.Type(name); t != nil {
		return len(t.Identity)
	}
	return 0
}

// idOf returns the n-th id of a stored type, or a text without one.
func idOf(name string, values, n int) string {
	if values == 0 {
		return fmt.Sprintf("a%d", n)
	}
	parts := make([]string, values)
	for i := range parts {
		parts[i] = fmt.Sprint(n + 1)
	}
	return keys.NewID(name, parts...).Encode()
}
