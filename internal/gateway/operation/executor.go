package operation

import (
	"net/http"
	"runtime"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/response"
)

// An Executor loads and executes operations, each with its caller's share of the gateway.
type Executor struct {
	Config
	Executors executors
	source    document.Source
	Shares    *Shares
	Budgets   Budgets
}

// NewExecutor returns an Executor, whose callers have nothing in use.
func NewExecutor(config Config) *Executor {
	return &Executor{
		Config:    config,
		Executors: newExecutors(config),
		source:    document.NewSource(config.API, config.Engine.Compile, config.Documents, config.Limits.Limits),
		Shares:    NewShares(config.Limits, runtime.GOMAXPROCS(0)),
		Budgets:   newBudgets(config.Consumption),
	}
}

// Load returns an operation that can be executed.
func (e *Executor) Load(r *http.Request, params document.Parameters, line *Line) (Request, *response.Error) {
	doc, err := e.source.Load(&params)
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
	e.source.Keep(doc)
	return Request{params, r.Header, doc, operation, compiled}, nil
}
