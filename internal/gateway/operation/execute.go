package operation

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/loaders"
)

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
