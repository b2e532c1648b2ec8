package operation

import (
	"context"
	"maps"
	"net/http"
	"runtime"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// An Executor loads and executes operations, each with its caller's share of the gateway.
type Executor struct {
	Config
	Executors executors
	documents document.Store
	Shares    *Shares
	Budgets   Budgets
}

// NewExecutor returns an Executor, whose callers have nothing in use.
func NewExecutor(config Config) *Executor {
	return &Executor{
		Config:    config,
		Executors: newExecutors(config),
		documents: document.NewStore(config.API, config.Engine.Compile, config.Documents, config.Limits.Limits),
		Shares:    NewShares(config.Limits, runtime.GOMAXPROCS(0)),
		Budgets:   newBudgets(config.Consumption),
	}
}

// WithManifest returns an Executor of the operations of a manifest alone. Callers have the same shares and budgets in
// both.
func (e *Executor) WithManifest(m *document.Manifest) *Executor {
	other := *e
	other.Documents.Manifest = m
	other.documents = document.NewStore(e.API, e.Engine.Compile, other.Documents, e.Limits.Limits)
	return &other
}

// Load returns an operation that can be executed.
func (e *Executor) Load(r *http.Request, params document.Parameters, line *Line) (Request, *response.Error) {
	doc, err := e.documents.Load(&params)
	if err != nil {
		return Request{}, err
	}
	operation, err := document.Select(doc.AST, params.OperationName)
	if err != nil {
		return Request{}, err
	}
	line.Name, line.Kind = operation.Name, string(operation.Operation)
	if operation.Operation == ast.Mutation && r.Method != http.MethodPost {
		return Request{}, response.MethodNotAllowed(http.MethodPost, "Send mutations by POST.")
	}
	params.Variables, err = document.Coerce(e.API, operation, params.Variables)
	if err != nil {
		return Request{}, err
	}
	compiled := doc.Plans.Plan(operation, params.Variables)
	e.documents.Keep(doc)
	return Request{params, r.Header, doc, operation, compiled}, nil
}

// A Request is a validated operation with its coerced variables.
type Request struct {
	document.Parameters
	Header    http.Header
	Document  *document.Document
	Operation *ast.OperationDefinition
	Plan      *plan.Plan
}

// Bind binds the plan of an operation to the request.
func (e *Executor) Bind(ctx context.Context, req Request) *plan.Bound {
	return e.Engine.Bind(req.Plan, req.Variables, viewer.FromContext(ctx), req.Header)
}

// Execute runs an operation in its context, see receive.
func (e *Executor) Execute(ctx context.Context, req Request) (response.Result, *response.Error) {
	if err := e.CheckTenant(ctx, req); err != nil {
		return response.Result{}, err
	}
	bound := e.Bind(ctx, req)
	price, cause := e.Meter.Price(ctx, bound)
	if cause != nil {
		err := response.LimitError(ctx, cause)
		err.Cost = response.EstimateOf(price)
		return response.Result{}, err
	}
	reserved, err := e.Budgets.Reserve(ctx, share.TurnOf(ctx).Caller, bound, price)
	if err != nil {
		budget := err.Cost.ThrottleStatus
		err.Cost = response.EstimateOf(price)
		err.Cost.ThrottleStatus = budget
		return response.Result{}, err
	}
	if e.IsMeasured(req.Header) {
		bound.Measured = true
	}
	ctx = e.Engine.Begin(ctx, bound)
	cost, answered := e.respond(ctx, req, bound, reserved, price)
	if answered == nil {
		answered = &graphql.Response{Errors: gqlerror.List{gqlerror.Wrap(context.Cause(ctx))}}
	}
	if answered.Data == nil {
		err := response.OperationError(ctx, answered.Errors)
		err.Cost = cost
		return response.Result{}, err
	}
	return response.Result{
		Data:       answered.Data,
		Errors:     answered.Errors,
		Extensions: e.WithMeasured(ctx, answered.Extensions),
		Cost:       cost,
	}, nil
}

// respond executes an operation and commits its cost, even if it panics.
func (e *Executor) respond(
	ctx context.Context, req Request, bound *plan.Bound, reserved Reservation, price plan.Price,
) (cost response.Cost, answered *graphql.Response) {
	defer func() {
		cost = response.CostOf(price, e.Meter.Cost(ctx))
		cost.ThrottleStatus = reserved.Commit(ctx, InBudget(cost.ReadUnits, cost.WriteUnits, float64(cost.Objects)))
	}()
	return cost, e.Executors.run(ctx, req, bound)
}

// WithMeasured adds what each Read of the plan has consumed to the extensions of a response, if the operation was
// measured.
func (e *Executor) WithMeasured(ctx context.Context, extensions map[string]any) map[string]any {
	measured := e.Engine.Measured(ctx)
	if measured == nil {
		return extensions
	}
	with := map[string]any{"plan": measured}
	maps.Copy(with, extensions)
	return with
}

// CheckAnswer takes the bytes of an answer that was executed. An answer that is too large is replaced by an error as a
// whole: clients could not parse a part of it.
func (e *Executor) CheckAnswer(ctx context.Context, answer response.Result, kind string) *response.Error {
	err := SeatOf(ctx).Take(len(answer.Data))
	if int64(len(answer.Data)) > e.MaxAnswerBytes {
		err = response.OperationError(ctx, gqlerror.List{gqlerror.Wrap(loaders.AnswerTooLarge(e.MaxAnswerBytes))})
	}
	if err == nil {
		return nil
	}
	err.Cost = answer.Cost
	if kind == string(ast.Mutation) {
		err.RetryAfter = "" // or clients would send it again
		err.Errors[0].Message = strings.TrimSuffix(err.Errors[0].Message, sendAgain) + " The mutation has been carried out."
	}
	return err
}

// executors execute operations: those whose fields are all directives or attributes are answered from the plan, and
// gqlgen executes those with hand-written Go.
type executors struct {
	answer.Answerer
	gqlgen       graphql.ExecutableSchema
	alwaysGqlgen bool
	intercept    graphql.FieldMiddleware
	engine       *loaders.Engine
	api          *ast.Schema
}

func newExecutors(config Config) executors {
	intercept := config.Engine.InterceptField
	if !config.HasTable {
		intercept = func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) }
	}
	return executors{
		Answerer: answer.Answerer{
			MaxBytes: config.MaxAnswerBytes, MaxErrors: response.MaxErrors,
			Present: response.PresentField, More: response.MoreErrors,
		},
		gqlgen: config.Schema, alwaysGqlgen: config.AlwaysGqlgen,
		intercept: intercept, engine: config.Engine, api: config.API,
	}
}

