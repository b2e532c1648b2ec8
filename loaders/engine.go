package loaders

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// Options of an Engine. The zero value of a field is its default.
type Options struct {
	// MaxInFlight is the limit of DynamoDB requests in flight in the whole process, 256 by default. The connection pool
	// should be as large. One caller may have all of them, or a quarter while another caller is active.
	MaxInFlight int
	// MaxInFlightPerOperation is the same limit for one operation, half of the connections by default. A wave with more
	// requests takes several round trips, which Cost.Waves and plan.Price count.
	MaxInFlightPerOperation int
	// MaxReads is the limit of distinct Reads in one operation, 10,000 by default. Further fields are
	// errors.
	MaxReads int
	// MaxObjects is the limit of objects that one operation reads, and of objects in its answer as plan.Price counts
	// them; 25,000 by default. An object that is read by its key counts whether or not it exists. Further fields are
	// errors.
	MaxObjects int
	// BatchWait is how long the dataloader waits for further Reads of hand-written resolvers, which run concurrently; 1 ms
	// by default. Timers are not more exact than that on an idle machine.
	BatchWait time.Duration
	// Observer observes each wave and each request; nil for none.
	Observer Observer
	// Hooks are Go code of the application in mutations that need none.
	Hooks write.Hooks
	// Workload returns what a mutation reads and writes at worst with what the source writes with it, from what it does
	// without that; nil if the source writes nothing else.
	Workload func(m *design.Mutation, in *write.Input, own write.Workload) write.Workload
	// Deleted is called with the context of each operation that has deleted an object and left to the sweep what is below
	// it; nil for nothing. It must not wait.
	Deleted func(context.Context)
	// Limits are those of an operation's plan.Price; none by default.
	Limits price.Limits
	// MaxAnonymousObjects replaces Limits.Objects for anonymous viewers if it is lower and not 0.
	MaxAnonymousObjects float64
	// CursorSecret is what cursors are encrypted with, see keys.NewCursors. All replicas need the same one; without it,
	// everybody can read cursors.
	CursorSecret []byte
	// SDL is the schema that a Federation subgraph has for its router.
	SDL string
	// Logger logs items that do not fit the schema.
	Logger *slog.Logger
}

// partBeside is the part of the requests in flight that one caller may have beside others.
const partBeside = 4

// Engine compiles, prices and reads the operations of a schema, and authorizes the fields that gqlgen resolves. Its
// methods may be called concurrently.
type Engine struct {
	schema       *plan.Schema
	design       *design.Design
	source       Source
	options      Options
	process      *share.Pool
	accessChecks accessChecks
	// apart are the nodes of Reads that return something else than their field, by *design.Field.
	apart sync.Map
	// claims are those of the idempotency keys of late.
	claims *lru.Cache[keys.Key, struct{}]
	// unreadable is set once any operation has found something that it cannot read.
	unreadable atomic.Bool
}

// New returns an Engine that reads a table with the design of the schema from the source, which may be nil if the
// design has no fields.
func New(design *design.Design, schema *ast.Schema, source Source, options Options) *Engine {
	if options.MaxInFlight == 0 {
		options.MaxInFlight = 256
	}
	if options.MaxInFlightPerOperation == 0 {
		options.MaxInFlightPerOperation = max(1, options.MaxInFlight/2)
	}
	if options.MaxReads == 0 {
		options.MaxReads = 10_000
	}
	if options.MaxObjects == 0 {
		options.MaxObjects = 25_000
	}
	if options.BatchWait == 0 {
		options.BatchWait = time.Millisecond
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	compiler := plan.NewSchema(design, schema)
	compiler.Cursors, compiler.SDL = keys.NewCursors(options.CursorSecret), options.SDL
	compiler.Workload, compiler.MaxInFlight = options.Workload, options.MaxInFlightPerOperation
	claims, _ := lru.New[keys.Key, struct{}](maxClaims) // its only error is that of a size below 1
	return &Engine{
		schema: compiler, design: design, source: source, options: options, claims: claims,
		process: share.NewPool(share.Limits{
			Size: options.MaxInFlight, PerCaller: options.MaxInFlight,
			Beside: max(1, options.MaxInFlight/partBeside), Waiting: math.MaxInt,
		}),
		accessChecks: newAccessChecks(design, schema),
	}
}

// Compile returns the plans of a valid document.
func (e *Engine) Compile(doc *ast.QueryDocument) *plan.Document {
	return plan.NewDocument(e.schema, doc)
}

// ConsistencyHeader requests strongly consistent reads if its value is "strong". They consume twice the read units.
// Queries of a global index remain eventually consistent.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
const ConsistencyHeader = "Partita-Consistency"

// RequestHeaders are the names of the request headers that Bind reads.
func (e *Engine) RequestHeaders() []string { return []string{ConsistencyHeader} }

// Bind binds a plan to a request with coerced variables. The reads of a mutation are strongly consistent, because it
// must read what it has just written, and those of a query if the caller requests it.
func (e *Engine) Bind(p *plan.Plan, variables map[string]any, v viewer.Viewer, header http.Header) *plan.Bound {
	consistent := p.Operation.Operation == ast.Mutation || header.Get(ConsistencyHeader) == "strong"
	b := p.Bind(variables, &v, consistent)
	if e.source != nil {
		b.Now = e.source.Now()
	}
	return b
}

// Price returns the worst-case cost of an operation. The error is a price.LimitError if it exceeds Options.Limits.
func (e *Engine) Price(_ context.Context, b *plan.Bound) (plan.Price, error) {
	limits, most := e.options.Limits, e.options.MaxAnonymousObjects
	if b.Viewer.IsAnonymous() && most > 0 && (limits.Objects == 0 || most < limits.Objects) {
		limits.Objects = most
	}
	return price.Of(b), price.Check(b, limits)
}

// expiry decides which items have expired now.
func (e *Engine) expiry() design.Expiry {
	if e.design.ExpiryAttribute() == "" {
		return design.Expiry{}
	}
	return e.design.ExpiryAt(e.source.Now())
}
