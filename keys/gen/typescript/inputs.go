package typescript

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// ownScalars are the types of the scalars that are built into every schema. The values of others are unknown.
var ownScalars = map[string]string{"Time": "string", "Date": "string", "Int64": "string"}

// shared returns the types of the schema that operations use, sorted by name.
func (g *generator) shared(document *ast.QueryDocument) (string, error) {
	var b strings.Builder
	var errs gqlerror.List
	taken := documentNames(document)
	for _, name := range slices.Sorted(maps.Keys(g.used)) {
		def := g.schema.Types[name]
		if position, is := taken[name]; is {
			errs = append(errs, gqlerror.ErrorPosf(position,
				"The module would have the name %s twice, because the schema has such a type: rename what is here.", name))
		}
		if slices.Contains(reserved, name) {
			errs = append(errs, gqlerror.ErrorPosf(def.Position, "The type %s has a name that TypeScript reserves.", name))
		}
		b.WriteString("\n" + comment(def.Description, nil, ""))
		fmt.Fprintf(&b, "export type %s = %s;\n", name, g.definition(def))
	}
	return b.String(), sorted(errs)
}

func (g *generator) definition(def *ast.Definition) string {
	switch def.Kind {
	case ast.Enum:
		values := make([]string, len(def.EnumValues))
		for i, v := range def.EnumValues {
			values[i] = "'" + v.Name + "'"
		}
		return strings.Join(values, " | ")
	case ast.InputObject:
		return g.input(def)
	default:
		if text, ok := ownScalars[def.Name]; ok {
			return text
		}
		return "unknown"
	}
}

// input returns the type of an input. Of one with @oneOf, a value has exactly one field.
func (g *generator) input(def *ast.Definition) string {
	if def.Directives.ForName("oneOf") == nil {
		var b strings.Builder
		for _, f := range def.Fields {
			b.WriteString(comment(f.Description, f.Directives, "  ") + g.property("  ", f.Name, f.Type, f.DefaultValue) + "\n")
		}
		return "{\n" + b.String() + "}"
	}
	choices := make([]string, len(def.Fields))
	for i, chosen := range def.Fields {
		var b strings.Builder
		for _, f := range def.Fields {
			if f == chosen {
				required := *f.Type
				required.NonNull = true
				b.WriteString(g.property(" ", f.Name, &required, nil))
			} else {
				fmt.Fprintf(&b, " %s?: never;", f.Name)
			}
		}
		choices[i] = "{" + b.String() + " }"
	}
	return strings.Join(choices, " | ")
}

// variables returns the type of an operation's variables.
func (g *generator) variables(o *ast.OperationDefinition) string {
	if len(o.VariableDefinitions) == 0 {
		return "{ [name: string]: never }"
	}
	var b strings.Builder
	for _, v := range o.VariableDefinitions {
		b.WriteString(g.property("  ", v.Variable, v.Type, v.DefaultValue) + "\n")
	}
	return "{\n" + b.String() + "}"
}

// property returns a value that callers pass. They can leave it out if it has a default or can be null.
func (g *generator) property(indent, name string, t *ast.Type, byDefault *ast.Value) string {
	optional := ""
	if !t.NonNull || byDefault != nil {
		optional = "?"
	}
	return fmt.Sprintf("%s%s%s: %s;", indent, name, optional, typeOf(t, g.leaf(g.schema.Types[t.Name()])).text)
}

// comment returns a description, and why something is deprecated, as a comment with a line end; "" for none.
func comment(description string, directives ast.DirectiveList, indent string) string {
	text := strings.TrimSpace(description)
	if d := directives.ForName("deprecated"); d != nil {
		reason := "No longer supported" // the default of GraphQL
		if given := d.Arguments.ForName("reason"); given != nil {
			reason = given.Value.Raw
		}
		text = strings.TrimSpace(text + "\n@deprecated " + strings.Join(strings.Fields(reason), " "))
	}
	if text == "" {
		return ""
	}
	text = strings.ReplaceAll(text, "*/", "*\\/")
	if !strings.Contains(text, "\n") {
		return indent + "/** " + text + " */\n"
	}
	line := "\n" + indent + " * "
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\n", line), " * \n", " *\n")
	return indent + "/**" + line + text + "\n" + indent + " */\n"
}
