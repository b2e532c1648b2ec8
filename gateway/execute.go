package gateway

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

func newExecutor(config Config) *executor.Executor {
	exec := executor.New(config.Schema)
	exec.SetErrorPresenter(present)
	exec.SetRecoverFunc(recovered)
	exec.SetQueryCache(parsedDocument{})
	exec.Use(newIntrospection(config.Schema.Schema()))
	for _, e := range config.Extensions {
		exec.Use(e)
	}
	return exec
}

// A request is a validated operation with its coerced variables.
type request struct {
	parameters
	header    http.Header
	document  *ast.QueryDocument
	operation *ast.OperationDefinition
}

// execute runs an operation. Its context ends with the operation's timeout or with the client's connection.
func (e *endpoint) execute(ctx context.Context, req request) (result, *refusal) {
	ctx, cancel := context.WithTimeout(ctx, e.config.OperationTimeout)
	defer cancel()
	ctx = graphql.StartOperationTrace(withDocument(ctx, req.document))

	operation, errs := e.executor.CreateOperationContext(ctx, &graphql.RawParams{
		Query:         req.query,
		OperationName: req.operation.Name,
		Variables:     req.variables,
		Extensions:    req.extensions,
		Headers:       req.header,
	})
	estimate := e.config.Estimate(operation)
	if len(errs) > 0 {
		no := refuseOperation(ctx, errs)
		no.cost.EstimatedReadUnits = estimate.ReadUnits
		return result{}, no
	}
	respond, ctx := e.executor.DispatchOperation(ctx, operation)
	response := respond(ctx)
	if response == nil {
		return result{}, refuseOperation(ctx, gqlerror.List{gqlerror.Wrap(context.Cause(ctx))})
	}
	if response.Data == nil {
		return result{}, refuseOperation(ctx, response.Errors)
	}
	cost := e.config.Cost(ctx)
	cost.EstimatedReadUnits = estimate.ReadUnits
	return result{
		data:       response.Data,
		errors:     response.Errors,
		extensions: response.Extensions,
		cost:       cost,
	}, nil
}

// refuseOperation refuses with the errors of an extension, or of an operation that ended before it began.
func refuseOperation(ctx context.Context, errs gqlerror.List) *refusal {
	no := &refusal{status: http.StatusUnprocessableEntity}
	for _, err := range errs {
		shown := present(ctx, err)
		no.errors = append(no.errors, shown)
		if status, known := statusOf[shown.Extensions["code"].(string)]; known {
			no.status = status
		}
	}
	return no
}
