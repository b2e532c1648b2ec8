package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
)

// repeat writes a text n times, with the number of each in place of #.
func repeat(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

func TestDocumentLimits(t *testing.T) {
	limits := operation.Limits{
		Limits: document.Limits{
			MaxFields: 20, MaxRootFields: 5, MaxAliases: 4, MaxDepth: 3, MaxDirectives: 2, MaxListItems: 3,
		},
	}
	tests := []struct {
		name  string
		query string
		text  string // of the error; "" for none
	}{
		{"root fields", `{ a: __typename b: __typename c: __typename d: __typename __typename }`, ""},
		{
			"root fields in fragments", `{ ...F ...F } fragment F on Query { __typename echo(text: "") at(time: "") }`,
			"more than 5 fields of the query",
		},
		{
			"root fields of a mutation", `mutation { touch touch touch touch touch touch }`,
			"more than 5 fields of the mutation",
		},
		{
			"root fields in inline fragments",
			`{ ... { __typename __typename __typename } ... { __typename __typename __typename } }`,
			"more than 5 fields of the query",
		},
		{"aliases", `{ a: __typename thing { b: name c: name d: name name } }`, ""},
		{
			"aliases in fragments",
			`{ x: thing { ...F } y: thing { ...F } z: thing { ...F } } fragment F on Thing { a: name }`,
			"more than 4 aliases",
		},
		{
			"an operation beside the one to execute",
			`query A { __typename } query B { thing { a: name b: name c: name d: name e: name } }`, "more than 4 aliases",
		},
		{"fields", `{ thing { ` + repeat("name ", 19) + `} }`, ""},
		{
			"fields in fragments",
			`{ things(count: 1) { ` + repeat("...F ", 4) + `} } fragment F on Thing { name broken name broken name }`,
			"more than 20 fields",
		},
		{"depth", `{ __schema { types { name } } }`, ""},
		{
			"depth in a fragment",
			`{ ...Q } fragment Q on Query { __schema { ...S } } fragment S on __Schema { types { fields { name } } }`,
			"deeper than 3 levels",
		},
		{"depth in the document", `{ __schema { types { fields { name } } } }`, "deeper than 3 levels"},
		{
			"depth in a fragment that nobody spreads",
			`{ __typename } fragment S on Query { __schema { types { fields { name } } } }`, "deeper than 3 levels",
		},
		{"directives of a field", `{ __typename @skip(if: false) @include(if: true) }`, ""},
		{"directives of one field", `{ __typename @a @b @c }`, "more than 2 directives"},
		{"directives of a spread", `{ ...F @a @b @c } fragment F on Query { __typename }`, "more than 2 directives"},
		{"directives of an inline fragment", `{ ... @a @b @c { __typename } }`, "more than 2 directives"},
		{"directives of an operation", `query @a @b @c { __typename }`, "more than 2 directives"},
		{"directives of a variable", `query ($a: Int @a @b @c) { __typename }`, "more than 2 directives"},
		{"directives of a fragment", `{ ...F } fragment F on Query @a @b @c { __typename }`, "more than 2 directives"},
		{"list", `{ describe(ids: ["a", "b", "c"]) }`, ""},
		{"long list", `{ describe(ids: ["a", "b", "c", "d"]) }`, "more than 3 items"},
		{"long list in an object", `{ describe(input: {name: "a", tags: ["a", "b", "c", "d"]}) }`, "more than 3 items"},
		{"long list in a directive", `{ __typename @skip(if: [1, 2, 3, 4]) }`, "more than 3 items"},
		{"long list as default", `query ($a: [ID!] = ["a", "b", "c", "d"]) { describe(ids: $a) }`, "more than 3 items"},
		{"nested object", `{ describe(input: {name: "a", nested: {name: "b", nested: {name: "c"}}}) }`, ""},
		{
			"deeply nested object",
			`{ describe(input: {name: "a", nested: {name: "b", nested: {name: "c", nested: {name: "d"}}}}) }`,
			"deeper than 3 levels",
		},
		{
			"a fragment within itself", `{ ...F } fragment F on Query { ... { ...G } } fragment G on Query { ...F }`,
			`Cannot spread fragment "F" within itself.`,
		},
		{
			"a fragment within itself that nobody spreads", `{ __typename } fragment F on Query { ...F }`,
			`Cannot spread fragment "F" within itself.`,
		},
		{
			"a fragment given twice", `{ ...F } fragment F on Query { __typename } fragment F on Query { __typename }`,
			`There can be only one fragment named "F".`,
		},
		{
			"fields in a fragment that nobody spreads",
			`{ __typename } fragment F on Query { things(count: 1) { ` + repeat("name ", 20) + `} }`, "more than 20 fields",
		},
		{"a fragment that does not exist", `{ ...F }`, `Unknown fragment "F".`},
	}
	long := strings.Repeat("n", 257)
	tests = append(tests, struct{ name, query, text string }{
		"a name of the largest length", "query " + long[1:] + " { " + long[1:] + ": __typename }", "",
	})
	for _, query := range []string{
		`query # { __typename }`, `query ($#: Int) { __typename }`, `query ($a: [#]) { __typename }`, `{ __typename @# }`,
		`{ #: __typename }`, `{ # }`, `{ echo(#: "") }`, `{ echo(text: $#) }`, `{ echo(text: #) }`, `{ echo(text: {#: 1}) }`,
		`{ echo(text: "" ) @skip(#: true) }`, `{ ...# }`, `{ ... on # { __typename } }`,
		`{ __typename } fragment # on Query { __typename }`, `{ __typename } fragment F on # { __typename }`,
	} {
		tests = append(tests, struct{ name, query, text string }{
			query, strings.ReplaceAll(query, "#", long), "a name of more than 256 bytes",
		})
	}
	c, _ := config(t)
	c.Limits = limits
	server := serve(t, c)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := post(t, server, test.query, nil)
			if test.text == "" {
				if a.status != http.StatusOK {
					t.Errorf("got %d %s, want an answer", a.status, a.body)
				}
				return
			}
			text := strings.ReplaceAll(test.text, `"`, `\"`)
			if !a.isError(http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED", text) {
				t.Errorf("got %d %s, want %q", a.status, a.body, text)
			}
		})
	}
}

