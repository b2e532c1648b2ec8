package playground

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

const (
	// maxStarters is how many tabs a schema without examples has, maxLeaves how many fields of an object they select.
	maxStarters = 10
	maxLeaves   = 6
)

// Starters returns tabs for a schema that has no examples: one for each of its first queries, with the fields of the
// objects that need no arguments. What a query needs is a variable, which the visitor fills in.
func Starters(schema *ast.Schema) []Tab {
	var tabs []Tab
	for _, f := range schema.Query.Fields {
		isGlobal := f.Name == "node" || f.Name == "nodes"
		if isGlobal || strings.HasPrefix(f.Name, "_") || len(tabs) == maxStarters {
			continue
		}
		tabs = append(tabs, starter(schema, f))
	}
	return tabs
}

func starter(schema *ast.Schema, f *ast.FieldDefinition) Tab {
	var variables, arguments []string
	values := map[string]any{}
	for _, a := range f.Arguments {
		switch {
		case a.Type.NonNull && a.DefaultValue == nil:
			variables = append(variables, fmt.Sprintf("$%s: %s", a.Name, a.Type))
			arguments = append(arguments, fmt.Sprintf("%s: $%s", a.Name, a.Name))
			values[a.Name] = valueOf(schema.Types[a.Type.Name()], a.Type)
		case a.Name == "first":
			arguments = append(arguments, "first: 5")
		}
	}
	query := ""
	if len(variables) > 0 {
		query = "# Enter the values below, in Variables.\n"
	}
	query += "query " + strings.ToUpper(f.Name[:1]) + f.Name[1:] + inParentheses(variables) + " {\n" +
		"  " + f.Name + inParentheses(arguments) + selection(schema, schema.Types[f.Type.Name()], "  ") + "\n}\n"
	tab := Tab{Query: query}
	if len(values) > 0 {
		text, err := json.MarshalIndent(values, "", "  ")
		if err != nil {
			panic(err) // texts and lists of them are JSON
		}
		tab.Variables = string(text)
	}
	return tab
}

// valueOf returns a value of a type that the visitor replaces, or for an enum uses.
func valueOf(def *ast.Definition, t *ast.Type) any {
	switch {
	case t.Elem != nil:
		return []any{valueOf(def, t.Elem)}
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind == ast.InputObject:
		return map[string]any{}
	default:
		return ""
	}
}

func inParentheses(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// selection returns a selection of an object: the fields without arguments that have no subfields, or those of the
// nodes of a connection. It is empty for a value without fields.
func selection(schema *ast.Schema, def *ast.Definition, indent string) string {
	if def.IsLeafType() {
		return ""
	}
	inner := indent + "  "
	if nodes := def.Fields.ForName("nodes"); nodes != nil && strings.HasSuffix(def.Name, "Connection") {
		below := selection(schema, schema.Types[nodes.Type.Name()], inner)
		return " {\n" + inner + "nodes" + below + "\n" + inner + "pageInfo { hasNextPage endCursor }\n" + indent + "}"
	}
	names := leaves(schema, def)
	return " {\n" + inner + strings.Join(names, "\n"+inner) + "\n" + indent + "}"
}

func leaves(schema *ast.Schema, def *ast.Definition) []string {
	var names []string
	for _, f := range def.Fields {
		isMeta := strings.HasPrefix(f.Name, "__")
		if !isMeta && len(f.Arguments) == 0 && schema.Types[f.Type.Name()].IsLeafType() && len(names) < maxLeaves {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 || def.IsAbstractType() {
		names = append([]string{"__typename"}, names...)
	}
	return names
}
