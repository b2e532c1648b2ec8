package fragments_test

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/fragments"
)

// TestUsed: each fragment is found once, wherever it is spread, even if the document is not valid.
func TestUsed(t *testing.T) {
	const definitions = `
		fragment A on T { a { ...B } ...C }
		fragment B on T { b { ... on U { ...C } } }
		fragment C on T { c }
		fragment Cycle on T { c { ...Cycle ...A } }
		fragment Unused on T { ...A }`
	for query, want := range map[string]string{
		`{ a }`:                               "",
		`{ ...C }`:                            "C",
		`{ a { ...B } ...A }`:                 "B C A",
		`{ ...A ...B }`:                       "A B C",
		`{ ... @include(if: true) { ...C } }`: "C",
		`{ ...Nowhere ...C }`:                 "C",
		`{ ...Cycle }`:                        "Cycle A B C",
	} {
		document, err := parser.ParseQuery(&ast.Source{Input: query + definitions})
		fatal.If(t, err)
		var names []string
		for _, f := range fragments.Used(document.Operations[0].SelectionSet, document.Fragments) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s uses %q, want %q", query, got, want)
		}
	}
}
