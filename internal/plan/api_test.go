package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
)

// apiSDL has fields whose types only build directives use otherwise, directives that clients need, and gqlgen's.
const apiSDL = `
extend schema @table(pk: "pk", sk: "sk", indexes: [{name: "GSI1", pk: "p1", sk: "s1", projection: KEYS_ONLY}])

directive @goModel(model: String, rename: GoNames) on OBJECT
directive @marked(by: Mark!) on FIELD_DEFINITION | ARGUMENT_DEFINITION | ENUM_VALUE | OBJECT
input GoNames { name: String }
enum Mark { OLD @deprecated(reason: "Use NEW.") @marked(by: OLD) NEW }
enum Unused { ONE }
scalar URL @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3986")
input By @oneOf { name: String url: URL }

type Query {
  book(id: ID!): Book @get(pk: "BOOK#{id}", sk: "BOOK")
  books(by: By @marked(by: NEW), order: SortOrder): Int @cost(readUnits: 2) @allow
}

type Book implements Node @item(pk: "BOOK#{id}", sk: "BOOK") @index(pk: "TITLE#{title}", sk: "{id}")
  @goModel(model: "example.com/Book") @marked(by: OLD) @cacheControl(maxAge: 60) {
  id: ID!
  "The title."
  title: String! @stored(name: "t") @marked(by: NEW)
  name: String @deprecated @allow(to: ["ADMIN"])
}
`

func loadAPI(t *testing.T, text string) (build, api *ast.Schema) {
	t.Helper()
	build, err := directives.Load(&ast.Source{Name: "test.graphqls", Input: text})
	if err != nil {
		t.Fatal(err)
	}
	return build, plan.API(build)
}

// TestAPI prints what is left of a schema. The text is a valid schema by itself.
func TestAPI(t *testing.T) {
	build, api := loadAPI(t, apiSDL)
	before := directives.SDL(build)
	alone, err := gqlparser.LoadSchema(&ast.Source{Name: "api.graphqls", Input: directives.SDL(api)})
	if err != nil {
		t.Fatal(err)
	}
	// gqlparser adds the directive again.
	if diff := cmp.Diff(slices.Sorted(maps.Keys(api.Types)), slices.Sorted(maps.Keys(plan.API(alone).Types))); diff != "" {
		t.Errorf("types of the text (-schema +text):\n%s", diff)
	}
	var types []string
	for _, name := range slices.Sorted(maps.Keys(api.Types)) {
		if !api.Types[name].BuiltIn {
			types = append(types, name)
		}
	}
	want := []string{"Book", "By", "CacheControlScope", "Mark", "Node", "Query", "SortOrder", "URL", "Unused"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	want = []string{"cacheControl", "cost", "deprecated", "include", "marked", "oneOf", "skip", "specifiedBy"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(api.Directives))); diff != "" {
		t.Errorf("directives: decide for each that is built in whether clients see it (-want +got):\n%s", diff)
	}
	if api.Query != api.Types["Query"] || api.PossibleTypes["Node"][0] != api.Types["Book"] ||
		api.Implements["Book"][0] != api.Types["Node"] {
		t.Error("the API refers to definitions of the schema that it is made from")
	}
	if directives.SDL(plan.API(api)) != directives.SDL(api) || directives.SDL(build) != before {
		t.Error("API of the API is another schema, or API changes its argument")
	}
}

// TestAPIIsWithoutDesign: what only the design of the table says does not change the API.
func TestAPIIsWithoutDesign(t *testing.T) {
	_, designed := loadAPI(t, `
		extend schema @table(delimiter: "/")
		type Query { book(id: ID!): Book @get(pk: "BOOK/{id}", sk: "BOOK") @allow(to: ["VIEWER"]) }
		"A book."
		type Book @item(pk: "BOOK/{id}", sk: "BOOK") @copy(pk: "ALL", sk: "{id}") @index(pk: "T/{title}", sk: "{id}")
			@allow(to: ["ADMIN"]) {
			id: ID! title: String! @unique @stored(name: "t") version: Int! @version
			at: Time @now readers: Int! @counts(field: "id")
		}`)
	_, plain := loadAPI(t, `
		type Query { book(id: ID!): Book }
		"A book."
		type Book { id: ID! title: String! version: Int! at: Time readers: Int! }`)
	if diff := cmp.Diff(directives.SDL(plain), directives.SDL(designed)); diff != "" {
		t.Errorf("(-without +with directives)\n%s", diff)
	}
}
