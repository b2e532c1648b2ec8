package loaders_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// memory answers with items of the test service, and equal Queries at once, so that a benchmark measures the gateway
// alone.
type memory struct {
	loaders.Source // for the methods that no benchmark calls
	byKey          map[keys.Key]item.Item
	sorted         []item.Item
	queries        map[request.Query]request.Result
}

func newMemory() *memory {
	m := &memory{byKey: map[keys.Key]item.Item{}, sorted: testservice.Items(), queries: map[request.Query]request.Result{}}
	for _, it := range m.sorted {
		m.byKey[keys.KeyOf(it)] = it
	}
	slices.SortFunc(m.sorted, func(a, b item.Item) int { return strings.Compare(a.Text("SK"), b.Text("SK")) })
	return m
}

func (m *memory) GetItem(_ context.Context, r request.GetItem) (request.Result, error) {
	return request.Result{Items: m.find(r.Key)}, nil
}

func (m *memory) BatchGetItem(_ context.Context, r request.BatchGetItem) (request.Result, error) {
	return request.Result{Items: m.find(r.Keys...)}, nil
}

// Now returns when the operation begins.
func (m *memory) Now() time.Time { return time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC) }

func (m *memory) find(of ...keys.Key) []item.Item {
	items := make([]item.Item, 0, len(of))
	for _, key := range of {
		if it := m.byKey[key]; it != nil {
			items = append(items, it)
		}
	}
	return items
}

// Query has only ascending Queries of the table that begin at their first item.
func (m *memory) Query(_ context.Context, q request.Query) (request.Result, error) {
	res, known := m.queries[q]
	if known {
		return res, nil
	}
	for _, it := range m.sorted {
		key := keys.KeyOf(it)
		inRange := q.From == "" && strings.HasPrefix(string(key.SK), string(q.Prefix)) ||
			q.From != "" && key.SK >= q.From && key.SK <= q.To
		if key.PK == q.PK && inRange && len(res.Items) < q.Limit {
			res.Items = append(res.Items, it)
		}
	}
	m.queries[q] = res
	return res, nil
}

// BenchmarkExecutors measures an operation in both executors, with all that a request to the gateway costs.
func BenchmarkExecutors(b *testing.B) {
	source, schema, log := newMemory(), testservice.Executable(), slog.New(slog.DiscardHandler)
	for _, operation := range []struct{ name, query, variables string }{
		{"object", `{ book(id: "Book:b001") { title genre publishedOn } }`, "{}"},
		{
			"page", `{ book(id: "Book:b001") { title ` +
				`recommendedBy(first: 10) { edges { cursor stars node { id name } } } } }`, "{}",
		},
		{"nodes", `{ nodes(ids: ["Book:b001", "Book:b002", "Reader:r001"]) { id ... on Book { title } } }`, "{}"},
		{"aliases", tenBooks, bookIDs()},
	} {
		for _, executor := range []string{"answer", "gqlgen"} {
			b.Run(operation.name+"/"+executor, func(b *testing.B) {
				handler := gateway.New(gateway.Config{
					Schema:       schema,
					Monitoring:   gateway.Monitoring{Logger: log},
					AlwaysGqlgen: executor == "gqlgen",
					Engine:       loaders.New(testservice.Design(), schema.Schema(), source, loaders.Options{Logger: log}),
				})
				body := strings.NewReader(`{"query":` + quoted(testservice.Encoded(operation.query)) +
					`,"variables":` + testservice.Encoded(operation.variables) + `}`)
				request := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", body)
				request.Header.Set("Content-Type", "application/json")
				b.ReportAllocs()
				for b.Loop() {
					_, _ = body.Seek(0, io.SeekStart)
					request.Body = io.NopCloser(body)
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, request)
					if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"errors"`) {
						b.Fatalf("%d %s", w.Code, w.Body)
					}
				}
			})
		}
	}
}

// tenBooks is an operation with ten aliases of a field.
var tenBooks = func() string {
	var variables, fields strings.Builder
	for n := range 10 {
		fmt.Fprintf(&variables, "$b%d: ID! ", n)
		fmt.Fprintf(&fields, " b%d: book(id: $b%d) { id title }", n, n)
	}
	return "query Books(" + variables.String() + ") {" + fields.String() + " }"
}()

// bookIDs returns the variables of tenBooks.
func bookIDs() string {
	ids := make([]string, 10)
	for n := range ids {
		ids[n] = fmt.Sprintf(`"b%d":"Book:b%03d"`, n, n+1)
	}
	return "{" + strings.Join(ids, ",") + "}"
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }
