// Package plantest compiles and binds the operations of tests.
package plantest

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys/design"
)

// Cases runs the tests of a file, each of which is an operation on the schema before it:
//
//	schema
//	type Query { ... }
//
// Without text, it is the schema of internal/testservice. In operations, a string such as "Loan:l004" is the global id
// that it names.
func Cases(t *testing.T, path string, run func(*testing.T, *datadriven.TestData, *plan.Schema) string) {
	t.Helper()
	var schema *plan.Schema
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "schema" {
			schema = ReadSchema(t, d)
			return ""
		}
		return run(t, d, schema)
	})
}

// ReadSchema returns the schema of a test. It has the directives and what they are made of.
func ReadSchema(t *testing.T, d *datadriven.TestData) *plan.Schema {
	t.Helper()
	if d.Input == "" {
		return ServiceSchema()
	}
	schema, err := directives.Load(&ast.Source{Name: "test.graphqls", Input: d.Input})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	read, err := directives.Read(schema)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return plan.NewSchema(WithNotReady(d, read.Design), schema)
}

// WithNotReady returns a design that does not serve the coordinates of the argument not-ready.
func WithNotReady(d *datadriven.TestData, of *design.Design) *design.Design {
	reasons := design.NotReady{}
	for _, argument := range d.CmdArgs {
		if argument.Key == "not-ready" {
			for _, coordinate := range argument.Vals {
				reasons[coordinate] = coordinate + " needs entries that are being filled"
			}
		}
	}
	return of.WithNotReady(reasons, func() string { return "41 % are done" })
}

// ServiceSchema returns the schema of the test service.
var ServiceSchema = sync.OnceValue(func() *plan.Schema {
	return plan.NewSchema(testservice.Design(), testservice.Executable().Schema())
})

// Parse returns a valid document.
func Parse(tb testing.TB, schema *plan.Schema, text string) *ast.QueryDocument {
	tb.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(schema.AST, testservice.Encoded(text), rules.NewDefaultRules())
	if len(errs) > 0 {
		tb.Fatalf("%v\n%s", errs, text)
	}
	return doc
}

// Coerced returns the variables of an operation, whose values are JSON.
func Coerced(tb testing.TB, schema *plan.Schema, operation *ast.OperationDefinition, text string) map[string]any {
	tb.Helper()
	raw := map[string]any{}
	if text != "" {
		decoder := json.NewDecoder(strings.NewReader(testservice.Encoded(text)))
		decoder.UseNumber()
		fatal.If(tb, decoder.Decode(&raw))
	}
	variables, err := validator.VariableValues(schema.AST, operation, raw)
	fatal.If(tb, err)
	return variables
}

// Bind binds the operation of a test for any viewer, with the variables in its argument of that name. With strong,
// reads are strongly consistent, and those of a mutation are in any case.
func Bind(t *testing.T, d *datadriven.TestData, schema *plan.Schema) *plan.Bound {
	t.Helper()
	doc := Parse(t, schema, d.Input)
	operation := doc.Operations[0]
	var text string
	d.MaybeScanArgs(t, "variables", &text)
	variables := Coerced(t, schema, operation, text)
	consistent := d.HasArg("strong") || operation.Operation == ast.Mutation
	b := plan.NewDocument(schema, doc).Plan(operation, variables).Bind(variables, nil, consistent)
	b.Now = testservice.Now
	return b
}

// Explained returns the explanation of an operation as text, or with json as JSON.
func Explained(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
	t.Helper()
	x := price.Explain(Bind(t, d, schema))
	if d.HasArg("json") {
		text, err := json.MarshalIndent(x, "", "  ")
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return string(text) + "\n"
	}
	var text strings.Builder
	if _, err := x.WriteTo(&text); err != nil {
		d.Fatalf(t, "%v", err)
	}
	return text.String()
}
