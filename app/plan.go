package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/loaders"
)

// planCommand is `plan`.
type planCommand struct {
	Query     string `arg:"" help:"The GraphQL document."`
	Variables string `default:"{}" help:"Its variables, a JSON object."`
	Operation string `help:"The operation to plan, where the document has several."`
	Strong    bool   `help:"Plan strongly consistent reads."`
	Format    string `enum:"text,json" default:"text" help:"Format of the output: text or json."`
}

// operationError is the error for an operation that cannot be planned.
type operationError struct{ error }

// Run prints what the operation would send at worst. It needs no table.
func (c *planCommand) Run(a *Application) error {
	schema := a.Schema.Schema()
	request, err := c.request(schema)
	if err != nil {
		return err
	}
	explained := loaders.NewEstimator(a.Design, schema).Explain(request)
	if c.Format == "json" {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(explained)
	}
	_, err = explained.WriteTo(os.Stdout)
	return err
}

func (c *planCommand) request(schema *ast.Schema) (*graphql.OperationContext, error) {
	document, errs := gqlparser.LoadQueryWithRules(schema, c.Query, rules.NewDefaultRules())
	if len(errs) > 0 {
		return nil, &operationError{fmt.Errorf("the query is not valid: %w", errs[0])}
	}
	operation := document.Operations.ForName(c.Operation)
	if operation == nil {
		return nil, &operationError{errors.New("name one of the document's operations with --operation")}
	}
	var given map[string]any
	decoder := json.NewDecoder(strings.NewReader(c.Variables))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		return nil, &operationError{fmt.Errorf("--variables is not a JSON object: %w", err)}
	}
	variables, err := validator.VariableValues(schema, operation, given)
	if err != nil {
		return nil, &operationError{fmt.Errorf("--variables do not fit the operation: %w", err)}
	}
	headers := http.Header{}
	if c.Strong {
		headers.Set(loaders.ConsistencyHeader, "strong")
	}
	return &graphql.OperationContext{Doc: document, Operation: operation, Variables: variables, Headers: headers}, nil
}
