package gateway

import (
	"context"
	"net/http"
	"net/netip"

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
	address   netip.Addr
}

// execute runs an operation. The operation's context ends with its timeout or with the client's connection.
func (e *endpoint) execute(ctx context.Context, req request) (result, *requestError) {
	ctx, cancel := context.WithTimeout(ctx, e.config.OperationTimeout)
	defer cancel()
	ctx, operation, errs := e.operationContext(ctx, req)
	estimate := e.config.Estimate(operation)
	if len(errs) > 0 {
		err := operationError(ctx, errs)
		err.cost.EstimatedReadUnits = estimate.ReadUnits
		return result{}, err
	}
	reserved, err := e.reserve(ctx, networkOf(req.address), estimate)
	if err != nil {
		err.cost.EstimatedReadUnits = estimate.ReadUnits
		return result{}, err
	}
	handler, ctx := e.executor.DispatchOperation(ctx, operation)
	cost, response := e.respond(ctx, handler, reserved)
	cost.EstimatedReadUnits = estimate.ReadUnits
	if response == nil {
		response = &graphql.Response{Errors: gqlerror.List{gqlerror.Wrap(context.Cause(ctx))}}
	}
	if response.Data == nil {
		err := operationError(ctx, response.Errors)
		err.cost = cost
		return result{}, err
	}
	return result{
		data:       response.Data,
		errors:     response.Errors,
		extensions: response.Extensions,
		cost:       cost,
	}, nil
}

// operationContext returns the executor's form of an operation. The errors are those of extensions.
func (e *endpoint) operationContext(
	ctx context.Context, req request,
) (context.Context, *graphql.OperationContext, gqlerror.List) {
	ctx = graphql.StartOperationTrace(withDocument(ctx, req.document))
	operation, errs := e.executor.CreateOperationContext(ctx, &graphql.RawParams{
		Query:         req.query,
		OperationName: req.operation.Name,
		Variables:     req.variables,
		Extensions:    req.extensions,
		Headers:       req.header,
	})
	return ctx, operation, errs
}

// respond executes an operation and commits its cost, even if it panics.
func (e *endpoint) respond(
	ctx context.Context, handler graphql.ResponseHandler, reserved reservation,
) (cost Cost, response *graphql.Response) {
	defer func() {
		cost = e.config.Cost(ctx)
		cost.ThrottleStatus = reserved.commit(inBudget(cost.ReadUnits, cost.WriteUnits))
	}()
	response = handler(ctx)
	return cost, response
}

// operationError returns the request error for the errors of an extension, or of an operation that ended before it
// began.
func operationError(ctx context.Context, errs gqlerror.List) *requestError {
	err := &requestError{status: http.StatusUnprocessableEntity}
	for _, cause := range errs {
		shown := present(ctx, cause)
		err.errors = append(err.errors, shown)
		if status, known := statusOf[shown.Extensions["code"].(string)]; known {
			err.status = status
		}
	}
	return err
}
