package executors

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Random draws numbers. A *rand.Rand is one.
type Random interface {
	// IntN returns a number from 0 to n-1. 0 leads to the simplest operation.
	IntN(n int) int
}

// Generator makes random valid operations of a schema: with aliases, merged fields, fragments, directives, variables,
// all arguments of paging, and values of arguments that objects have or that are wrong.
type Generator struct {
	// Valid leaves out values that lead to an error of their field.
	Valid bool
	// HandWritten also selects fields that only hand-written Go can resolve.
	HandWritten bool
	// Introspection also selects __schema and __type.
	Introspection bool

	schema *ast.Schema
	design *design.Design
	// overlapping are the types whose fragments can be spread within a type.
	overlapping map[*ast.Definition][]*ast.Definition
	// ids are the global ids of stored objects by type; texts the values of stored attributes by name.
	ids, texts map[string][]string
	// stored are the names of the types that have ids, types those of all.
	stored, types []string
}

// NewGenerator returns a Generator for a schema and the objects of its table.
func NewGenerator(schema *ast.Schema, design *design.Design, items iter.Seq[item.Item]) *Generator {
	g := &Generator{
		schema: schema, design: design,
		overlapping: map[*ast.Definition][]*ast.Definition{},
		ids:         map[string][]string{}, texts: map[string][]string{},
		types: slices.Sorted(maps.Keys(schema.Types)),
	}
	known := map[string]bool{}
	for it := range items {
		g.add(it, known)
	}
	for typ := range g.ids {
		g.stored = append(g.stored, typ)
	}
	slices.Sort(g.stored)
	var composite []*ast.Definition
	for _, def := range schema.Types {
		if def.IsCompositeType() {
			composite = append(composite, def)
		}
	}
	slices.SortFunc(composite, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range composite {
		for _, b := range composite {
			if g.overlap(a, b) {
				g.overlapping[a] = append(g.overlapping[a], b)
			}
		}
	}
	return g
}

// add adds the id and the attributes of a stored object.
func (g *Generator) add(it item.Item, known map[string]bool) {
	t := g.design.Type(it.Type())
	if t == nil {
		return
	}
	values := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		values[i] = it.Text(name)
	}
	id := keys.NewID(t.Name, values...).Encode()
	if known[id] {
		return
	}
	known[id] = true
	g.ids[t.Name] = append(g.ids[t.Name], id)
	for _, a := range t.Attributes {
		text := it.Text(a.Name)
		name := a.Name
		if a.Kind == keys.Time || a.Kind == keys.Date {
			name = kindName(a.Kind)
		}
		if text != "" && !known[name+" "+text] {
			known[name+" "+text] = true
			g.texts[name] = append(g.texts[name], text)
		}
	}
}

// kindName is the name under which all values of a kind are kept.
func kindName(kind keys.Kind) string { return fmt.Sprint("kind ", kind) }

func (g *Generator) overlap(a, b *ast.Definition) bool {
	return slices.ContainsFunc(g.schema.GetPossibleTypes(a), func(object *ast.Definition) bool {
		return slices.Contains(g.schema.GetPossibleTypes(b), object)
	})
}
