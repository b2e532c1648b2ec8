package answer_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// TestAnswers compares the data and errors of operations, and of mutations also what they write, each on the same
// items. Items are JSON, sorted by their keys. A string such as "Thing:1" in an operation is the global id that it
// names. With viewer=ada, the viewer has this id; by default it is anonymous. With folder, the service has no Go code.
//
//	schema
//	type Query { ... }
//
//	items
//	{"PK": "THING#1", "SK": "THING#1", "entityType": "Thing"}
//
//	ask
//	{ thing(id: "Thing:1") { id } }
func TestAnswers(t *testing.T) {
	datadriven.Walk(t, "testdata/answers", func(t *testing.T, path string) {
		w := &world{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "schema":
				w.read(t, d)
			case "items":
				w.items = nil
				for line := range strings.Lines(d.Input) {
					w.items = append(w.items, readItem(t, d, line))
				}
			case "ask":
				return w.ask(t, d)
			default:
				d.Fatalf(t, "no command %s", d.Cmd)
			}
			return ""
		})
	})
}

// world is a schema with the items of its table.
type world struct {
	schema *ast.Schema
	design *design.Design
	items  []item.Item
}

func (w *world) read(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: "test.graphqls", Input: d.Input})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	read, err := directives.Read(schema)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	w.schema, w.design = schema, plantest.WithNotReady(d, read.Design)
	if d.HasArg("folder") {
		w.design = w.design.WithoutGo()
	}
}

func (w *world) ask(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(w.schema, encoded(d.Input), rules.NewDefaultRules())
	if len(errs) > 0 {
		d.Fatalf(t, "%v", errs)
	}
	var v viewer.Viewer
	d.MaybeScanArgs(t, "viewer", &v.ID)
	if d.HasArg("role") {
		v.Roles = make([]string, 1)
		d.ScanArgs(t, "role", &v.Roles[0])
	}
	table := executors.NewMemory(w.items, w.design.IndexNames())
	engine := loaders.New(w.design, w.schema, table, loaders.Options{})
	plan := engine.Compile(doc).Plan(doc.Operations[0], nil)
	if plan.HandWritten {
		d.Fatalf(t, "the operation has hand-written fields")
	}
	ctx := engine.Begin(t.Context(), engine.Bind(plan, nil, v, http.Header{}))
	answerer := answer.Answerer{MaxBytes: 1 << 20, MaxErrors: 25, Present: present}
	response := answerer.Answer(ctx)

	var data bytes.Buffer
	if err := json.Indent(&data, response.Data, "", "  "); err != nil {
		d.Fatalf(t, "%v: %s", err, response.Data)
	}
	text := data.String() + "\n"
	for _, e := range response.Errors {
		text += e.Message + "\n"
	}
	if doc.Operations[0].Operation == ast.Mutation {
		text += written(table, engine.Cost(ctx))
	}
	return withoutNewIDs(text)
}

// written returns what a mutation has cost, and the items that it has written.
func written(table *executors.Memory, cost loaders.Cost) string {
	text := fmt.Sprintf("%d requests, %d waves, %v read units, %d objects\n",
		cost.Requests, cost.Waves, cost.ReadUnits, cost.Objects)
	return text + strings.Join(append(table.Changes(), ""), "\n")
}

var (
	newID   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	quoted  = regexp.MustCompile(`"[0-9A-Za-z_-]{50,}"`)
	encoder = base64.RawURLEncoding
)

// withoutNewIDs replaces the ids that were generated.
func withoutNewIDs(text string) string {
	text = quoted.ReplaceAllStringFunc(text, func(id string) string {
		decoded, err := encoder.DecodeString(strings.Trim(id, `"`))
		if err != nil {
			return id
		}
		return `"` + string(decoded) + `"`
	})
	return newID.ReplaceAllString(text, "NEW")
}

func present(_ context.Context, e answer.FieldError) *gqlerror.Error {
	at := "element"
	if e.Field != nil {
		at = "field " + e.Field.Parent + "." + e.Field.Name
	}
	return &gqlerror.Error{Message: fmt.Sprintf("%s (%s): %v", e.Path, at, e.Err)}
}

// encoded replaces texts such as "Thing:1" by global ids.
func encoded(document string) string {
	parts := strings.Split(document, `"`)
	for i := 1; i < len(parts); i += 2 {
		if typ, raw, isID := strings.Cut(parts[i], ":"); isID {
			parts[i] = keys.NewID(typ, strings.Split(raw, "/")...).Encode()
		}
	}
	return strings.Join(parts, `"`)
}

func readItem(t *testing.T, d *datadriven.TestData, line string) item.Item {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		d.Fatalf(t, "%v: %s", err, line)
	}
	return valueOf(fields).Fields()
}

func valueOf(v any) item.Value {
	switch v := v.(type) {
	case string:
		return item.StringValue(v)
	case json.Number:
		return item.Value{Kind: item.Number, Text: v.String()}
	case bool:
		return item.BoolValue(v)
	case []any:
		elements := make([]item.Value, len(v))
		for i, e := range v {
			elements[i] = valueOf(e)
		}
		return item.ListValue(elements)
	case map[string]any:
		var fields item.Item
		for name, field := range v {
			fields = append(fields, item.Attribute{Name: name, Value: valueOf(field)})
		}
		return item.FieldsValue(fields)
	default:
		return item.Value{}
	}
}
