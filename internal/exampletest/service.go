package exampletest

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/viewer"
)

// Service is an example that is served over a table of its own, which has the items of data.jsonl.
type Service struct {
	*Example
	Engine *tabletest.Engine
	// ComparesPlans is set to compare the conditions of writes with those of plans. What is known only at the write, such
	// as whether an object is created or updated, is not in a plan.
	ComparesPlans bool

	// tenant is that of all viewers, "" in a table without tenants.
	tenant  string
	schema  *ast.Schema
	handler http.Handler
	names   names
	// sockets are those by which SendAs sends; nil for HTTP.
	sockets *sockets
}

// Serve serves the folder, as the program does.
func (e *Example) Serve(tb testing.TB) *Service {
	tb.Helper()
	return e.serveData(tb, e.Data(tb))
}

// serveData serves the folder over a table with other data.
func (e *Example) serveData(tb testing.TB, lines string) *Service {
	tb.Helper()
	return e.serve(tb, lines, answer.NewFolder(e.Schema.AST), e.Schema.WithoutGo(), false)
}

// serve serves a schema that was made from the folder. With byGqlgen, gqlgen executes all operations.
func (e *Example) serve(
	tb testing.TB, lines string, schema graphql.ExecutableSchema, d *design.Design, byGqlgen bool,
) *Service {
	tb.Helper()
	s := &Service{
		Example: e, Engine: tabletest.Start(tb, table.SchemaOf(d)), schema: schema.Schema(), names: names{design: d},
	}
	s.Engine.LoadLines(tb, strings.NewReader(lines))
	s.handler = handler(schema, d, s.Engine.Table, byGqlgen)
	return s
}

// Data returns the lines of data.jsonl.
func (e *Example) Data(tb testing.TB) string {
	tb.Helper()
	return read(tb, filepath.Join(e.Dir, "data.jsonl"))
}

// handler returns the gateway over a table.
func handler(schema graphql.ExecutableSchema, d *design.Design, t *table.Table, byGqlgen bool) http.Handler {
	return gateway.New(gateway.Config{
		Schema:       schema,
		Engine:       loaders.New(d, schema.Schema(), t, loaders.Options{}),
		AlwaysGqlgen: byGqlgen,
		Callers: operation.Callers{
			Authenticate: gatewaytest.Authenticate,
			NeedsTenant:  t.Schema().Tenants,
		},
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
}

// send sends an operation, and returns the body of its response and the requests to DynamoDB, sorted: those of a wave
// arrive in any order.
func (s *Service) send(tb testing.TB, o sent) (body string, requests []string) {
	tb.Helper()
	parameters, err := executors.Body(s.names.encode(o.document), o.values(tb, &s.names))
	fatal.If(tb, err)
	return s.post(tb, o.viewer, parameters)
}

// Send sends a document of an anonymous caller, and returns the body of its response and the requests to DynamoDB.
func (s *Service) Send(tb testing.TB, document string) (body string, requests []string) {
	tb.Helper()
	return s.send(tb, sent{document: document})
}

// SendAs sends a document of a viewer, and returns the body of its response. It may be called at the same time, but not
// with sockets.
func (s *Service) SendAs(tb testing.TB, v viewer.Viewer, document string) string {
	tb.Helper()
	if s.sockets != nil {
		return s.sockets.send(tb, v, s.names.encode(document))
	}
	parameters, err := executors.Body(s.names.encode(document), nil)
	if err != nil {
		tb.Error(err)
		return ""
	}
	return s.serve(tb, v, parameters)
}

// post sends the body of a request.
func (s *Service) post(tb testing.TB, v viewer.Viewer, parameters []byte) (body string, requests []string) {
	tb.Helper()
	var planned []price.ExplainedWrite
	if s.ComparesPlans {
		planned = s.planned(tb, v, parameters)
	}
	s.Engine.Proxy.Reset()
	body = s.serve(tb, v, parameters)
	if s.ComparesPlans {
		s.checkWrites(tb, planned)
	}
	requests = s.Engine.Proxy.Log()
	if s.tenant != "" {
		for i := range requests {
			requests[i] = strings.ReplaceAll(requests[i], s.tenant+s.Engine.Table.Schema().Layout().Delimiter, "")
		}
	}
	slices.Sort(requests)
	return body, requests
}

// serve returns the body of the response to a request.
func (s *Service) serve(tb testing.TB, v viewer.Viewer, parameters []byte) string {
	tb.Helper()
	return s.serveAt(tb, "/graphql", v, parameters)
}

func (s *Service) serveAt(tb testing.TB, path string, v viewer.Viewer, parameters []byte) string {
	tb.Helper()
	request := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, path, bytes.NewReader(parameters))
	v.Tenant = s.tenant
	gatewaytest.SetViewer(request.Header, v)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/graphql-response+json")
	request.Header.Set("X-Request-Id", "test")
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	return recorder.Body.String()
}

// Items returns all items of the table as text.
func (s *Service) Items(tb testing.TB) string {
	tb.Helper()
	var lines []string
	for _, it := range contents(tb, s.Engine) {
		slices.SortFunc(it, func(a, b item.Attribute) int { return strings.Compare(a.Name, b.Name) })
		lines = append(lines, fmt.Sprint(it))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Check fails the test if `table check` finds something in the table.
func (s *Service) Check(tb testing.TB) {
	tb.Helper()
	report, err := check.Table(tb.Context(), admin.Scanner{Table: s.Engine.Table}, check.Options{
		Design: s.Schema.Design,
		Found:  func(v check.Violation) { tb.Errorf("table check: %+v", v) },
	})
	if err != nil {
		tb.Error(err, report)
	}
}
