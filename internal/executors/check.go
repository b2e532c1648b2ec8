package executors

import (
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/gen/directives"
	_ "github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// Schema is a schema whose operations are compared, with the objects of its table.
type Schema struct {
	Executable graphql.ExecutableSchema
	Design     *design.Design
	Items      []item.Item
	// Folder is the schema as its files have it, with a design that is WithoutGo; nil if it is not compared.
	Folder *directives.Schema
	// Viewers are one who may read everything, the owner of the first objects, and others.
	Viewers []viewer.Viewer
}

// Generator returns a Generator for the schema and its objects.
func (s Schema) Generator() *Generator {
	return NewGenerator(s.Executable.Schema(), s.Design, slices.Values(s.Items))
}

// Comparison compares executors over a table in memory.
type Comparison struct {
	*Pair
	Memory    *Memory
	generator *Generator
	viewers   []viewer.Viewer
}

// Compare returns the Comparison of a schema, with options but for the logger.
func (s Schema) Compare(options loaders.Options) *Comparison {
	log := &gatewaytest.Log{}
	logger := slog.New(slog.NewTextHandler(log, nil))
	options.Logger = logger
	memory := NewMemory(s.Items, s.Design.IndexNames())
	config := gateway.Config{
		Schema:     s.Executable,
		Engine:     loaders.New(s.Design, s.Executable.Schema(), memory, options),
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring: gateway.Monitoring{Logger: logger},
		Limits: operation.Limits{
			Limits: document.Limits{
				MaxVariablesBytes: 1e6, MaxListItems: 1e6, MaxAliases: 1e6, MaxRootFields: 1e6, MaxTokens: 1e6,
			},
			OperationTimeout: time.Minute,
		},
	}
	generator := s.Generator()
	generator.Introspection = true
	pair := NewPair(config, loaders.New(s.Design, s.Executable.Schema(), memory, options), memory, log)
	if s.Folder != nil {
		config.Schema = answer.NewFolder(s.Folder.AST)
		config.Engine = loaders.New(s.Folder.Design, s.Folder.AST, memory, options)
		pair.Folder = gateway.New(config)
	}
	return &Comparison{pair, memory, generator, s.Viewers}
}

// Scenario is an operation and the circumstances of its execution.
type Scenario struct {
	Operation
	Viewer viewer.Viewer
	// Strong is set if strongly consistent reads are requested.
	Strong bool
	// Damage is the seed of the items that are damaged or missing; 0 for none.
	Damage uint64
	// Faults is the argument of Memory.Fail.
	Faults uint64
	// Pages chooses among the cursors of the operation's pages.
	Pages uint64
}

// Scenario returns a random Scenario.
func (c *Comparison) Scenario(random Random) Scenario {
	s := Scenario{Operation: c.generator.Operation(random), Viewer: c.viewers[random.IntN(len(c.viewers))]}
	s.Strong = random.IntN(5) == 4
	if random.IntN(2) == 1 {
		s.Damage = 1 + uint64(random.IntN(math.MaxInt32))
	}
	if random.IntN(5) == 4 {
		s.Faults = 1 + uint64(random.IntN(1000))
	}
	s.Pages = uint64(random.IntN(1000))
	return s
}

// Run compares the executors for a scenario, and for the next pages of its connections. The error is how they differ.
func (c *Comparison) Run(s Scenario) (responses []Response, err error) {
	header := http.Header{}
	gatewaytest.SetViewer(header, s.Viewer)
	if s.Strong {
		header.Set(loaders.ConsistencyHeader, "strong")
	}
	c.Memory.Alter = damage(s.Damage)
	random, operation := rand.New(rand.NewPCG(s.Pages, 1)), s.Operation
	for isNext := true; isNext && len(responses) < 2; {
		r, err := c.Both(header, operation, func() { c.Memory.Fail(s.Faults) })
		if responses = append(responses, r); err != nil {
			return responses, fmt.Errorf("%+v: %w", s.Viewer, err)
		}
		operation, isNext = operation.Next(random, r.Data())
	}
	return responses, nil
}

// drawn draws the numbers of a rapid.T, which makes a failing scenario smaller.
type drawn struct{ *rapid.T }

// IntN implements Random.
func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "n") }

// Check compares the executors for random operations, also with few Reads for each operation. Some of them are the
// same in each run; the number of the others is rapid's flag -rapid.checks.
func (s Schema) Check(t *testing.T) {
	t.Helper()
	for _, limit := range []struct {
		name    string
		options loaders.Options
	}{
		{"any reads", loaders.Options{}},
		{"few reads", loaders.Options{MaxReads: 15}},
	} {
		t.Run(limit.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(20261121, 9))
			c := s.Compare(limit.options)
			var seen outcomes
			for n := range 200 {
				scenario := c.Scenario(random)
				responses, err := c.Run(scenario)
				if err != nil {
					t.Fatalf("operation %d: %v", n, err)
				}
				seen.add(responses)
			}
			seen.check(t)
			scenarios := rapid.Custom(func(t *rapid.T) Scenario { return c.Scenario(drawn{t}) })
			rapid.Check(t, func(t *rapid.T) {
				if _, err := c.Run(scenarios.Draw(t, "scenario")); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// outcomes counts responses, so that a generator whose operations all fail is noticed.
type outcomes struct{ all, next, executed, requests int }

func (o *outcomes) add(responses []Response) {
	o.next += len(responses) - 1
	for _, r := range responses {
		o.all++
		if r.Data() != nil {
			o.executed++
		}
		if len(r.Requests) > 0 {
			o.requests++
		}
	}
}

func (o *outcomes) check(t *testing.T) {
	t.Helper()
	if o.executed < o.all/2 || o.requests < o.all/3 || o.next == 0 {
		t.Errorf("%+v: too few of the operations are executed", *o)
	}
}
