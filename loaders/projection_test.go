package loaders_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// TestProjections compares the answers, requests and explanations of operations on a table whose indexes do not have
// all attributes. A file begins with a schema and the items of the table, as JSON lines without types:
//
//	schema
//	type Query { ... }
//
//	items
//	{"PK": "TASK#1", "SK": "TASK#1", "entityType": "Task"}
//
//	ask [viewer=ada] [explain] [behind] [failing] [beyond]
//	{ tasks(first: 2) { nodes { id } } }
//
// With behind, the indexes have not seen yet that the item of the first key of a BatchGetItem was removed, and that the
// second one got another key in GSI1. With failing, each BatchGetItem fails.
// With beyond, the operation consumes more than its estimate, because items have expired.
//
//	patterns
//
// The command patterns prints the rows of fields that are read by an index in the list of access patterns.
func TestProjections(t *testing.T) {
	datadriven.Walk(t, "testdata/projections", func(t *testing.T, path string) {
		var p projection
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "schema":
				p.start(t, d)
			case "items":
				for line := range strings.Lines(d.Input) {
					p.engine.Load(t, jsonItem(t, line))
				}
			case "ask":
				return p.ask(t, d)
			case "patterns":
				return p.patterns()
			default:
				d.Fatalf(t, "no command %s", d.Cmd)
			}
			return ""
		})
	})
}

// projection is a schema with its table.
type projection struct {
	schema *ast.Schema
	read   *directives.Schema
	design *design.Design
	engine *tabletest.Engine
}

func (p *projection) start(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: "test.graphqls", Input: d.Input})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	read, err := directives.Read(schema)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	p.schema, p.read, p.design = schema, read, read.Design
	p.engine = tabletest.Start(t, table.SchemaOf(p.design))
}

func (p *projection) ask(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(p.schema, testservice.Encoded(d.Input), rules.NewDefaultRules())
	if len(errs) > 0 {
		d.Fatalf(t, "%v", errs)
	}
	var v viewer.Viewer
	d.MaybeScanArgs(t, "viewer", &v.ID)
	var source loaders.Source = p.engine.Table
	if d.HasArg("behind") {
		source = behind{source}
	}
	if d.HasArg("failing") {
		source = failing{source}
	}
	engine := loaders.New(p.design, p.schema, source, loaders.Options{})
	bound := engine.Bind(engine.Compile(doc).Plan(doc.Operations[0], nil), nil, v, http.Header{})
	estimate := price.Of(bound)
	p.engine.Proxy.Reset()
	ctx := engine.Begin(t.Context(), bound)
	present := func(_ context.Context, e answer.FieldError) *gqlerror.Error {
		return &gqlerror.Error{Message: fmt.Sprintf("%s: %v", e.Path, e.Err)}
	}
	answerer := answer.Answerer{MaxBytes: 1 << 20, MaxErrors: 25, Present: present}
	response := answerer.Answer(ctx)
	cost := engine.Cost(ctx)
	isBeyond := cost.ReadUnits > estimate.ReadUnits || cost.Waves > estimate.Waves || cost.Requests > estimate.Requests
	if isBeyond != d.HasArg("beyond") {
		d.Fatalf(t, "the cost is %+v, the estimate %+v", cost, estimate)
	}

	var b strings.Builder
	for _, line := range slices.Sorted(slices.Values(p.engine.Proxy.Log())) {
		b.WriteString(line + "\n")
	}
	fmt.Fprintf(&b, "%d waves, %v read units\n%s\n", cost.Waves, cost.ReadUnits, response.Data)
	for _, e := range response.Errors {
		b.WriteString(e.Message + "\n")
	}
	if d.HasArg("explain") {
		_, _ = price.Explain(bound).WriteTo(&b) // a Builder returns no errors
	}
	return b.String()
}

// behind is a table with indexes that are behind it.
type behind struct{ loaders.Source }

func (b behind) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	result, err := b.Source.BatchGetItem(ctx, r)
	result.Items = slices.DeleteFunc(result.Items, func(it item.Item) bool { return keys.KeyOf(it) == r.Keys[0] })
	for i, it := range result.Items {
		if keys.KeyOf(it) == r.Keys[1] {
			result.Items[i] = with(it, keys.IndexSK("GSI1"), item.StringValue("another"))
		}
	}
	return result, err
}

// failing is a table that reads no batches.
type failing struct{ loaders.Source }

func (failing) BatchGetItem(context.Context, request.BatchGetItem) (request.Result, error) {
	return request.Result{}, errors.New("no batches")
}

func (p *projection) patterns() string {
	var rows strings.Builder
	for row := range strings.Lines(string(p.read.AccessPatterns())) {
		if strings.Contains(row, "| Query GSI") {
			rows.WriteString(row)
		}
	}
	return rows.String()
}

// jsonItem returns an item of texts, numbers and Booleans.
func jsonItem(t *testing.T, line string) item.Item {
	t.Helper()
	var values map[string]any
	if err := json.Unmarshal([]byte(line), &values); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	var it item.Item
	for _, name := range slices.Sorted(maps.Keys(values)) {
		v := item.StringValue(fmt.Sprint(values[name]))
		if _, isNumber := values[name].(float64); isNumber {
			v.Kind = item.Number
		}
		it = append(it, item.Attribute{Name: name, Value: v})
	}
	return it
}
