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

// Options of an Engine. The zero value of a field is its default.
type Options struct {
	// MaxInFlight is the limit of DynamoDB requests in flight in the whole process, 256 by default.
	// The connection pool should be as large.
	MaxInFlight int64
	// MaxInFlightPerOperation is the same limit for one operation, 32 by default.
	MaxInFlightPerOperation int64
	// MaxReads is the limit of distinct Reads in one operation, 10,000 by default. Further fields are
	// errors.
	MaxReads int
	// MaxObjects is the limit of objects that one operation reads, and of objects in its answer, where
	// each occurrence counts; 25,000 by default. An object that is read by its key counts whether or
	// not it exists. Further fields are errors.
	MaxObjects int
	// Observer observes each wave and each request; nil for none.
	Observer Observer
	// MaxReadUnits is the limit of an operation's Estimate in read units; none by default.
	MaxReadUnits float64
	// Logger logs items that do not fit the schema.
	Logger *slog.Logger
}

// Engine serves the reads of a schema. It is an extension of gqlgen's executor and starts an Operation
// for each operation that is executed.
type Engine struct {
	design  *keys.Design
	source  Source
	options Options
	process *semaphore.Weighted
	// estimator and accessChecks are made by Validate, from the executor's schema.
	estimator    *Estimator
	accessChecks accessChecks
}

var (
	_ graphql.HandlerExtension        = (*Engine)(nil)
	_ graphql.OperationContextMutator = (*Engine)(nil)
	_ graphql.OperationInterceptor    = (*Engine)(nil)
	_ graphql.FieldInterceptor        = (*Engine)(nil)
)

// New returns an Engine that reads a table with the design from the source.
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
	process := semaphore.NewWeighted(options.MaxInFlight)
	return &Engine{design: design, source: source, options: options, process: process}
}

// ExtensionName implements graphql.HandlerExtension.
func (e *Engine) ExtensionName() string { return "PartitaLoaders" }

// Validate implements graphql.HandlerExtension.
func (e *Engine) Validate(schema graphql.ExecutableSchema) error {
	e.estimator = NewEstimator(e.design, schema.Schema())
	e.accessChecks = newAccessChecks(e.design, schema.Schema())
	return nil
}

// estimateKey is the key of an operation's Estimate in its Stats.
const estimateKey = "PartitaEstimate"

// MutateOperationContext estimates the operation before it is executed. It returns an error with
// CodeCostLimit if the operation may consume more than Options.MaxReadUnits.
func (e *Engine) MutateOperationContext(_ context.Context, request *graphql.OperationContext) *gqlerror.Error {
	est := e.estimator.Estimate(request)
	request.Stats.SetExtension(estimateKey, est)
	if limit := e.options.MaxReadUnits; limit > 0 && est.ReadUnits > limit {
		return e.estimator.costLimitError(request, est, limit)
	}
	return nil
}

// Explain returns the worst-case plan of a validated operation. It reads nothing. The Engine must have
// been validated by an executor.
func (e *Engine) Explain(request *graphql.OperationContext) Explanation {
	return e.estimator.Explain(request)
}

// EstimateOf returns the Estimate of an operation that the Engine has estimated; zero for any other.
func EstimateOf(request *graphql.OperationContext) Estimate {
	est, _ := request.Stats.GetExtension(estimateKey).(Estimate)
	return est
}

// InterceptOperation starts the prefetch of a query before its resolvers run. The reads of a mutation
// wait for its resolvers, which write first.
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

// session has the current Operation of a GraphQL operation. A write replaces it by one that has read
// nothing.
type session struct{ current atomic.Pointer[Operation] }

type sessionKey struct{}

// sessionOf returns nil outside of an operation.
func sessionOf(ctx context.Context) *session {
	s, _ := ctx.Value(sessionKey{}).(*session)
	return s
}

// operationOf returns nil outside of an operation.
func operationOf(ctx context.Context) *Operation {
	if s := sessionOf(ctx); s != nil {
		return s.current.Load()
	}
	return nil
}
