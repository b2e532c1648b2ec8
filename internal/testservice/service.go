package testservice

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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/tabletest"
	service "github.com/partita/partita/internal/testservice/graph"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/internal/testservice/resolvers"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
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
func Design() *design.Design { return library }

var library = typed.Design.WithAllow(Allow)

// Allow is the Go code of the library's rules: Ada reads the first of the notes about calls.
var Allow = map[string]design.Allow{
	"READER": func(viewer string, _ []string, value func(string) (string, bool)) bool {
		text, _ := value("text")
		at, _ := value("notedAt")
		return viewer == Ada.ID && strings.HasPrefix(text, "Called") && at < keys.TimeValue(lent(4).AddDate(0, 0, 1)).Text()
	},
}

// Executable returns the library's schema with its resolvers.
func Executable() graphql.ExecutableSchema {
	return service.NewExecutableSchema(service.Config{
		Resolvers: &resolvers.Resolver{Now: Now, DailyBook: Book(1), ClosedBranch: Branch(3)},
	})
}

// Schema returns the library's schema with the objects of Items, for random operations and for comparisons of
// executors.
func Schema() executors.Schema {
	return executors.Schema{
		Executable: Executable(), Design: Design(), Items: Items(), Folder: Folder(),
		Viewers: []viewer.Viewer{Librarian, Ada, Other, Anonymous},
	}
}

// TableSchema returns the schema of the library's table.
func TableSchema() table.Schema { return table.SchemaOf(typed.Design) }

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
	// Pair has the gateway, and one that executes all operations by gqlgen.
	Pair *executors.Pair
	// BeyondDesign is set by tests that store what the design does not allow. No estimate is an upper bound then.
	BeyondDesign bool

	estimates *estimates
}

// Change changes the settings of a service before it starts.
type Change func(*gateway.Config, *loaders.Options)

// Start starts a service with the data of Items for the duration of a test. Operations are sent by the Librarian.
func Start(tb testing.TB, changes ...Change) *Service {
	tb.Helper()
	return newService(tabletest.StartSeeded(tb, seed)).start(tb, Schema(), changes)
}

// seed is loaded once for all tests of a process.
var seed = &tabletest.Seed{Schema: TableSchema(), Items: slices.Values(Items())}

// StartEmpty starts a service with an empty table.
func StartEmpty(tb testing.TB, changes ...Change) *Service {
	tb.Helper()
	return newService(tabletest.Start(tb, TableSchema())).start(tb, Schema(), changes)
}

// batchWait is long enough that resolvers which run concurrently are in one batch, also on a busy machine.
// PatientBatches is for tests that count requests of such resolvers.
const (
	batchWait      = 20 * time.Millisecond
	PatientBatches = 200 * time.Millisecond
)

// StartSubgraph is Start for the library as a subgraph of Apollo Federation.
func StartSubgraph(tb testing.TB, changes ...Change) *Service {
	tb.Helper()
	schema, sdl := Schema().Subgraph()
	changes = append(changes, func(_ *gateway.Config, o *loaders.Options) { o.SDL = sdl })
	return newService(tabletest.StartSeeded(tb, seed)).start(tb, schema, changes)
}

func newService(engine *tabletest.Engine) *Service {
	s := &Service{Engine: engine, Header: http.Header{}, Log: &gatewaytest.Log{}, estimates: &estimates{}}
	return s.As(Librarian)
}

// start starts the gateways of a service for a schema.
func (s *Service) start(tb testing.TB, schema executors.Schema, changes []Change) *Service {
	tb.Helper()
	config, options := s.config(), loaders.Options{BatchWait: batchWait}
	config.Schema = schema.Executable
	for _, change := range changes {
		change(&config, &options)
	}
	options.Logger = config.Monitoring.Logger
	reads := cache.New(cache.Options{}).Around(s.Table) // as a gateway has it
	config.Engine = loaders.New(schema.Design, config.Schema.Schema(), reads, options)
	config.Meter = observed{config.Engine, s.estimates}
	s.Pair = executors.NewPair(config, config.Engine, s.Proxy, s.Log)
	config.Schema = answer.NewFolder(schema.Folder.AST)
	config.Engine = loaders.New(schema.Folder.Design, schema.Folder.AST, reads, options)
	config.Meter = observed{config.Engine, s.estimates}
	s.Pair.Folder = gateway.New(config)
	for _, handler := range []*http.Handler{&s.Pair.Plan, &s.Pair.Gqlgen, &s.Pair.Folder} {
		*handler = withRequest(*handler)
	}
	s.URL, s.Client = serve(tb, s.Pair.Plan)
	return s
}

