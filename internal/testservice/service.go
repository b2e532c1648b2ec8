package testservice

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/app"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	service "github.com/partita/partita/internal/testservice/graph"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/internal/testservice/resolvers"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/tabletest"
	"github.com/partita/partita/viewer"
)

// Viewers of the library's data. The role of Librarian allows everything that a role can allow.
var (
	Anonymous = viewer.Viewer{}
	Ada       = viewer.Viewer{ID: Reader(1).Value()}
	Other     = viewer.Viewer{ID: Reader(2).Value(), Roles: []string{"STAFF"}}
	Librarian = viewer.Viewer{ID: "librarian", Roles: []string{"LIBRARIAN"}}
)

// Design returns the design of the library's table.
func Design() *keys.Design { return typed.Design }

// Executable returns the library's schema with its resolvers.
func Executable() graphql.ExecutableSchema {
	return service.NewExecutableSchema(service.Config{
		Resolvers: &resolvers.Resolver{Now: Now, DailyBook: Book(1), ClosedBranch: Branch(3)},
	})
}

// TableSchema returns the schema of the library's table.
func TableSchema() table.Schema { return table.Schema{Indexes: typed.Design.IndexNames()} }

// Service is a gateway in front of the library's table, which is in a local engine behind a proxy. Its methods
// may be called concurrently; the proxy's counts and faults are then those of all callers.
type Service struct {
	*tabletest.Engine
	// URL is the address of the GraphQL endpoint.
	URL    string
	Client *http.Client
	// Header is sent with each operation.
	Header http.Header
	Log    *gatewaytest.Log
	// BeyondDesign is set by tests that store what the design does not allow. No estimate is an upper bound then.
	BeyondDesign bool

	estimates *estimates
}

// Change changes the settings of a service before it starts.
type Change func(*gateway.Config, *loaders.Options)

// Start starts a service with the data of Items for the duration of a test. Operations are sent by the Librarian.
func Start(tb testing.TB, changes ...Change) *Service {
	tb.Helper()
	return StartOn(tb, tabletest.StartSeeded(tb, seed), changes...)
}

// seed is loaded once for all tests of a process.
var seed = &tabletest.Seed{Schema: TableSchema(), Items: slices.Values(Items())}

// StartEmpty starts a service with an empty table.
func StartEmpty(tb testing.TB, changes ...Change) *Service {
	tb.Helper()
	return StartOn(tb, tabletest.Start(tb, TableSchema()), changes...)
}

// StartOn starts a gateway in front of a table.
func StartOn(tb testing.TB, engine *tabletest.Engine, changes ...Change) *Service {
	tb.Helper()
	s := (&Service{Engine: engine, Header: http.Header{}, Log: &gatewaytest.Log{}, estimates: &estimates{}}).As(Librarian)
	config, options := s.config(), loaders.Options{}
	for _, change := range changes {
		change(&config, &options)
	}
	options.Logger = config.Logger
	app.UseEngine(&config, loaders.New(typed.Design, engine.Table, options))
	s.observe(&config)
	server := httptest.NewServer(gateway.New(config))
	tb.Cleanup(server.Close)
	s.URL, s.Client = server.URL+"/graphql", server.Client()
	return s
}

// config has limits that no test reaches by accident. The gateway's own tests are about the real ones.
func (s *Service) config() gateway.Config {
	return gateway.Config{
		Schema:       Executable(),
		Authenticate: gatewaytest.Authenticate,
		Logger:       slog.New(slog.NewTextHandler(s.Log, nil)),
		Limits: gateway.Limits{
			MaxVariablesBytes: 1 << 20, MaxListItems: 20_000, MaxAliases: 5000, MaxRootFields: 5000,
			MaxOperations: 10_000, OperationTimeout: time.Minute,
		},
	}
}

// observe keeps the estimates of operations.
func (s *Service) observe(config *gateway.Config) {
	estimate := config.Estimate
	config.Estimate = func(operation *graphql.OperationContext) gateway.Estimate {
		e := loaders.EstimateOf(operation)
		s.estimates.put(operation.Headers.Get(requestHeader), Estimate{e.Requests, e.Waves, e.ReadUnits, e.WriteUnits})
		return estimate(operation)
	}
}

// As returns the service as another viewer uses it.
func (s *Service) As(v viewer.Viewer) *Service {
	other := *s
	other.Header = s.Header.Clone()
	gatewaytest.SetViewer(other.Header, v)
	return &other
}

const requestHeader = "Test-Request"

// estimates are those of the operations in flight, by the value of requestHeader.
type estimates struct {
	latest atomic.Int64
	all    sync.Map
}

func (e *estimates) next() string { return strconv.FormatInt(e.latest.Add(1), 10) }

func (e *estimates) put(request string, estimate Estimate) {
	if request != "" {
		e.all.Store(request, estimate)
	}
}

func (e *estimates) take(request string) Estimate {
	estimate, _ := e.all.LoadAndDelete(request)
	found, _ := estimate.(Estimate)
	return found
}

// Answer is a GraphQL response.
type Answer struct {
	Status int `json:"-"`
	Data   map[string]any
	// Errors are sorted by path; the executor resolves fields concurrently and adds their errors in any order.
	Errors     []Error
	Extensions struct{ Cost gateway.Cost }
	// Estimate is the operation's estimate; zero if the operation is not valid.
	Estimate Estimate `json:"-"`
}

// Estimate is the worst-case cost of an operation.
type Estimate struct {
	Requests, Waves       int
	ReadUnits, WriteUnits float64
}

// Error is an error of a response.
type Error struct {
	Message    string
	Path       []any
	Extensions struct{ Code string }
}

// Ask sends an operation. In the document, a string such as "Loan:l004" or "Reminder:l004/1" is sent as
// the global id that it names; variables are sent as they are.
func (s *Service) Ask(tb testing.TB, query string, variables map[string]any) Answer {
	tb.Helper()
	a, err := s.Send(tb.Context(), query, variables)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// Must is Ask for an operation that has no errors.
func (s *Service) Must(tb testing.TB, query string, variables map[string]any) Answer {
	tb.Helper()
	a := s.Ask(tb, query, variables)
	if len(a.Errors) > 0 || a.Status != http.StatusOK {
		tb.Fatalf("status %d, errors %+v", a.Status, a.Errors)
	}
	return a
}

// Send is Ask for goroutines, which cannot end the test. It returns an error if there is no response, or if the
// operation has consumed more than was estimated.
func (s *Service) Send(ctx context.Context, query string, variables map[string]any) (Answer, error) {
	body, err := json.Marshal(map[string]any{"query": Encoded(query), "variables": variables})
	if err != nil {
		return Answer{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	id := s.estimates.next()
	request.Header = s.Header.Clone()
	request.Header.Set(requestHeader, id)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/graphql-response+json")
	response, err := s.Client.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	a := Answer{Status: response.StatusCode, Estimate: s.estimates.take(id)}
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		return a, err
	}
	slices.SortStableFunc(a.Errors, func(x, y Error) int {
		return strings.Compare(fmt.Sprint(x.Path), fmt.Sprint(y.Path))
	})
	cost, estimate := a.Extensions.Cost, a.Estimate
	if !s.BeyondDesign && (cost.ReadUnits > estimate.ReadUnits || cost.WriteUnits > estimate.WriteUnits) {
		err = fmt.Errorf("the operation cost %+v, but the estimate was %+v", cost, estimate)
	}
	return a, err
}
