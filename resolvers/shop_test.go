package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"go.uber.org/goleak"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	answers "github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

func TestMain(m *testing.M) {
	tabletest.RunAtOnce(4)
	goleak.VerifyTestMain(m)
}

// shop is the gateway with the demo data in a real engine behind a proxy.
type shop struct {
	*tabletest.Engine
	url    string
	client *http.Client
	// header is sent with each operation.
	header http.Header
	log    *gatewaytest.Log
	// beyondDesign is set by tests that store what the design does not allow. No estimate is an upper bound then.
	beyondDesign bool
	// latest is the latest operation that was priced.
	latest *atomic.Pointer[priced]
	// gqlgen is a gateway in front of the same table that executes all operations by gqlgen.
	gqlgen *shop
	// folder is a gateway in front of the same table that serves the schema's files without Go.
	folder *shop
}

// estimate returns the estimate of the latest operation.
func (s *shop) estimate() plan.Price { return s.latest.Load().price }

func startShop(t testing.TB) *shop {
	t.Helper()
	return startShopWith(t, func(*gateway.Config, *loaders.Options) {})
}

// startShopWith is startShop with other settings.
func startShopWith(t testing.TB, change func(*gateway.Config, *loaders.Options)) *shop {
	t.Helper()
	return startOn(t, tabletest.StartSeeded(t, demoData), change)
}

// demoData is loaded once for all tests.
var demoData = &tabletest.Seed{Schema: schema(), Items: demo.Items()}

// schema returns the table without its stream, which nothing here reads: a write takes the local engine the longer the
// more records the stream has.
func schema() table.Schema {
	s := table.SchemaOf(typed.Design)
	s.Stream = false
	return s
}

// startEmptyShop starts a shop with an empty table, for tests that write.
func startEmptyShop(t testing.TB) *shop {
	t.Helper()
	return startTable(t, func(*gateway.Config, *loaders.Options) {})
}

// today is the time of the shop's clock.
var today = time.Date(2026, time.January, 2, 3, 4, 5, 678_900_000, time.UTC)

func startTable(t testing.TB, change func(*gateway.Config, *loaders.Options)) *shop {
	t.Helper()
	return startOn(t, tabletest.Start(t, schema()), change)
}

// startOn starts a gateway in front of a table.
func startOn(t testing.TB, e *tabletest.Engine, change func(*gateway.Config, *loaders.Options)) *shop {
	t.Helper()
	s := &shop{
		Engine: e, header: http.Header{}, log: &gatewaytest.Log{},
		latest: &atomic.Pointer[priced]{},
	}
	s = s.as(admin)
	resolver := &resolvers.Resolver{Clock: func() time.Time { return today }}
	config := gateway.Config{
		Schema:     graph.NewExecutableSchema(graph.Config{Resolvers: resolver}),
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.NewTextHandler(s.log, nil))},
		// The limits on documents have tests in package gateway; no test here reaches them.
		Limits: operation.Limits{
			Limits: document.Limits{
				MaxVariablesBytes: 1 << 20, MaxListItems: 20_000, MaxAliases: 5000, MaxRootFields: 5000,
			},
			MaxOperations: 10_000, OperationTimeout: time.Minute,
		},
	}
	options := loaders.Options{Hooks: resolver.Hooks(), Logger: config.Monitoring.Logger, BatchWait: 10 * time.Millisecond}
	change(&config, &options)
	if config.Engine == nil {
		config.Engine = loaders.New(typed.Design, config.Schema.Schema(), e.Table, options)
	}
	s.serve(t, config)
	files := schemaFiles(t)
	s.folder = s.twin(t, config, files.Design, answers.NewFolder(files.AST), options)
	config.AlwaysGqlgen = true
	s.gqlgen = s.twin(t, config, typed.Design, config.Schema, options)
	return s
}

// twin returns the shop behind another gateway, with the same table.
func (s *shop) twin(
	t testing.TB, config gateway.Config, d *design.Design, schema graphql.ExecutableSchema, options loaders.Options,
) *shop {
	twin := *s
	twin.Engine = s.Again(t)
	config.Schema, config.Engine = schema, loaders.New(d, schema.Schema(), twin.Table, options)
	twin.serve(t, config)
	return &twin
}

// serve starts a gateway with an Engine.
func (s *shop) serve(t testing.TB, config gateway.Config) {
	config.Meter = observed{config.Engine, s.latest}
	server := httptest.NewServer(gateway.New(config))
	t.Cleanup(server.Close)
	s.url, s.client = server.URL+"/graphql", server.Client()
}

// priced is an operation with its estimate.
type priced struct {
	*plan.Bound
	price plan.Price
}

