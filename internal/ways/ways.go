// Package ways lists the ways through a schema, and describes what an answer shows at their ends. Tests go all
// ways as several viewers, so that the access rule of each field is tested.
package ways

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Way leads from a root field to an object: the result of its last step.
type Way struct {
	schema *ast.Schema
	steps  []step
}

type step struct {
	parent, field string
	// text is the field with its arguments.
	text string
	// object is the type of the result; with fragment, the field's own type is abstract.
	object   *ast.Definition
	fragment bool
}

// Argument returns the literal of a field's argument with which the field returns an object of a type, or "" to
// leave the argument out.
type Argument func(
	parent *ast.Definition, f *ast.FieldDefinition, a *ast.ArgumentDefinition, object *ast.Definition,
) string

// All returns a way for each field of Query and of each object that returns objects, and for each type of its
// result. Objects with an id are reached by the shortest way to one, pages and edges by all ways without a cycle.
func All(schema *ast.Schema, argument Argument) []Way {
	known := map[string]bool{}
	all := from(Way{schema: schema}, schema.Query, argument)
	for i := 0; i < len(all); i++ {
		object := all[i].last().object
		if !known[object.Name] || !slices.Contains(object.Interfaces, "Node") && !all[i].isCycle() {
			known[object.Name] = true
			all = append(all, from(all[i], object, argument)...)
		}
	}
	return all
}

func from(to Way, parent *ast.Definition, argument Argument) []Way {
	var all []Way
	for _, f := range parent.Fields {
		def := to.schema.Types[f.Type.Name()]
		if strings.HasPrefix(f.Name, "__") || !def.IsCompositeType() {
			continue
		}
		possible := slices.Clone(to.schema.GetPossibleTypes(def))
		slices.SortFunc(possible, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
		for _, object := range possible {
			var arguments []string
			for _, a := range f.Arguments {
				if literal := argument(parent, f, a, object); literal != "" {
					arguments = append(arguments, a.Name+": "+literal)
				}
			}
			text := f.Name
			if len(arguments) > 0 {
				text += "(" + strings.Join(arguments, ", ") + ")"
			}
			next := step{parent: parent.Name, field: f.Name, text: text, object: object, fragment: def.IsAbstractType()}
			all = append(all, Way{to.schema, append(slices.Clone(to.steps), next)})
		}
	}
	return all
}

// isCycle reports whether the way has passed an object of its last type before.
func (w Way) isCycle() bool {
	return slices.ContainsFunc(w.steps[:len(w.steps)-1], func(s step) bool { return s.object == w.last().object })
}

func (w Way) last() step { return w.steps[len(w.steps)-1] }

// String returns the last field, its result, and the fields that lead to it.
func (w Way) String() string {
	names := []string{}
	for _, s := range w.steps {
		name := s.field
		if s.fragment {
			name += "(" + s.object.Name + ")"
		}
		names = append(names, name)
	}
	last := w.last()
	return last.parent + "." + last.field + " -> " + last.object.Name + ", by " + strings.Join(names, ".")
}

// leaves returns the names of the object's scalar fields without arguments.
func (w Way) leaves() []string {
	var names []string
	for _, f := range w.last().object.Fields {
		if !w.schema.Types[f.Type.Name()].IsCompositeType() && len(f.Arguments) == 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// Query returns a document that selects all leaves of the object.
func (w Way) Query() string {
	text := "__typename " + strings.Join(w.leaves(), " ")
	for _, s := range slices.Backward(w.steps) {
		if s.fragment {
			text = "... on " + s.object.Name + " { " + text + " }"
		}
		text = s.text + " { " + text + " }"
	}
	return "{ " + text + " }"
}

// Error is an error of an answer.
type Error struct {
	Path []any
	Code string
}

// Shown describes how much an answer to Query shows of the first such object.
func (w Way) Shown(data map[string]any, errors []Error) string {
	var value any = data
	var path []any
	down := func(key string) {
		path = append(path, key)
		object, _ := value.(map[string]any)
		value = object[key]
		for {
			list, is := value.([]any)
			if !is || len(list) == 0 {
				return
			}
			i := max(0, slices.IndexFunc(list, isFilled))
			path, value = append(path, i), list[i]
		}
	}
	for _, s := range w.steps {
		if down(s.field); value == nil {
			return reason(errors, path) + " at " + s.parent + "." + s.field
		}
	}
	object, at := value, path
	var hidden []string
	for _, name := range w.leaves() {
		value, path = object, slices.Clone(at)
		if down(name); value == nil {
			hidden = append(hidden, name+" "+reason(errors, path))
		}
	}
	if len(hidden) == 0 {
		return "all"
	}
	return "all but " + strings.Join(hidden, ", ")
}

// isFilled reports whether a value has any field. An object has none if Query has no fragment for its type.
func isFilled(value any) bool {
	object, is := value.(map[string]any)
	if !is {
		return value != nil
	}
	for _, field := range object {
		if isFilled(field) {
			return true
		}
	}
	return false
}

// reason returns the code of the error at or below a path.
func reason(errors []Error, path []any) string {
	for _, e := range errors {
		if strings.HasPrefix(fmt.Sprint(e.Path...)+" ", strings.TrimSuffix(fmt.Sprint(path...), "0")) {
			return e.Code
		}
	}
	return "null"
}
