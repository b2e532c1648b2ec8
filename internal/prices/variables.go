package prices

import (
	"fmt"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// worst searches the worst case of an operation.
type worst struct {
	schema    *ast.Schema
	design    *design.Design
	document  *ast.QueryDocument
	operation *ast.OperationDefinition
	plans     *plan.Schema
	now       time.Time

	// values are those of the variables. Each of the choices is a list of values for some of them, together.
	values  map[string]any
	choices [][]map[string]any
	// inside counts the objects of each input type around a value.
	inside map[string]int
	// constant are the fields, by their positions, whose arguments contain no variables.
	constant map[*ast.Position]bool
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
