// Package systems asks the servers that were generated from schemas.
package systems

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
)

// storedItems returns the items in which objects are stored, by the generated function of their
// type.
func storedItems[T any](t *testing.T, store func(T) ([]item.Item, error), objects ...T) []item.Item {
	t.Helper()
	var items []item.Item
	for _, o := range objects {
		stored, err := store(o)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, stored...)
	}
	return items
}

// runQueries runs the queries in the system's file on a table with the items, and compares the answers and the
// requests to DynamoDB.
func runQueries(
	t *testing.T, system string, schema graphql.ExecutableSchema, design *design.Design, items ...[]item.Item,
) {
	t.Parallel()
	s := start(t, schema, design)
	s.engine.Load(t, slices.Concat(items...)...)
	s.run(t, filepath.Join(os.Getenv("SYSTEMS"), system+".txt"))
}

// server answers operations by the plan and by gqlgen, on one table.
type server struct {
	schema       graphql.ExecutableSchema
	design       *design.Design
	engine       *tabletest.Engine
	plan, gqlgen http.Handler
}

// start returns a server with an empty table.
func start(t *testing.T, schema graphql.ExecutableSchema, design *design.Design) *server {
	t.Helper()
	checkDesign(t, schema, design)
	return serve(t, schema, design)
}

// serve is start for a generated design that has functions, which cannot be compared.
func serve(t *testing.T, schema graphql.ExecutableSchema, design *design.Design) *server {
	t.Helper()
	s := &server{schema: schema, design: design}
	s.engine = tabletest.Start(t, table.SchemaOf(design))
	s.plan, s.gqlgen = s.handler(false), s.handler(true)
	return s
}

func (s *server) handler(byGqlgen bool) http.Handler {
	return gateway.New(gateway.Config{
		Schema:       s.schema,
		Engine:       loaders.New(s.design, s.schema.Schema(), s.engine.Table, loaders.Options{}),
		AlwaysGqlgen: byGqlgen,
		Callers:      operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring:   gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
}

// run runs the queries in a file. In a query <Type:value:value> is a global ID, with \: for a colon in a value, and
// $cursor the last endCursor. After the requests are the read units.
func (s *server) run(t *testing.T, file string) {
	t.Helper()
	var cursor string
	datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
		byGqlgen, _ := execute(t, s.gqlgen, withIDs(d.Input), cursor)
		s.engine.Proxy.Reset()
		response, cost := execute(t, s.plan, withIDs(d.Input), cursor)
		if response != byGqlgen {
			t.Errorf("%s: the plan answers %s, gqlgen %s", d.Pos, response, byGqlgen)
		}
		counts := s.engine.Proxy.Counts()
		if cost.ReadUnits != counts.ReadUnits || cost.ReadUnits > cost.EstimatedReadUnits {
			t.Errorf("%s: the cost is %+v, the table has counted %+v", d.Pos, cost, counts)
		}
		if m := endCursor.FindStringSubmatch(response); m != nil {
			cursor = m[1]
		}
		requests := s.engine.Proxy.Log()
		if len(requests) == 0 {
			return readable(response) + "no request\n"
		}
		// The requests of a wave arrive in any order.
		slices.Sort(requests)
		return readable(response) + strings.Join(requests, "\n") + fmt.Sprintf("\n%v read units\n", cost.ReadUnits)
	})
}

// checkDesign compares the generated design with the schema's own directives.
func checkDesign(t *testing.T, schema graphql.ExecutableSchema, d *design.Design) {
	t.Helper()
	want, err := directives.Read(schema.Schema())
	if err != nil {
		t.Fatal(err)
	}
	parts := func(d *design.Design) []any { return []any{d.Layout, d.Types, d.Fields, d.Rules} }
	if !reflect.DeepEqual(parts(want.Design), parts(d)) {
		t.Error("the generated design is not that of the directives")
	}
}

// execute returns the data of an operation, and its errors as gqlerror writes them; and its cost.
func execute(t *testing.T, handler http.Handler, query, cursor string) (string, response.Cost) {
	t.Helper()
	parameters := map[string]any{"query": query}
	if strings.Contains(query, "$cursor") {
		parameters["query"] = "query($cursor: String) " + query
		parameters["variables"] = map[string]any{"cursor": cursor}
	}
	body, err := json.Marshal(parameters)
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Request-Id", "test")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	var response struct {
		Errors     gqlerror.List
		Data       json.RawMessage
		Extensions struct{ Cost response.Cost }
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &response); err != nil {
		t.Fatalf("%s: %v", recorder.Body, err)
	}
	answer := string(response.Data)
	if len(response.Errors) > 0 {
		text := strings.TrimSpace(response.Errors.Error())
		answer = fmt.Sprintf("{%q: %q, %q: %s}", "errors", text, "data", response.Data)
	}
	return answer, response.Extensions.Cost
}

var (
	idInQuery = regexp.MustCompile(`<(\w+):([^>]*)>`)
	endCursor = regexp.MustCompile(`"endCursor":"([^"]+)"`)
	anyText   = regexp.MustCompile(`"[A-Za-z0-9_-]+"`)
	anyCursor = regexp.MustCompile(`"(cursor|endCursor|startCursor)": "[^"]+"`)
)

func withIDs(query string) string {
	return idInQuery.ReplaceAllStringFunc(query, func(text string) string {
		m := idInQuery.FindStringSubmatch(text)
		values := strings.Split(strings.ReplaceAll(m[2], `\:`, "\x00"), ":")
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], "\x00", ":")
		}
		return fmt.Sprintf("%q", keys.NewID(m[1], values...).Encode())
	})
}

// readable returns the response with IDs decoded and cursors left out.
func readable(response string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(response), "", " "); err != nil {
		return response + "\n"
	}
	text := anyCursor.ReplaceAllString(b.String(), `"$1": "..."`)
	text = anyText.ReplaceAllStringFunc(text, func(quoted string) string {
		if id, err := keys.ParseID(strings.Trim(quoted, `"`)); err == nil {
			return "<" + string(id) + ">"
		}
		return quoted
	})
	return text + "\n"
}
