package executors

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Operation is a document with one operation, and its variables.
type Operation struct {
	Document  string
	Variables map[string]any
	// pages are the connections of which the next page can be requested.
	pages []page
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