func TestVariableLimits(t *testing.T) {
	c, _ := config(t)
	c.Limits = operation.Limits{
		Limits: document.Limits{
			MaxVariablesBytes: 60, MaxDepth: 3, MaxListItems: 3,
		},
	}
	server := serve(t, c)
	const list = `The parameter \"variables\" has a list of more than 3 items.`
	const depth = `The parameter \"variables\" nests lists and objects deeper than 3 levels.`
	const size = `The parameter \"variables\" is larger than 60 bytes of JSON.`
	for variables, text := range map[string]string{
		`{"ids":["a","b","c"]}`:                       "",
		`{"ids":["a","b","c","d"]}`:                   list,
		`{"other":{"in":["a","b","c","d"]}}`:          list,
		`{"other":[[[1]]]}`:                           depth,
		`{"other":{"a":{"a":{"a":{}}}}}`:              depth,
		`{"other":"` + strings.Repeat("x", 60) + `"}`: size,
		`{"other":` + strings.Repeat(" ", 60) + `1}`:  size,
	} {
		body := `{"query":"query($ids:[ID!]){describe(ids:$ids)}","variables":` + variables + `}`
		a := postBody(t, server, body)
		switch {
		case text == "":
			if a.status != http.StatusOK {
				t.Errorf("%s: got %d %s", variables, a.status, a.body)
			}
		case !a.isError(http.StatusUnprocessableEntity, "BAD_REQUEST", text):
			t.Errorf("%s: got %d %s, want %s", variables, a.status, a.body, text)
		}
	}
	extensions := postBody(t, server, `{"query":"{__typename}","extensions":{"a":[[[[]]]]}}`)
	if extensions.status != http.StatusUnprocessableEntity || !strings.Contains(extensions.body, "extensions") {
		t.Errorf("got %d %s", extensions.status, extensions.body)
	}
}
