package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/jsonerror"
)

// Given is an operation as somebody writes it who wants to know its plan.
type Given struct {
	Document string
	// Operation is the name of the one that is meant, "" if the document has one.
	Operation string
	// Variables are a JSON object.
	Variables string
	// Strong plans strongly consistent reads.
	Strong bool
	// OperationName and VariablesName are what errors call Operation and Variables.
	OperationName, VariablesName string
}

// Bind compiles and binds the operation. The document is not nested too deep to be parsed. Errors say what to correct.
func (g Given) Bind(plans *Schema) (*Bound, error) {
	document, errs := gqlparser.LoadQueryWithRules(plans.AST, g.Document, rules.NewDefaultRules())
	if len(errs) > 0 {
		return nil, fmt.Errorf("the query is not valid: %w", errs[0])
	}
	operation := document.Operations.ForName(g.Operation)
	if operation == nil {
		return nil, fmt.Errorf("name one of the document's operations with %s", g.OperationName)
	}
	var given map[string]any
	decoder := json.NewDecoder(strings.NewReader(g.Variables))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		return nil, fmt.Errorf("%s is not a JSON object: %w", g.VariablesName, jsonerror.Describe(err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s is not one JSON object: there is something after it", g.VariablesName)
	}
	variables, err := validator.VariableValues(plans.AST, operation, given)
	if err != nil {
		return nil, fmt.Errorf("%s do not fit the operation: %w", g.VariablesName, err)
	}
	isStrong := g.Strong || operation.Operation == ast.Mutation
	return plans.Compile(document, operation, variables).Bind(variables, nil, isStrong), nil
}
