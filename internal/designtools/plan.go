package designtools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
)

// maxDocument is how many bytes a document has at most.
const maxDocument = 100_000

// planInput is the input of plan_operation.
type planInput struct {
	schemaInput
	Document      string         `json:"document" jsonschema:"the GraphQL document with the operation"`
	OperationName string         `json:"operationName,omitempty" jsonschema:"which operation, where the document has several"`
	Variables     map[string]any `json:"variables,omitempty" jsonschema:"values of its variables"`
	Strong        bool           `json:"strong,omitempty" jsonschema:"plan strongly consistent reads"`
}

// addPlan adds plan_operation. Its data has no declared type: the plan of a subscription has another one in it.
func (t *tools) addPlan(server *mcp.Server) {
	add(t, server, planTool,
		"Plans an operation over a schema without sending anything: the requests to DynamoDB in the waves in which they are "+
			"sent, their key conditions, and at worst how many there are, their units, and the objects of the answer.",
		func(_ context.Context, in planInput) result[any] {
			explained, err := t.plan(in)
			if err != nil {
				return result[any]{err: err}
			}
			var b strings.Builder
			_, err = explained.WriteTo(&b)
			return result[any]{data: explained, text: b.String(), err: err}
		})
}

func (t *tools) plan(in planInput) (price.Explanation, error) {
	var none price.Explanation
	files, err := t.read(in.schemaInput)
	if err != nil {
		return none, err
	}
	if err := checkDocument(in.Document); err != nil {
		return none, err
	}
	schema, err := files.load()
	if err != nil {
		return none, err
	}
	if in.Variables == nil {
		in.Variables = map[string]any{}
	}
	variables, err := json.Marshal(in.Variables)
	if err != nil {
		return none, err
	}
	v := version(schema, files)
	bound, err := plan.Given{
		Document: in.Document, Operation: in.OperationName, Variables: string(variables), Strong: in.Strong,
		OperationName: "operationName", VariablesName: "variables",
	}.Bind(plan.NewSchema(v.Design, v.API))
	if err != nil {
		return none, err
	}
	bound.Now = time.Now()
	return price.Explain(bound), nil
}

// checkDocument returns an error for a document that is too large to be parsed.
func checkDocument(text string) error {
	if len(text) > maxDocument {
		return fmt.Errorf("a document has more than %d bytes: give the one operation that is meant", maxDocument)
	}
	if err := folder.CheckNesting(text); err != nil {
		return fmt.Errorf("a document cannot be read: %w", err)
	}
	return nil
}