// observed keeps the latest operation.
type observed struct {
	operation.Meter
	latest *atomic.Pointer[priced]
}

// Price implements operation.Meter.
func (o observed) Price(ctx context.Context, b *plan.Bound) (plan.Price, error) {
	price, err := o.Meter.Price(ctx, b)
	o.latest.Store(&priced{b, price})
	return price, err
}

// admin is the viewer of tests that set no other one.
var admin = viewer.Viewer{ID: "admin", Roles: []string{"ADMIN"}}

// as returns the shop as another viewer uses it.
func (s *shop) as(v viewer.Viewer) *shop {
	other := *s
	other.header = s.header.Clone()
	gatewaytest.SetViewer(other.header, v)
	return &other
}

// actor is the field of an input that names the user who sends it.
const actor = "userId"

func (s *shop) acting(in input) *shop {
	text := fmt.Sprint(in[actor])
	if id, err := keys.ParseID(text); err == nil {
		text = id.Value()
	}
	return s.as(viewer.Viewer{ID: text})
}

// answer is a GraphQL response.
type answer struct {
	status     int
	body       string
	Data       map[string]any
	Errors     []answerError
	Extensions struct{ Cost response.Cost }
}

type answerError struct {
	Message    string
	Path       []any
	Extensions struct{ Code string }
}

// ask sends an operation. A query without hand-written Go is also executed by gqlgen, and answered from the schema's
// files alone: the responses must be equal byte for byte, and so must the requests to the table, unless one of them had
// a fault. Nothing else may use the shop at the same time.
func (s *shop) ask(t *testing.T, query string, variables map[string]any) answer {
	t.Helper()
	s.latest.Store(nil)
	before := len(s.Proxy.Log())
	a, err := s.send(t.Context(), query, variables)
	if err != nil {
		t.Fatal(err)
	}
	latest, requests := s.latest.Load(), sorted(s.Proxy.Log()[before:])
	if latest == nil || latest.HandWritten || latest.Operation.Operation == ast.Mutation ||
		strings.Contains(requests, "-> ") {
		return a
	}
	for name, other := range map[string]*shop{"gqlgen": s.gqlgen, "folder": s.folder} {
		twin := *other
		twin.header, twin.beyondDesign = s.header, s.beyondDesign
		twin.Proxy.Reset()
		by, err := twin.send(t.Context(), query, variables)
		if err != nil {
			t.Fatal(err)
		}
		if a.status != by.status || a.body != by.body {
			t.Errorf("the executors differ for %s\nanswer: %s\n%s: %s", query, a.body, name, by.body)
		}
		if want := sorted(twin.Proxy.Log()); requests != want {
			t.Errorf("the executors differ for %s\nanswer:\n%s%s:\n%s", query, requests, name, want)
		}
	}
	return a
}

// sorted returns the lines of a proxy's log in a fixed order: the requests of a wave run in parallel.
func sorted(log []string) string {
	slices.Sort(log)
	return strings.Join(append(log, ""), "\n")
}

// send is ask for goroutines, which cannot end the test.
func (s *shop) send(ctx context.Context, query string, variables map[string]any) (answer, error) {
	if in, is := variables["input"].(input); is && in[actor] != nil {
		s, variables = s.acting(in), map[string]any{"input": in.with(actor, nil)}
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header = s.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/graphql-response+json")
	req.Header.Set("X-Request-Id", "the-same") // it is in errors whose cause is in the log
	resp, err := s.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{status: resp.StatusCode, body: string(text)}
	if err := json.Unmarshal(text, &a); err != nil {
		return a, err
	}
	if cost := a.Extensions.Cost; cost.Exceeds() && !s.beyondDesign {
		err = fmt.Errorf("the operation has consumed more than its price: %+v", cost)
	}
	return a, err
}

// must is ask for an operation without errors.
func (s *shop) must(t *testing.T, query string, variables map[string]any) answer {
	t.Helper()
	a := s.ask(t, query, variables)
	if len(a.Errors) > 0 || a.status != http.StatusOK {
		t.Fatalf("status %d, errors %+v", a.status, a.Errors)
	}
	return a
}

// ids returns the global ids of the demo data's base items of a type, in the order of the demo data.
func ids(typ string, n int) []string {
	var found []string
	seen := map[string]bool{}
	for it := range demo.Items() {
		if it.Type() != typ {
			continue
		}
		id := baseID(it)
		if seen[id] {
			continue
		}
		seen[id] = true
		if found = append(found, id); len(found) == n {
			break
		}
	}
	return found
}

func baseID(it item.Item) string {
	t := typed.Design.Type(it.Type())
	values := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		values[i] = it.Text(name)
	}
	return keys.NewID(t.Name, values...).Encode()
}
