package gateway

import (
	"net/http"
	"runtime"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/gateway/response"
)

// An executor loads and executes operations, each with its caller's share of the gateway.
type executor struct {
	Config
	executors executors
	source    documentSource
	shares    *shares
	budgets   budgets
}

func newExecutor(config Config) *executor {
	return &executor{
		Config:    config,
		executors: newExecutors(config),
		source:    newSource(config.api, config.Engine.Compile, config.Documents, config.DocumentLimits),
		shares:    newShares(config.Limits, runtime.GOMAXPROCS(0)),
		budgets:   newBudgets(config),
	}
}

// load returns an operation that can be executed.
func (e *executor) load(r *http.Request, params parameters, line *operationLine) (request, *response.Error) {
	doc, err := e.source.load(&params)
	if err != nil {
		return request{}, err
	}
	operation, err := selectOperation(doc.ast, params.operationName)
	if err != nil {
		return request{}, err
	}
	line.name, line.kind = operation.Name, string(operation.Operation)
	if operation.Operation == ast.Mutation && r.Method != http.MethodPost {
		return request{}, response.MethodNotAllowed(http.MethodPost, "Send mutations by POST.")
	}
	params.variables, err = coerceVariables(e.api, operation, params.variables)
	if err != nil {
		return request{}, err
	}
	compiled := doc.plans.Plan(operation, params.variables)
	e.source.keep(doc)
	return request{params, r.Header, doc, operation, compiled}, nil
}