func serve(tb testing.TB, gateway http.Handler) (url string, client *http.Client) {
	server := httptest.NewServer(gateway)
	tb.Cleanup(server.Close)
	return server.URL + "/graphql", server.Client()
}

// EachExecutor runs a test with the service, and again with all operations executed by gqlgen.
func (s *Service) EachExecutor(t *testing.T, test func(t *testing.T, s *Service)) {
	t.Helper()
	t.Run("plan", func(t *testing.T) { test(t, s) })
	t.Run("gqlgen", func(t *testing.T) {
		other := *s
		other.URL, other.Client = serve(t, s.Pair.Gqlgen)
		test(t, &other)
	})
}

// config has limits that no test reaches by accident. The gateway's own tests are about the real ones.
func (s *Service) config() gateway.Config {
	return gateway.Config{
		Schema:     Executable(),
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.NewTextHandler(s.Log, nil))},
		Limits: operation.Limits{
			Limits: document.Limits{
				MaxVariablesBytes: 1 << 20, MaxListItems: 20_000, MaxAliases: 5000, MaxRootFields: 5000,
			},
			MaxOperations: 10_000, OperationTimeout: time.Minute,
		},
	}
}

// observed keeps the estimates of operations, whose time it sets.
type observed struct {
	operation.Meter
	estimates *estimates
}

// Price implements operation.Meter.
func (o observed) Price(ctx context.Context, b *plan.Bound) (plan.Price, error) {
	b.Now = Now
	e, err := o.Meter.Price(ctx, b)
	request, _ := ctx.Value(requestKey{}).(string)
	o.estimates.put(request, Estimate{
		Requests: e.Requests, Waves: e.Waves, ReadUnits: e.ReadUnits, WriteUnits: e.WriteUnits,
		HandWritten: b.HandWritten,
	})
	return e, err
}

// As returns the service as another viewer uses it.
func (s *Service) As(v viewer.Viewer) *Service {
	other := *s
	other.Header = s.Header.Clone()
	gatewaytest.SetViewer(other.Header, v)
	return &other
}

const requestHeader = "Test-Request"

type requestKey struct{}

// withRequest adds the value of requestHeader to the context of a request.
func withRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), requestKey{}, r.Header.Get(requestHeader))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

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
	Extensions struct {
		Cost response.Cost
		// Plan is in the answers of AskBoth.
		Plan *loaders.Measured
	}
	// Estimate is the operation's estimate; zero if the operation is not valid.
	Estimate Estimate `json:"-"`
	// Body is the whole response.
	Body string `json:"-"`
}

// Estimate is the worst-case cost of an operation.
type Estimate struct {
	Requests, Waves       int
	ReadUnits, WriteUnits float64
	// HandWritten is set if only gqlgen can execute the operation.
	HandWritten bool
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
	fatal.If(tb, err)
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
	body, err := executors.Body(Encoded(query), variables)
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
	estimate := s.estimates.take(id)
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, err
	}
	return s.answer(response.StatusCode, string(text), estimate)
}

// objectsIn returns the number of objects in data.
func objectsIn(data any) int {
	n := 0
	switch data := data.(type) {
	case map[string]any:
		n = 1
		for _, value := range data {
			n += objectsIn(value)
		}
	case []any:
		for _, value := range data {
			n += objectsIn(value)
		}
	}
	return n
}

// answer reads a response.
func (s *Service) answer(status int, body string, estimate Estimate) (Answer, error) {
	a := Answer{Status: status, Body: body, Estimate: estimate}
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		return a, err
	}
	slices.SortStableFunc(a.Errors, func(x, y Error) int {
		return strings.Compare(fmt.Sprint(x.Path), fmt.Sprint(y.Path))
	})
	cost := a.Extensions.Cost
	writeUnits := estimate.WriteUnits * float64(1+cost.Retries) // each attempt may consume them
	if !s.BeyondDesign && (cost.ReadUnits > estimate.ReadUnits || cost.WriteUnits > writeUnits) {
		return a, fmt.Errorf("the operation cost %+v, but the estimate was %+v", cost, estimate)
	}
	n := 0
	if a.Data != nil {
		n = objectsIn(a.Data)
	}
	if !s.BeyondDesign && float64(cost.Objects) > cost.EstimatedObjects || n > cost.Objects {
		return a, fmt.Errorf("the answer has %d objects, but the cost is %+v", n, cost)
	}
	return a, nil
}
