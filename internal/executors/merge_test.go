package executors

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// TestWhatGqlgenMerges shows the one difference between the executors, which random operations leave out: gqlgen does
// not merge the selections of an object that is selected through two interfaces, as the specification requires.
//
// https://spec.graphql.org/draft/#sec-Field-Selection-Merging
func TestWhatGqlgenMerges(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { a: A }
		interface I { child: A }
		interface J { child: A }
		type A implements I & J { child: A id: ID }
	`})
	for document, want := range map[string]int{
		`{ a { ... on A { child { id } } ... on I { child { child { id } } } } }`: 1,
		`{ a { ... on I { child { id } } ... on A { child { child { id } } } } }`: 1,
		`{ a { ... on I { child { id } } ... on J { child { child { id } } } } }`: 2,
	} {
		doc := gqlparser.MustLoadQueryWithRules(schema, document, rules.NewDefaultRules())
		a := doc.Operations[0].SelectionSet[0].(*ast.Field)
		operation := &graphql.OperationContext{Doc: doc}
		if got := len(graphql.CollectFields(operation, a.SelectionSet, []string{"A", "I", "J"})); got != want {
			t.Errorf("%s: gqlgen has %d fields, want %d", document, got, want)
		}
	}
}
