package executors

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
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

// Operation is a document with one operation, and its variables.
type Operation struct {
	Document  string
	Variables map[string]any
	// pages are the connections of which the next page can be requested.
	pages []page
}

// page is a connection whose cursor argument is a variable.
type page struct {
	// variable has no value at first.
	variable string
	// cursor is the key of the next page's cursor in the response.
	cursor string
}

// Operation returns a random query.
func (g *Generator) Operation(random Random) Operation {
	return g.operation(random, "query", g.schema.Query)
}

// Mutation returns a random operation with mutations that have no hand-written Go.
func (g *Generator) Mutation(random Random) Operation {
	return g.operation(random, "mutation", g.schema.Mutation)
}

func (g *Generator) operation(random Random, head string, root *ast.Definition) Operation {
	b := &builder{Generator: g, Random: random, variables: map[string]any{}}
	selection := b.selection(root, &scope{}, 1)
	if len(b.declared) > 0 {
		head += "(" + strings.Join(b.declared, ", ") + ")"
	}
	document := head + " " + selection
	for _, f := range b.fragments {
		document += "\n" + f.text
	}
	return Operation{document, b.variables, b.pages}
}

// Selection is a selection set that can be at several places of a document.
type Selection struct {
	// Text is the selection set, Fragments are the definitions that it spreads.
	Text, Fragments string
	// Declared are the definitions of the Variables for the head of an operation, "" or in parentheses.
	Declared  string
	Variables map[string]any
}

// Selection returns a random selection set of a type.
func (g *Generator) Selection(random Random, typeName string) Selection {
	b := &builder{Generator: g, Random: random, variables: map[string]any{}}
	s := Selection{Text: b.selection(g.schema.Types[typeName], &scope{}, maxDepth/2), Variables: b.variables}
	if len(b.declared) > 0 {
		s.Declared = "(" + strings.Join(b.declared, ", ") + ")"
	}
	for _, f := range b.fragments {
		s.Fragments += "\n" + f.text
	}
	return s
}

// Seeded returns the operation of a seed: equal seeds have equal operations.
func (g *Generator) Seeded(seed uint64) Operation { return g.Operation(rand.New(rand.NewPCG(seed, 4))) }

// Next returns the operation with the next pages of its connections, as clients continue from the data of a response.
// It reports whether there is one.
func (o Operation) Next(random Random, data any) (next Operation, found bool) {
	cursors := map[string][]string{}
	collect(data, "", cursors)
	var all []string
	for _, p := range o.pages {
		all = append(all, cursors[p.cursor]...)
	}
	if len(all) == 0 {
		return o, false
	}
	next = Operation{o.Document, map[string]any{}, nil}
	for name, value := range o.Variables {
		next.Variables[name] = value
	}
	for _, p := range o.pages {
		from := cursors[p.cursor]
		if len(from) == 0 || random.IntN(5) == 4 {
			from = all // that of another collection
		}
		next.Variables[p.variable] = from[random.IntN(len(from))]
	}
	return next, true
}

// collect adds the texts of a response by their keys.
func collect(v any, key string, texts map[string][]string) {
	switch v := v.(type) {
	case string:
		texts[key] = append(texts[key], v)
	case []any:
		for _, element := range v {
			collect(element, key, texts)
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			collect(v[name], name, texts)
		}
	}
}
