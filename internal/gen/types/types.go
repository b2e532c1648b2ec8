// Package types generates Go types for programs that write to the table without the gateway: a struct for each stored
// type, and a function that returns all items in which the object is stored.
package types

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/literal"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

//go:embed types.gotpl
var fileTemplate string

var file = template.Must(template.New("types.gotpl").Funcs(template.FuncMap{
	"literal": func(v any) string { return literal.Of(reflect.ValueOf(v)) },
	"comment": comment,
}).Parse(fileTemplate))

// Go returns a Go file of a package with that name. It imports the AWS SDK's attribute values and packages of Partita
// that make keys and items, nothing that serves. The error is directives.Findings if two things have the same Go name.
func Go(schema *directives.Schema, packageName string) ([]byte, error) {
	g := &generator{Schema: schema, Package: packageName}
	for _, t := range schema.Types {
		g.Structs = append(g.Structs, g.structOf(schema.TypeDef(t.Name), t))
	}
	// The structs and enums that others need are found on the way.
	for len(g.Embedded) < len(g.objects) {
		g.Embedded = append(g.Embedded, g.structOf(g.objects[len(g.Embedded)], nil))
	}
	if findings := g.checkNames(); len(findings) > 0 {
		return nil, findings
	}
	var b bytes.Buffer
	if err := file.Execute(&b, g); err != nil {
		return nil, err
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("types: bug: %w in\n%s", err, b.Bytes())
	}
	return text, nil
}

type generator struct {
	*directives.Schema
	Package           string
	Structs, Embedded []object
	Enums             []*ast.Definition
	objects           []*ast.Definition
	usesTime          bool
	// HasOwnScalars is set if a field has a scalar that the schema declares itself, and HasIDs if one is an ID.
	HasOwnScalars, HasIDs bool
}

// Imports returns the import of package time, if a field is a time.
func (g *generator) Imports() []string {
	if g.usesTime {
		return []string{"time"}
	}
	return nil
}

// EnumName returns the Go name of a value.
func (g *generator) EnumName(def *ast.Definition, value string) string {
	return goName(def.Name) + goName(strings.ToLower(value))
}

// GoName returns the Go name of a definition.
func (g *generator) GoName(def *ast.Definition) string { return goName(def.Name) }

// object is a struct.
type object struct {
	Name, GoName, Description string
	Fields                    []field
}

// field is a field of a struct, with the expression of its value in an item.
type field struct{ Name, GoName, Type, Description, Value string }

func (g *generator) structOf(def *ast.Definition, t *design.Type) object {
	o := object{Name: def.Name, GoName: goName(def.Name), Description: def.Description}
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") || t != nil && t.Attribute(f.Name) == nil {
			continue
		}
		out := field{Name: f.Name, GoName: goName(f.Name), Description: f.Description}
		expression := "o." + out.GoName
		if t != nil && t.Attribute(f.Name).Kind == keys.IDKind {
			g.HasIDs = true
			out.Type, out.Value = "string", fmt.Sprintf("id(%q)(%s)", t.Attribute(f.Name).Ref, expression)
			if !f.Type.NonNull {
				out.Type, out.Value = "*string", fmt.Sprintf("item.NullableValue(%s, id(%q))", expression, t.Attribute(f.Name).Ref)
			}
		} else {
			out.Type, out.Value = g.goType(f.Type), g.value(f.Type, expression)
		}
		o.Fields = append(o.Fields, out)
	}
	return o
}

// scalars are the Go types of scalars, and the functions that store their values.
var scalars = map[string][2]string{
	"String":  {"string", "item.StringValue"},
	"ID":      {"string", "item.StringValue"},
	"Int":     {"int", "item.NumberValue"},
	"Int64":   {"int64", "item.IntValue"},
	"Float":   {"float64", "item.FloatValue"},
	"Boolean": {"bool", "item.BoolValue"},
	"Time":    {"time.Time", "item.TimeValue"},
	"Date":    {"keys.CalendarDate", "item.TextValue[keys.CalendarDate]"},
}

// named returns the Go type of a named type without a pointer, and the function that stores its values.
func (g *generator) named(name string) (goType, store string) {
	g.usesTime = g.usesTime || name == "Time"
	if s, ok := scalars[name]; ok {
		return s[0], s[1]
	}
	def, exported := g.TypeDef(name), goName(name)
	switch def.Kind {
	case ast.Enum:
		if !slices.Contains(g.Enums, def) {
			g.Enums = append(g.Enums, def)
		}
		return exported, "item.TextValue[" + exported + "]"
	case ast.Object:
		if !slices.Contains(g.objects, def) {
			g.objects = append(g.objects, def)
		}
		return "*" + exported, "valueOf" + exported
	default: // A scalar of the schema's own has any value.
		g.HasOwnScalars = true
		return "item.Value", "asIs"
	}
}

func (g *generator) goType(t *ast.Type) string {
	if t.Elem != nil {
		return "[]" + g.goType(t.Elem)
	}
	goType, store := g.named(t.Name())
	if t.NonNull || store == "asIs" || strings.HasPrefix(goType, "*") {
		return goType
	}
	return "*" + goType
}

// value returns the expression of the value in an item of a Go expression.
func (g *generator) value(t *ast.Type, expression string) string {
	if t.Elem != nil {
		list := "item.NullableListOf"
		if t.NonNull {
			list = "item.ListOf"
		}
		return fmt.Sprintf("%s(%s, func(v %s) item.Value { return %s })",
			list, expression, g.goType(t.Elem), g.value(t.Elem, "v"))
	}
	_, store := g.named(t.Name())
	if !strings.HasPrefix(g.goType(t), "*") || strings.HasPrefix(store, "valueOf") {
		return store + "(" + expression + ")"
	}
	return "item.NullableValue(" + expression + ", " + store + ")"
}

var initialism = regexp.MustCompile(`(?:Id|Url|Api)(?:[A-Z0-9]|$)`)

// goName returns the exported Go name of a name in GraphQL.
func goName(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return initialism.ReplaceAllStringFunc(b.String(), strings.ToUpper)
}

// comment returns a description as a comment below a first line, "" for none.
func comment(text string) string {
	if text == "" {
		return ""
	}
	return "// " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n// ") + "\n"
}
