package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

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

// TestDocumentLimits: an operation that is as large as the limits allow, or larger.
func TestDocumentLimits(t *testing.T) {
	c, _ := config(t)
	c.Limits = operation.Limits{
		Limits: document.Limits{
			MaxFields: 20, MaxRootFields: 5, MaxAliases: 4, MaxDepth: 3, MaxDirectives: 2, MaxListItems: 3,
		},
	}
	server := serve(t, c)
	datadriven.RunTest(t, "testdata/documentlimits", func(t *testing.T, d *datadriven.TestData) string {
		return post(t, server, d.Input, nil).text()
	})
	long := strings.Repeat("n", 257)
	a := post(t, server, "query "+long[1:]+" { "+long[1:]+": __typename }", nil)
	if a.status != http.StatusOK {
		t.Errorf("a name of the largest length: got %d %s, want an answer", a.status, a.body)
	}
	for _, query := range []string{
		`query # { __typename }`, `query ($#: Int) { __typename }`, `query ($a: [#]) { __typename }`, `{ __typename @# }`,
		`{ #: __typename }`, `{ # }`, `{ echo(#: "") }`, `{ echo(text: $#) }`, `{ echo(text: #) }`, `{ echo(text: {#: 1}) }`,
		`{ echo(text: "" ) @skip(#: true) }`, `{ ...# }`, `{ ... on # { __typename } }`,
		`{ __typename } fragment # on Query { __typename }`, `{ __typename } fragment F on # { __typename }`,
	} {
		t.Run(query, func(t *testing.T) {
			a := post(t, server, strings.ReplaceAll(query, "#", long), nil)
			if !a.isError(http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED", "a name of more than 256 bytes") {
				t.Errorf("got %d %s", a.status, a.body)
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
