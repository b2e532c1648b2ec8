package testservice

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Generator makes random valid operations of the library's schema: nested, with aliases, fragments, variables, both
// directions of paging, cursors, and all root fields.
type Generator struct {
	// Cursors are some of each connection, by the field's name. Others are not valid.
	Cursors map[string][]string

	*rand.Rand
	schema *ast.Schema
	ids    map[string][]string
	// texts are values of arguments by their names.
	texts map[string][]string

	declared  []string
	variables map[string]any
	fragments []string
	fields    int
}

// NewGenerator returns a Generator. Equal seeds make equal operations.
func NewGenerator(seed uint64) *Generator {
	g := &Generator{
		Rand:   rand.New(rand.NewPCG(seed, 4)),
		schema: Executable().Schema(),
		ids:    map[string][]string{},
		texts: map[string][]string{
			"batch": {"ROUND-1", "ROUND-2", "none"},
			"shelf": {"A", "B"},
			"day":   {"2026-01-31"},
		},
	}
	for n := 1; n <= Readers; n++ {
		g.ids["Reader"] = append(g.ids["Reader"], Reader(n).Encode())
		g.ids["Book"] = append(g.ids["Book"], Book(n).Encode())
		g.ids["Loan"] = append(g.ids["Loan"], Loan(n).Encode())
		g.texts["card"] = append(g.texts["card"], fmt.Sprintf("C-%04d", n))
		g.texts["isbn"] = append(g.texts["isbn"], fmt.Sprintf("978-%04d", n))
	}
	g.ids["Branch"] = []string{Branch(1).Encode(), Branch(2).Encode()}
	g.ids["Reminder"] = []string{Reminder(4, 1).Encode(), Reminder(4, 12).Encode()}
	for typ := range g.ids {
		g.ids[typ] = append(g.ids[typ], keys.NewID(typ, "none").Encode())
	}
	return g
}

func pick[T any](g *Generator, from []T) T { return from[g.IntN(len(from))] }

func (g *Generator) chance(percent int) bool { return g.IntN(100) < percent }

// Operation returns a query document and its variables.
func (g *Generator) Operation() (string, map[string]any) {
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

// selection returns a random selection set of a type. Each field has an alias of its own.
func (g *Generator) selection(def *ast.Definition, depth, n int) string {
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
				usable = append(usable, f, f) // fields that read are more interesting
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
			condition := g.value(ast.NonNullNamedType("Boolean", nil), "true", true)
			field = "... @include(if: " + condition + ") { " + field + " }"
		}
		parts = append(parts, field)
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

func (g *Generator) field(f *ast.FieldDefinition, depth int) string {
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

func (g *Generator) arguments(f *ast.FieldDefinition, depth int) []string {
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
			c := g.cursor(f.Name)
			give(cursor, fmt.Sprintf("%q", c), c)
		}
	}
	for _, a := range f.Arguments {
		switch {
		case slices.Contains([]string{"first", "last", "after", "before"}, a.Name):
		case a.Type.Name() == "TimeRange":
			if from := fmt.Sprintf("2026-%02d-01T00:00:00Z", 1+g.IntN(4)); a.Type.NonNull {
				to := fmt.Sprintf("2026-%02d-01T00:00:00Z", 4+g.IntN(4))
				give(a.Name, fmt.Sprintf("{from: %q, to: %q}", from, to), map[string]any{"from": from, "to": to})
			} else if g.chance(30) {
				give(a.Name, fmt.Sprintf("{from: %q}", from), map[string]any{"from": from})
			}
		case a.Name == "state":
			state := pick(g, g.schema.Types["LoanState"].EnumValues).Name
			give(a.Name, state, state)
		case a.Name == "floor":
			floor := 1 + g.IntN(3)
			give(a.Name, fmt.Sprint(floor), floor)
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

func (g *Generator) cursor(field string) string {
	if cursors := g.Cursors[field]; len(cursors) > 0 {
		return pick(g, cursors)
	}
	return "none"
}

func (g *Generator) anyID() string {
	return pick(g, g.ids[pick(g, []string{"Reader", "Book", "Loan", "Branch", "Reminder"})])
}

func (g *Generator) text(field, argument string) string {
	switch {
	case field == "node":
		return g.anyID()
	case strings.HasSuffix(argument, "Id"):
		return pick(g, g.ids[strings.ToUpper(argument[:1])+strings.TrimSuffix(argument[1:], "Id")])
	case argument == "id" && field == "reader" && g.chance(30):
		return Reader(1).Encode()
	case argument == "id":
		return pick(g, g.ids[strings.ToUpper(field[:1])+field[1:]])
	}
	return pick(g, g.texts[argument])
}

// value returns a literal, or a variable with the value.
func (g *Generator) value(typ *ast.Type, literal string, raw any) string {
	if list, ok := raw.([]string); g.chance(60) || ok && list == nil {
		return strings.ReplaceAll(literal, `[""]`, "[]")
	}
	name := fmt.Sprintf("$v%d", len(g.declared))
	g.declared = append(g.declared, name+": "+typ.String())
	g.variables[name[1:]] = raw
	return name
}
