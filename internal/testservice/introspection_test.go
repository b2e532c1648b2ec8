package testservice_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/testservice"
	service "github.com/partita/partita/internal/testservice/graph"
	"github.com/partita/partita/internal/testservice/resolvers"
)

// further has what the library's schema lacks.
const further = `
"A schema to look at."
schema { query: Query mutation: Mutation }

"Marks."
directive @marked(
  "How often." times: Int = 3 @deprecated, as: [Mark!]! = [OLD, NEW], in: MarkInput = {mark: OLD, text: "\"a\"\n"}
) repeatable on FIELD_DEFINITION | OBJECT

scalar URL @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3986")

enum Mark { "Before." OLD @deprecated OLDER @deprecated(reason: "Use \"OLD\".") NEW }

input MarkInput {
  mark: Mark! = NEW, text: String = """a "block" """, was: Int @deprecated(reason: ""), many: [[Float!]!]
}

input OneMark @oneOf { mark: Mark @deprecated(reason: "no"), times: Int }

interface Marked implements Named { name: String! mark: Mark }

interface Named { name: String! }

type Marking implements Marked & Named {
  name(first: Int! = 7 @deprecated, in: OneMark): String! @deprecated
  mark: Mark @deprecated(reason: "It is not.")
  page: URL!
  table: [[Marked!]]!
}
`

// TestIntrospection compares what both executors return for all parts of a schema. gqlgen's one gets the schema when it
// is made, so that it need not be the one that was generated.
func TestIntrospection(t *testing.T) {
	sources := append(testservice.Sources(), &ast.Source{Name: "further.graphqls", Input: further})
	schema, err := directives.Load(sources...)
	fatal.If(t, err)
	s := testservice.Schema()
	s.Folder = &directives.Schema{AST: schema, Design: s.Folder.Design}
	s.Executable = service.NewExecutableSchema(service.Config{Schema: schema, Resolvers: &resolvers.Resolver{}})
	s.CheckIntrospection(t)
}

// TestIntrospectionOfTheAPI: neither executor shows what only the build of a service reads, and both show live data,
// also in a query that only gqlgen can execute.
func TestIntrospectionOfTheAPI(t *testing.T) {
	s := testservice.Start(t)
	for name, handler := range map[string]http.Handler{
		"plan": s.Pair.Plan, "gqlgen": s.Pair.Gqlgen, "folder": s.Pair.Folder,
	} {
		query := `{
			__schema { directives { name } subscriptionType { name } }
			order: __type(name: "SortOrder") { name } index: __type(name: "TableIndex") { name }
			book: __type(name: "Book") { name } event: __type(name: "BookConnectionEvent") { fields { name } }
		}`
		want := `"directives":[{"name":"cacheControl"},{"name":"cost"},{"name":"deprecated"},{"name":"include"},` +
			`{"name":"oneOf"},{"name":"skip"},{"name":"specifiedBy"}],"subscriptionType":{"name":"Subscription"}},` +
			`"order":null,"index":null,"book":{"name":"Book"},"event":{"fields":[{"name":"change"},{"name":"connection"},` +
			`{"name":"edge"},{"name":"node"},{"name":"nodeId"},{"name":"cursor"}]}`
		if name != "folder" {
			query = `{ bookOfTheDay { __typename }` + query[1:]
		}
		if status, body := send(t, handler, query); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: got %d %s", name, status, body)
		}
	}
}

// TestDeferIsUnknown: responses are sent in one part.
func TestDeferIsUnknown(t *testing.T) {
	s := testservice.Start(t)
	for name, handler := range map[string]http.Handler{
		"plan": s.Pair.Plan, "gqlgen": s.Pair.Gqlgen, "folder": s.Pair.Folder,
	} {
		_, body := send(t, handler, `{ ... @defer { __typename } }`)
		if !strings.Contains(body, `Unknown directive \"@defer\".`) || strings.Contains(body, `"data"`) {
			t.Errorf("%s: got %s", name, body)
		}
	}
}

func send(t *testing.T, handler http.Handler, query string) (status int, body string) {
	t.Helper()
	text, err := executors.Body(query, nil)
	fatal.If(t, err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
