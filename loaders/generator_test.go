//go:build ignore

package resolvers_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
)

// generator makes random valid operations of the schema: nested, with aliases,
// fragments, variables, both directions of paging, cursors, and all root fields.
type generator struct {
	*rand.Rand
	schema *ast.Schema
	strong bool
	ids    map[string][]string
	// texts are values of arguments by their names.
	texts map[string][]string
	// cursors are those of pages by the field's name.
	cursors map[string][]string

	declared  []string
	variables map[string]any
	fragments []string
	fields    int
}

func newGenerator(t *testing.T, s *shop) *generator {
	g := &generator{
		Rand:    rand.New(rand.NewPCG(20260103, 4)),
		schema:  graph.NewExecutableSchema(graph.Config{}).Schema(),
		ids:     map[string][]string{},
		texts:   map[string][]string{},
		cursors: map[string][]string{},
	}
	for _, typ := range []string{"User", "Order", "Item", "Follow"} {
		g.ids[typ] = append(ids(typ, 40), "VXNlcjpub25l")
	}
	for it := range demo.Items() {
		if email := it.Text("email"); email != "" && len(g.texts["email"]) < 20 {
			g.texts["email"] = append(g.texts["email"], email)
		}
		if sku := it.Text("sku"); sku != "" && len(g.texts["sku"]) < 200 {
			g.texts["sku"] = append(g.texts["sku"], sku)
		}
	}
	page := `{ edges { cursor } }`
	a := s.must(t, `query($id: ID!, $order: ID!, $sku: String!) {
		user(id: $id) { orders(first: 20) `+page+` following(first: 20) `+page+` followers(first: 20) `+page+` }
		order(id: $order) { items(first: 20) `+page+` }
		ordersByStatus(status: PENDING, first: 20) `+page+`
		ordersByProduct(sku: $sku, first: 20) `+page+`
	}`, map[string]any{"id": demo.Ada().Encode(), "order": g.ids["Order"][0], "sku": g.texts["sku"][0]})
	for name, connection := range map[string]any{
		"orders": at(t, a.Data, "user", "orders"), "following": at(t, a.Data, "user", "following"),
		"followers": at(t, a.Data, "user", "followers"), "items": at(t, a.Data, "order", "items"),
		"ordersByStatus": at(t, a.Data, "ordersByStatus"), "ordersByProduct": at(t, a.Data, "ordersByProduct"),
	} {
		for _, edge := range at(t, connection, "edges").([]any) {
			g.cursors[name] = append(g.cursors[name], at(t, edge, "cursor").(string))
		}
	}
	return g
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// operation is a query document with its variables.
func (g *generator) operation() (string, map[string]any) {
	g.declared, g.variables, g.fragments, g.fields = nil, map[string]any{}, nil, 0
	selection := g.selection(g.schema.Query, 1, 1+g.IntN(3))
	head := "query"
	if len(g.declared) > 0 {
		head += "(" + strings.Join(g.declared, ", ") + ")"
	}
	return head + " " + selection + " " + strings.Join(g.fragments, " "), g.variables
}

const (
	generatedDepth  = 9
	generatedFields = 60
)

// selection is a random selection set of a type. Each field has an alias of its
// own, or one that all fields with the same arguments share.
func (g *generator) selection(def *ast.Definition, depth, n int) string {
	parts := []string{"__typename"}
	if def.IsAbstractType() {
		for _, object := range g.schema.GetPossibleTypes(def) {
			if g.chance(60) {
				parts = append(parts, "... on "+object.Name+" "+g.selection(object, depth, 1+g.IntN(3)))
			}
		}
	}
	var usable ast.FieldList
	for _, f := range def.Fields {
		composite := g.schema.Types[f.Type.Name()].IsCompositeType()
		if !strings.HasPrefix(f.Name, "__") && (!composite || depth < generatedDepth && g.fields < generatedFields) {
			usable = append(usable, f)
			if composite {
				usable = append(usable, f, f) // what reads is of more interest
			}
		}
	}
	for range n {
		if len(usable) == 0 {
			break
		}
		field := g.field(pick(g, usable), depth)
		switch chance := g.IntN(100); {
		case chance < 10:
			field = "... on " + def.Name + " { " + field + " }"
		case chance < 20:
			name := fmt.Sprintf("F%d", len(g.fragments))
			g.fragments = append(g.fragments, "fragment "+name+" on "+def.Name+" { "+field+" }")
			field = "..." + name
			if g.chance(50) {
				parts = append(parts, field)
			}
		case chance < 25:
			field = "... @include(if: " + g.value(ast.NonNullNamedType("Boolean", nil), "true", true) + ") { " + field + " }"
		}
		parts = append(parts, field)
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

func (g *generator) field(f *ast.FieldDefinition, depth int) string {
	g.fields++
	text := fmt.Sprintf("a%d: %s", g.fields, f.Name)
	if arguments := g.arguments(f, depth); len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if def := g.schema.Types[f.Type.Name()]; def.IsCompositeType() {
		text += " " + g.selection(def, depth+1, 1+g.IntN(4))
	}
	return text
}

func (g *generator) arguments(f *ast.FieldDefinition, depth int) []string {
	var given []string
	give := func(name, literal string, raw any) {
		given = append(given, name+": "+g.value(f.Arguments.ForName(name).Type, literal, raw))
	}
	if f.Arguments.ForName("first") != nil {
		count, cursor := "first", "after"
		if g.chance(40) {
			count, cursor = "last", "before"
		}
		sizes := []int{0, 1, 2, 3, 5, 10, 25, 100}
		size := pick(g, sizes[:max(3, len(sizes)+1-depth)])
		hasCursor := g.chance(30)
		if !hasCursor || g.chance(70) {
			give(count, fmt.Sprint(size), size)
		}
		if hasCursor {
			c := pick(g, g.cursors[f.Name])
			give(cursor, fmt.Sprintf("%q", c), c)
		}
	}
	for _, a := range f.Arguments {
		switch {
		case slices.Contains([]string{"first", "last", "after", "before"}, a.Name):
		case a.Type.Name() == "TimeRange":
			if g.chance(30) {
				from := fmt.Sprintf("2026-%02d-01T00:00:00Z", 1+g.IntN(12))
				give(a.Name, fmt.Sprintf("{from: %q}", from), map[string]any{"from": from})
			}
		case a.Type.Name() == "OrderStatus":
			status := pick(g, g.schema.Types["OrderStatus"].EnumValues).Name
			if g.chance(50) {
				status = "PENDING"
			}
			give(a.Name, status, status)
		case a.Type.Elem != nil:
			var list []string
			for range g.IntN(101) {
				list = append(list, g.anyID())
			}
			give(a.Name, `["`+strings.Join(list, `", "`)+`"]`, list)
		default:
			text := g.text(f.Name, a.Name)
			give(a.Name, fmt.Sprintf("%q", text), text)
		}
	}
	return given
}

func (g *generator) anyID() string {
	return pick(g, g.ids[pick(g, []string{"User", "Order", "Item", "Follow"})])
}

func (g *generator) text(field, argument string) string {
	switch {
	case field == "order":
		return pick(g, g.ids["Order"])
	case field == "node":
		return g.anyID()
	case argument == "id" && g.chance(30):
		return demo.Ada().Encode()
	case argument == "id" || argument == "userId":
		return pick(g, g.ids["User"])
	}
	return pick(g, g.texts[argument])
}

// value is a literal, or a variable with the value.
func (g *generator) value(typ *ast.Type, literal string, raw any) string {
	if list, ok := raw.([]string); g.chance(60) || ok && list == nil {
		return strings.ReplaceAll(literal, `[""]`, "[]")
	}
	name := fmt.Sprintf("$v%d", len(g.declared))
	g.declared = append(g.declared, name+": "+typ.String())
	g.variables[name[1:]] = raw
	return name
}
