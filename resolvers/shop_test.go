package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"go.uber.org/goleak"

	"github.com/partita/partita/app"
	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/tabletest"
	"github.com/partita/partita/viewer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
	// estimates has the Estimate of the latest operation.
	estimates *atomic.Pointer[loaders.Estimate]
}

// estimate returns the estimate of the latest operation.
func (s *shop) estimate() loaders.Estimate { return *s.estimates.Load() }

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

func schema() table.Schema { return table.Schema{Indexes: typed.Design.IndexNames()} }

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
		estimates: &atomic.Pointer[loaders.Estimate]{},
	}
	s = s.as(admin)
	resolver := &resolvers.Resolver{Clock: func() time.Time { return today }}
	config := gateway.Config{
		Schema:       graph.NewExecutableSchema(graph.Config{Resolvers: resolver}),
		Authenticate: gatewaytest.Authenticate,
		Logger:       slog.New(slog.NewTextHandler(s.log, nil)),
		// The limits on documents have tests in package gateway; no test here reaches them.
		Limits: gateway.Limits{
			MaxVariablesBytes: 1 << 20, MaxListItems: 20_000, MaxAliases: 5000, MaxRootFields: 5000,
			MaxOperations: 10_000, OperationTimeout: time.Minute,
		},
	}
	options := loaders.Options{Logger: config.Logger}
	change(&config, &options)
	if config.Extensions == nil {
		app.UseEngine(&config, loaders.New(typed.Design, e.Table, options))
	}
	s.observe(&config)
	server := httptest.NewServer(gateway.New(config))
	t.Cleanup(server.Close)
	s.url, s.client = server.URL+"/graphql", server.Client()
	return s
}

// observe keeps the estimate of the latest operation.
func (s *shop) observe(config *gateway.Config) {
	estimate := config.Estimate
	config.Estimate = func(operation *graphql.OperationContext) gateway.Estimate {
		e := loaders.EstimateOf(operation)
		s.estimates.Store(&e)
		return estimate(operation)
	}
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
	Data       map[string]any
	Errors     []answerError
	Extensions struct{ Cost gateway.Cost }
}

type answerError struct {
	Message    string
	Path       []any
	Extensions struct{ Code string }
}

func (s *shop) ask(t *testing.T, query string, variables map[string]any) answer {
	t.Helper()
	a, err := s.send(t.Context(), query, variables)
	if err != nil {
		t.Fatal(err)
	}
	return a
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
	resp, err := s.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	a := answer{status: resp.StatusCode}
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return a, err
	}
	if cost := a.Extensions.Cost; cost.ReadUnits > cost.EstimatedReadUnits && !s.beyondDesign {
		err = fmt.Errorf("%v read units were consumed, %v estimated", cost.ReadUnits, cost.EstimatedReadUnits)
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
