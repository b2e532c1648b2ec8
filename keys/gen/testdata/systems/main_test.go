// Package systems asks the servers that were generated from the example schemas.
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

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/tabletest"
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

// runQueries runs the queries in the system's file on a table with the items, and compares the
// answers and the requests to DynamoDB. In a query <Type:value> is a global ID, and $cursor the
// last endCursor.
func runQueries(
	t *testing.T, system string, schema graphql.ExecutableSchema, design *keys.Design, items ...[]item.Item,
) {
	t.Parallel()
	checkDesign(t, schema, design)
	engine := tabletest.Start(t, table.SchemaOf(design))
	engine.Load(t, slices.Concat(items...)...)
	var handlers [2]http.Handler
	for i := range handlers {
		handlers[i] = gateway.New(gateway.Config{
			Schema:       schema,
			Engine:       loaders.New(design, schema.Schema(), engine.Table, loaders.Options{}),
			AlwaysGqlgen: i == 1,
			Logger:       slog.New(slog.DiscardHandler),
		})
	}
	var cursor string
	file := filepath.Join(os.Getenv("SYSTEMS"), system+".txt")
	datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
		byGqlgen := execute(t, handlers[1], withIDs(d.Input), cursor)
		engine.Proxy.Reset()
		response := execute(t, handlers[0], withIDs(d.Input), cursor)
		if response != byGqlgen {
			t.Errorf("%s: the plan answers %s, gqlgen %s", d.Pos, response, byGqlgen)
		}
		if m := endCursor.FindStringSubmatch(response); m != nil {
			cursor = m[1]
		}
		requests := engine.Proxy.Log()
		if len(requests) == 0 {
			requests = []string{"no request"}
		}
		// The requests of a wave arrive in any order.
		slices.Sort(requests)
		return readable(response) + strings.Join(requests, "\n") + "\n"
	})
}

// checkDesign compares the generated design with the schema's own directives.
func checkDesign(t *testing.T, schema graphql.ExecutableSchema, design *keys.Design) {
	t.Helper()
	want, err := directives.Read(schema.Schema())
	if err != nil {
		t.Fatal(err)
	}
	plain := *design
	if !reflect.DeepEqual(want.Design, plain.WithOwners(nil)) {
		t.Error("the generated design is not that of the directives")
	}
}

// execute returns the data of an operation, and its errors as gqlerror writes them.
func execute(t *testing.T, handler http.Handler, query, cursor string) string {
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
		Errors gqlerror.List
		Data   json.RawMessage
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &response); err != nil {
		t.Fatalf("%s: %v", recorder.Body, err)
	}
	if len(response.Errors) > 0 {
		return fmt.Sprintf("{%q: %q, %q: %s}", "errors", strings.TrimSpace(response.Errors.Error()), "data", response.Data)
	}
	return string(response.Data)
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
		return fmt.Sprintf("%q", keys.NewID(m[1], strings.Split(m[2], ":")...).Encode())
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