// run executes an operation. The response is nil if the context has ended before.
func (x *executors) run(ctx context.Context, req Request, bound *plan.Bound) *graphql.Response {
	if ctx.Err() != nil {
		return nil
	}
	if !bound.HandWritten && !x.alwaysGqlgen {
		return x.Answer(ctx)
	}
	if req.Operation.Operation == ast.Query {
		x.engine.Prefetch(ctx)
	}
	if bound.HandWritten {
		share.TurnOf(ctx).End()
	}
	ctx = graphql.WithOperationContext(ctx, x.operationContext(req))
	ctx = graphql.WithResponseContext(ctx, response.Present, response.Recovered)
	answered := x.gqlgen.Exec(ctx)(ctx)
	if answered != nil {
		answered.Errors = append(answered.Errors, graphql.GetErrors(ctx)...)
		response.SortErrors(answered.Errors)
		answered.Errors = response.CapErrors(answered.Errors)
		answered.Extensions = graphql.GetExtensions(ctx)
	}
	return answered
}

// operationContext returns an operation as gqlgen's generated code needs it.
func (x *executors) operationContext(req Request) *graphql.OperationContext {
	return &graphql.OperationContext{
		RawQuery:      req.Query,
		Variables:     req.Variables,
		OperationName: req.Operation.Name,
		Doc:           req.Document.AST,
		Extensions:    req.Extensions,
		Headers:       req.Header,
		Operation:     req.Operation,
		RecoverFunc:   response.Recovered,
		ResolverMiddleware: func(ctx context.Context, next graphql.Resolver) (any, error) {
			if result, is := x.introspect(ctx); is {
				return result, nil
			}
			result, err := x.intercept(ctx, next)
			if err == nil {
				err = checkInts(ctx, result)
			}
			if err != nil {
				return nil, err
			}
			return result, nil
		},
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
			return next(ctx)
		},
	}
}

// introspect returns the value of the introspection field of a context, for a query that gqlgen executes: its generated
// code has the schema from which it was generated, and not the one that clients see.
func (x *executors) introspect(ctx context.Context) (result any, is bool) {
	fc := graphql.GetFieldContext(ctx)
	switch fc.Field.Name {
	case "__schema":
		return introspection.WrapSchema(x.api), true
	case "__type":
		name, _ := fc.Args["name"].(string)
		return introspection.WrapTypeFromDef(x.api, x.api.Types[name]), true
	default:
		return nil, false
	}
}
