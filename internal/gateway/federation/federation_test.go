package federation_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"go.uber.org/goleak"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/testservice"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// read returns the schema of an example.
func read(t *testing.T, example string) *directives.Schema {
	t.Helper()
	file := filepath.Join("../../../examples", example, "schema.graphqls")
	text, err := os.ReadFile(file)
	fatal.If(t, err)
	return load(t, file, string(text))
}

func load(t *testing.T, name, text string) *directives.Schema {
	t.Helper()
	parsed, err := directives.Load(&ast.Source{Name: name, Input: text})
	fatal.If(t, err)
	schema, err := directives.Read(parsed)
	fatal.If(t, err)
	schema.Design.WithoutGo()
	return schema
}

func subgraph(schema *directives.Schema) *federation.Subgraph {
	return federation.New(answer.NewFolder(schema.AST), schema.Design)
}

// TestSDL compares the schemas for a router with those in testdata.
func TestSDL(t *testing.T) {
	library, sdl := testservice.Schema().Subgraph()
	if library.Executable.Schema() == testservice.Executable().Schema() {
		t.Error("the schema of a subgraph is that of the service")
	}
	for name, got := range map[string]string{
		"library": sdl, "billing": subgraph(read(t, "billing")).SDL, "devices": subgraph(read(t, "devices")).SDL,
	} {
		file := filepath.Join("testdata", name+".graphql")
		if flag.Lookup("rewrite").Value.String() == "true" {
			fatal.If(t, os.WriteFile(file, []byte(got), 0o644))
			continue
		}
		want, err := os.ReadFile(file)
		fatal.If(t, err)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs (-file +got):\n%s\nIf that is meant: run this test with -rewrite", file, diff)
		}
	}
}

// TestOnlyRelayRoots: a schema whose root has nothing but node and nodes is a subgraph without a root of its own.
func TestOnlyRelayRoots(t *testing.T) {
	sdl := subgraph(load(t, "note.graphqls", `
		type Query { node(id: ID!): Node }
		type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
	`)).SDL
	if strings.Contains(sdl, "type Query") || !strings.Contains(sdl, `type Note implements Node @key(fields: "id")`) {
		t.Errorf("the schema is %s", sdl)
	}
}

// TestWithoutEntities: a schema without ids has _service alone.
func TestWithoutEntities(t *testing.T) {
	s := subgraph(load(t, "visits.graphqls", `
		type Query { visits(day: Date!): [Visit!]! @query(pk: "DAY#{day}", sk: "VISIT#", atMost: 10) }
		type Visit @item(pk: "DAY#{day}", sk: "VISIT#{number:04}") { day: Date! number: Int! }
	`))
	query := s.Schema.Schema().Query
	if query.Fields.ForName("_service") == nil || query.Fields.ForName("_entities") != nil ||
		s.Schema.Schema().Types["_Any"] != nil {
		t.Error("a schema without ids has entities")
	}
	if !strings.Contains(s.SDL, "type Visit @shareable @cost(weight: 1)") {
		t.Errorf("the schema is %s", s.SDL)
	}
}

// TestPagesWeighWhatTheyCost: the weights of a page of any size are at least its price, for each connection of all
// examples.
func TestPagesWeighWhatTheyCost(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*/schema.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	pages := 0
	for _, file := range files {
		schema := read(t, filepath.Base(filepath.Dir(file)))
		_, definitions, _ := strings.Cut(subgraph(schema).SDL, "\n") // without the link
		sdl, err := gqlparser.LoadSchema(&ast.Source{Input: definitions + federated})
		fatal.If(t, err)
		prices := plan.NewSchema(schema.Design, schema.AST)
		for _, f := range schema.Fields {
			def := sdl.Types[f.Parent].Fields.ForName(f.Name)
			if f.Edge == "" || def == nil {
				continue
			}
			edges := sdl.Types[def.Type.Name()].Fields.ForName("edges")
			for n := range plan.MaxPage + 1 {
				pages++
				size := &ast.Argument{Name: "first", Value: &ast.Value{Kind: ast.IntValue, Raw: fmt.Sprint(n)}}
				if f.Bucketed() != "" && !f.Descending {
					size.Name = "last"
				}
				price := price.OfField(prices, f.Parent, f.Name, size).ReadUnits
				if price == 0 {
					t.Errorf("%s: %s costs nothing", file, f.Coordinate())
				}
				if weight := weight(t, def.Directives) + n*weight(t, edges.Directives); float64(weight) < 2*price {
					t.Errorf("%s: %s of %d weighs %d, less than 2 × %v read units", file, f.Coordinate(), n, weight, price)
				}
			}
		}
	}
	if pages < 1000 {
		t.Errorf("only %d pages are compared", pages)
	}
}

const federated = `
directive @cost(weight: Int!) on OBJECT | FIELD_DEFINITION
directive @key(fields: String!) on OBJECT
directive @shareable on OBJECT
directive @listSize(
  assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean
) on FIELD_DEFINITION
`

func weight(t *testing.T, list ast.DirectiveList) int {
	t.Helper()
	n, err := list.ForName("cost").Arguments.ForName("weight").Value.Value(nil)
	fatal.If(t, err)
	return int(n.(int64))
}
