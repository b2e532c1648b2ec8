package executors

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// Subgraph returns the schema as that of a subgraph of Apollo Federation, and what _service returns.
func (s Schema) Subgraph() (subgraph Schema, sdl string) {
	compiled := federation.New(s.Executable, s.Design)
	s.Executable, s.Design = compiled.Schema, compiled.Design
	if s.Folder != nil {
		folder := federation.New(answer.NewFolder(s.Folder.AST), s.Folder.Design)
		s.Folder = &directives.Schema{AST: folder.Schema.Schema(), Design: folder.Design}
	}
	return s, compiled.SDL
}

// CheckEntities compares what a subgraph returns for the representations of random objects with what nodes returns for
// their ids, by all executors.
func (s Schema) CheckEntities(t *testing.T) {
	t.Helper()
	subgraph, sdl := s.Subgraph()
	c := subgraph.Compare(loaders.Options{SDL: sdl})
	c.generator.Introspection = false
	random := rand.New(rand.NewPCG(20261122, 9))
	var seen outcomes
	for n := range 150 {
		nodes, entities := c.generator.nodesAndEntities(random)
		header := http.Header{}
		gatewaytest.SetViewer(header, c.viewers[n%len(c.viewers)])
		c.Memory.Alter = damage(uint64(n % 3))
		var both [2]Response
		for i, o := range []Operation{nodes, entities} {
			var err error
			if both[i], err = c.Both(header, o, func() { c.Memory.Fail(uint64(n % 5)) }); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(comparable(both[0]), comparable(both[1])); diff != "" {
			t.Fatalf("operation %d: %s differs from nodes (-nodes +entities):\n%s", n, entities.Document, diff)
		}
		seen.add(both[1:])
	}
	if seen.executed < seen.all/2 || seen.requests < seen.all/2 {
		t.Errorf("%+v: too few of the operations are executed", seen)
	}
}

// comparable returns what the responses to equal operations have in common. Their places in the document differ.
func comparable(r Response) map[string]any {
	var body map[string]any
	_ = json.Unmarshal([]byte(r.Body), &body) // it is JSON, or there is nothing to compare
	errors, _ := body["errors"].([]any)
	for _, e := range errors {
		delete(e.(map[string]any), "locations")
	}
	body["requests"] = r.Requests
	return body
}

// nodesAndEntities returns two operations with the same random selection of the same random objects.
func (g *Generator) nodesAndEntities(random Random) (nodes, entities Operation) {
	b := &builder{Generator: g, Random: random, variables: map[string]any{}}
	selection := b.selection(g.schema.Types["Node"], &scope{}, 2)
	for _, f := range b.fragments {
		selection += "\n" + f.text
	}
	ids, representations := []any{}, []any{}
	for range 1 + b.IntN(12) {
		typ := pick(b, g.design.Entities())
		if len(b.ids[typ]) == 0 {
			continue // none is stored
		}
		id := pick(b, append(slices.Clone(b.ids[typ]), keys.NewID(typ, "none").Encode()))
		if parsed, err := keys.ParseID(id); err != nil || len(parsed.Values()) != len(b.design.Type(typ).Identity) {
			continue // the id of none has too few values
		}
		ids = append(ids, id)
		representations = append(representations, map[string]any{"__typename": typ, "id": id, "further": 1})
	}
	operation := func(field, argument, typ string, value []any) Operation {
		declared := append(slices.Clone(b.declared), "$objects: "+typ)
		head, rest, _ := strings.Cut(selection, "\n")
		document := fmt.Sprintf("query(%s) { objects: %s(%s: $objects) { ... on Node %s } }\n%s",
			strings.Join(declared, ", "), field, argument, head, rest)
		o := Operation{document, map[string]any{"objects": value}, nil}
		for name, v := range b.variables {
			o.Variables[name] = v
		}
		return o
	}
	return operation("nodes", "ids", "[ID!]!", ids),
		operation(design.EntitiesField, design.RepresentationsArgument, "[_Any!]!", representations)
}

// representation returns one of an object, or a wrong one.
func (b *builder) representation(at place) any {
	id := b.id(at)
	parsed, _ := keys.ParseID(id)
	typ := parsed.Type()
	if typ == "" {
		typ = pick(b, b.stored)
	}
	if b.wild() {
		return pick(b, []any{
			map[string]any{"__typename": pick(b, b.stored), "id": id}, map[string]any{"__typename": "None", "id": id},
			map[string]any{"__typename": typ}, map[string]any{"id": id}, map[string]any{"__typename": typ, "id": 7},
			map[string]any{"__typename": 7, "id": id}, id, 7, []any{}, map[string]any{},
		})
	}
	return map[string]any{"__typename": typ, "id": id}
}
