package testservice_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/testservice"
	service "github.com/partita/partita/internal/testservice/graph"
	"github.com/partita/partita/internal/testservice/resolvers"
	"github.com/partita/partita/keys/gen/directives"
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
	if err != nil {
		t.Fatal(err)
	}
	s := testservice.Schema()
	s.Folder = &directives.Schema{AST: schema, Design: s.Folder.Design}
	s.Executable = service.NewExecutableSchema(service.Config{Schema: schema, Resolvers: &resolvers.Resolver{}})
	s.CheckIntrospection(t)
}
