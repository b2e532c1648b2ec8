package typescript

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// typenameMark is what a shape has for the value of __typename, until the types with this shape are known.
const typenameMark = "\x00"

// expression is a TypeScript type.
type expression struct {
	text    string
	isUnion bool
}

// object returns the type of an object's response: a union of the shapes that its possible types have, each with their
// names where __typename is selected.
func (g *generator) object(def *ast.Definition, parts []part, indent string) expression {
	var shapes []string
	of := map[string][]string{}
	for _, object := range g.possible(def) {
		shape := g.shape(object, parts, indent)
		if of[shape] == nil {
			shapes = append(shapes, shape)
		}
		of[shape] = append(of[shape], "'"+object.Name+"'")
	}
	for i, shape := range shapes {
		shapes[i] = strings.ReplaceAll(shape, typenameMark, strings.Join(of[shape], " | "))
	}
	if len(shapes) == 0 { // an interface that no type has
		return expression{text: "never"}
	}
	return expression{strings.Join(shapes, " | "), len(shapes) > 1}
}

func (g *generator) shape(object *ast.Definition, parts []part, indent string) string {
	fields := g.fields(object, parts)
	if len(fields) == 0 {
		return "{}"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, f := range fields {
		optional := ""
		if f.isOptional() {
			optional = "?"
		}
		b.WriteString(comment("", f.definition.Directives, indent+"  "))
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, f.key, optional, g.fieldType(f, indent+"  "))
	}
	b.WriteString(indent + "}")
	return b.String()
}

func (g *generator) fieldType(f *field, indent string) string {
	if f.name == "__typename" {
		return typenameMark
	}
	def := g.schema.Types[f.definition.Type.Name()]
	if !def.IsCompositeType() {
		return typeOf(f.definition.Type, g.leaf(def)).text
	}
	return typeOf(f.definition.Type, g.object(def, f.below(), indent)).text
}

// typeOf returns the TypeScript type of a type of GraphQL, whose innermost named type has the given one.
func typeOf(t *ast.Type, named expression) expression {
	out := named
	if t.Elem != nil {
		out = expression{text: typeOf(t.Elem, named).inList()}
	}
	if !t.NonNull {
		out = expression{out.text + " | null", true}
	}
	return out
}

func (e expression) inList() string {
	if e.isUnion {
		return "(" + e.text + ")[]"
	}
	return e.text + "[]"
}

// scalars are the types of the scalars that GraphQL has.
var scalars = map[string]string{
	"ID": "string", "String": "string", "Int": "number", "Float": "number", "Boolean": "boolean",
}

// leaf returns the type of an enum or scalar, and of an input, that fields and variables have.
func (g *generator) leaf(def *ast.Definition) expression {
	if name, ok := scalars[def.Name]; ok {
		return expression{text: name}
	}
	if !g.used[def.Name] {
		g.used[def.Name] = true
		for _, f := range def.Fields { // of an input
			g.leaf(g.schema.Types[f.Type.Name()])
		}
	}
	return expression{text: def.Name}
}

func byName(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) }
