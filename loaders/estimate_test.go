package loaders

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/keys/gen/directives"
)

// TestExplain compares the explanations of a schema's operations. With strong, reads are strongly consistent. With
// limit=N, the result is the error of an operation that exceeds the limit.
func TestExplain(t *testing.T) {
	var estimator *Estimator
	datadriven.RunTest(t, "testdata/explain", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "schema" {
			estimator = readSchema(t, d)
			return ""
		}
		document, errs := gqlparser.LoadQueryWithRules(estimator.schema, d.Input, rules.NewDefaultRules())
		if len(errs) > 0 {
			d.Fatalf(t, "%v", errs)
		}
		request := &graphql.OperationContext{Doc: document, Operation: document.Operations[0], Headers: http.Header{}}
		if d.HasArg("strong") {
			request.Headers.Set(ConsistencyHeader, "strong")
		}
		if limit := 0; d.MaybeScanArgs(t, "limit", &limit) {
			return estimator.costLimitError(request, estimator.Estimate(request), float64(limit)).Message + "\n"
		}
		var b strings.Builder
		if _, err := estimator.Explain(request).WriteTo(&b); err != nil {
			d.Fatalf(t, "%v", err)
		}
		return b.String()
	})
}

func readSchema(t *testing.T, d *datadriven.TestData) *Estimator {
	t.Helper()
	schema, err := validator.LoadSchema(validator.Prelude,
		&ast.Source{Input: directives.Definitions}, &ast.Source{Name: "test.graphqls", Input: d.Input})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	read, err := directives.Read(schema)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return NewEstimator(read.Design, schema)
}

// TestEstimateIsThatOfTheDocs compares the read units of the largest page in the list of access patterns with those
// of its estimate: small items, and pages of several MB.
func TestEstimateIsThatOfTheDocs(t *testing.T) {
	for maxBytes, want := range map[int]string{4096: "50.5", 65_536: "811", 400_000: "4963"} {
		text := fmt.Sprintf(`
			extend type Query {
				things(first: Int, after: String, last: Int, before: String): ThingConnection @query(pk: "THINGS", sk: "")
			}
			type Thing @item(pk: "THINGS", sk: "{id}", maxBytes: %d) { id: ID! }
			type ThingConnection { edges: [ThingEdge!]! pageInfo: PageInfo! }
			type ThingEdge { cursor: String! node: Thing! }`, maxBytes)
		schema := gqlparser.MustLoadSchema(&ast.Source{Input: directives.Definitions},
			&ast.Source{Input: directives.NodeDefinitions}, &ast.Source{Input: text})
		design, err := directives.Read(schema)
		if err != nil {
			t.Fatal(err)
		}
		patterns := string(design.AccessPatterns())
		if row := fmt.Sprintf("page of `Thing`, ascending | %s |\n", want); !strings.Contains(patterns, row) {
			t.Errorf("maxBytes %d: the access patterns do not have %q:\n%s", maxBytes, row, patterns)
		}
		const query = "{ things(first: 100) { edges { node { id } } } }"
		document := gqlparser.MustLoadQueryWithRules(schema, query, rules.NewDefaultRules())
		request := &graphql.OperationContext{Doc: document, Operation: document.Operations[0], Headers: http.Header{}}
		if got := plain(NewEstimator(design.Design, schema).Estimate(request).ReadUnits); got != want {
			t.Errorf("maxBytes %d: %s read units are estimated, the access patterns have %s", maxBytes, got, want)
		}
	}
}
