package loaders

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Options of an Engine; a zero field takes the default.
type Options struct {
	// MaxInFlight bounds the DynamoDB requests in flight of the whole process;
	// 256 by default. The connection pool should be as large.
	MaxInFlight int64
	// MaxInFlightPerOperation bounds those of one operation; 32 by default.
	MaxInFlightPerOperation int64
	// MaxReads bounds the distinct Reads of one operation; 10,000 by default. The
	// fields beyond are errors.
	MaxReads int
	// MaxObjects bounds the objects that one operation reads, and those that its
	// answer holds, where one counts at each place that it stands at; 25,000 by
	// default. One that is asked for by its key counts whether or not it is there.
	// The fields beyond are errors.
	MaxObjects int
	// Observer is told of each wave and each request; nil for none.
	Observer Observer
	// MaxReadUnits is the largest Estimate, in read units, with which an operation
	// is executed; none by default.
	MaxReadUnits float64
	// Logger is told of items that do not fit the schema.
	Logger *slog.Logger
}

// Engine serves the reads of a schema. It is an extension of gqlgen's executor:
// it begins an Operation for each operation that is executed.
type Engine struct {
	design  *keys.Design
	source  Source
	options Options
	process *semaphore.Weighted
	// estimator follows from the schema that the executor serves.
	estimator *Estimator
	guards    guards
}

var (
	_ graphql.HandlerExtension        = (*Engine)(nil)
	_ graphql.OperationContextMutator = (*Engine)(nil)
	_ graphql.OperationInterceptor    = (*Engine)(nil)
	_ graphql.FieldInterceptor        = (*Engine)(nil)
)

// New makes an Engine that reads from the source by the design.
func New(design *keys.Design, source Source, options Options) *Engine {
	if options.MaxInFlight == 0 {
		options.MaxInFlight = 256
	}
	if options.MaxInFlightPerOperation == 0 {
		options.MaxInFlightPerOperation = 32
	}
	if options.MaxReads == 0 {
		options.MaxReads = 10_000
	}
	if options.MaxObjects == 0 {
		options.MaxObjects = 25_000
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &Engine{design: design, source: source, options: options, process: semaphore.NewWeighted(options.MaxInFlight)}
}

// ExtensionName implements graphql.HandlerExtension.
func (e *Engine) ExtensionName() string { return "PartitaLoaders" }

// Validate implements graphql.HandlerExtension.
func (e *Engine) Validate(schema graphql.ExecutableSchema) error {
	e.estimator = NewEstimator(e.design, schema.Schema())
	e.guards = newGuards(e.design, schema.Schema())
	return nil
}

// estimateKey is where an operation's Estimate stands in its Stats.
const estimateKey = "PartitaEstimate"

// MutateOperationContext estimates the operation before it is executed, and
// refuses one that may take more than Options.MaxReadUnits.
func (e *Engine) MutateOperationContext(_ context.Context, request *graphql.OperationContext) *gqlerror.Error {
	est := e.estimator.Estimate(request)
	request.Stats.SetExtension(estimateKey, est)
	if limit := e.options.MaxReadUnits; limit > 0 && est.ReadUnits > limit {
		return e.estimator.refuse(request, est, limit)
	}
	return nil
}

// Explain returns what a validated operation would send at worst. It reads nothing. An executor must have validated the
// Engine.
func (e *Engine) Explain(request *graphql.OperationContext) Explanation {
	return e.estimator.Explain(request)
}

// EstimateOf is the Estimate of an operation that the Engine has taken in; zero
// of any other.
func EstimateOf(request *graphql.OperationContext) Estimate {
	est, _ := request.Stats.GetExtension(estimateKey).(Estimate)
	return est
}

// InterceptOperation begins the operation's reads before its resolvers run. A
// mutation's reads wait for its resolvers, which write first.
func (e *Engine) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	request := graphql.GetOperationContext(ctx)
	op := e.newOperation(ctx, request, e.newExecutor(request))
	if op.request.Operation.Operation == ast.Query {
		op.begin()
	}
	s := &session{}
	s.current.Store(op)
	return next(write.NewContext(context.WithValue(ctx, sessionKey{}, s), store{s}))
}

// session is an operation as its resolvers find it: a mutation's write puts an
// Operation that has read nothing in the place of the one before.
type session struct{ current atomic.Pointer[Operation] }

type sessionKey struct{}

// sessionOf is nil outside of an operation.
func sessionOf(ctx context.Context) *session {
	s, _ := ctx.Value(sessionKey{}).(*session)
	return s
}

// operationOf is nil outside of an operation.
func operationOf(ctx context.Context) *Operation {
	if s := sessionOf(ctx); s != nil {
		return s.current.Load()
	}
	return nil
}
