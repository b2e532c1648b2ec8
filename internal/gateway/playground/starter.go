package playground

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

const (
	// maxStarters is how many tabs a schema without examples has, maxLeaves how many fields of an object they select.
	maxStarters = 10
	maxLeaves   = 6
)

// Starters returns tabs for a schema that has no examples: one for each of its first queries, with the fields of the
// objects that need no arguments. The visitor enters the values that a query needs.
func Starters(schema *ast.Schema) []Tab {
	var tabs []Tab
	for _, f := range schema.Query.Fields {
		isGlobal := f.Name == "node" || f.Name == "nodes"
		if isGlobal || strings.HasPrefix(f.Name, "_") || len(tabs) == maxStarters {
			continue
		}
		tabs = append(tabs, Tab{Query: starter(schema, f)})
	}
	return tabs
}

func starter(schema *ast.Schema, f *ast.FieldDefinition) string {
	var arguments []string
	comment := ""
	for _, a := range f.Arguments {
		switch {
		case a.Type.NonNull && a.DefaultValue == nil:
			arguments = append(arguments, a.Name+": "+placeholder(schema, a.Type))
			comment = "# Enter values for the arguments.\n"
		case a.Name == "first":
			arguments = append(arguments, "first: 5")
		}
	}
	return comment + "query " + strings.ToUpper(f.Name[:1]) + f.Name[1:] + " {\n" +
		"  " + f.Name + inParentheses(arguments) + selection(schema, schema.Types[f.Type.Name()], "  ") + "\n}\n"
}

// placeholder returns a value of a type that the visitor replaces.
func placeholder(schema *ast.Schema, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + placeholder(schema, t.Elem) + "]"
	}
	switch def := schema.Types[t.NamedType]; {
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind == ast.InputObject:
		return "{}"
	case def.Name == "Int" || def.Name == "Float":
		return "0"
	case def.Name == "Boolean":
		return "false"
	default:
		return `""`
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
