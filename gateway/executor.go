package gateway

import (
	"net/http"
	"runtime"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/gateway/document"
	"github.com/partita/partita/gateway/response"
)

// An executor loads and executes operations, each with its caller's share of the gateway.
type executor struct {
	executorConfig
	executors executors
	source    document.Source
	shares    *shares
	budgets   budgets
}

func newExecutor(config executorConfig) *executor {
	return &executor{
		executorConfig: config,
		executors:      newExecutors(config),
		source:         document.NewSource(config.API, config.Engine.Compile, config.Documents, config.Limits.Limits),
		shares:         newShares(config.Limits, runtime.GOMAXPROCS(0)),
		budgets:        newBudgets(config.Consumption),
	}
}

// load returns an operation that can be executed.
func (e *executor) load(r *http.Request, params document.Parameters, line *operationLine) (request, *response.Error) {
	doc, err := e.source.Load(&params)
	if err != nil {
		return request{}, err
	}
	operation, err := document.Select(doc.AST, params.OperationName)
	if err != nil {
		return request{}, err
	}
	line.name, line.kind = operation.Name, string(operation.Operation)
	if operation.Operation == ast.Mutation && r.Method != http.MethodPost {
		return request{}, response.MethodNotAllowed(http.MethodPost, "Send mutations by POST.")
	}
	params.Variables, err = document.Coerce(e.API, operation, params.Variables)
	if err != nil {
		return request{}, err
	}
	compiled := doc.Plans.Plan(operation, params.Variables)
	e.source.Keep(doc)
	return request{params, r.Header, doc, operation, compiled}, nil
}
