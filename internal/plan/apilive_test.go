package plan_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
)

// liveSDL has live fields of each form: of the root and of objects, an object and a connection, edges with attributes.
const liveSDL = `
type Query {
  book(id: ID!, at: Int @deprecated): Book! @get(pk: "BOOK#{id}", sk: "BOOK") @live @cost
  books(shelf: String! = "A"): BookConnection @query(index: "GSI1", pk: "SHELF#{shelf}") @live(name: "booksOn")
  shelf: String @cost
}
type Book implements Node @item(pk: "BOOK#{id}", sk: "BOOK") @index(pk: "SHELF#{shelf}", sk: "{id}") {
  id: ID! shelf: String
  fans: FanConnection @query(pk: "BOOK#{id}", sk: "FAN#") @live @deprecated(reason: "Ask nobody.")
  fan(readerId: ID!): Like @get(pk: "BOOK#{id}", sk: "FAN#{readerId}") @live
}
type Like implements Node @item(pk: "BOOK#{bookId}", sk: "FAN#{readerId}") {
  id: ID! bookId: ID! readerId: ID! since: Date!
}
type Reader implements Node @item(pk: "READER#{id}", sk: "READER") { id: ID! }
type FanConnection { edges: [FanEdge!]! pageInfo: PageInfo! }
type FanEdge { cursor: String! node: Reader @get(pk: "READER#{readerId}", sk: "READER") since: Date! }
`

// TestAPIOfLiveData compares the types that @live adds, without their descriptions.
func TestAPIOfLiveData(t *testing.T) {
	build, api := loadAPI(t, liveSDL)
	before := directives.SDL(build)
	var got bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(api.Types)) {
		if def := api.Types[name]; build.Types[name] == nil {
			formatter.NewFormatter(&got, formatter.WithIndent(" "), formatter.WithoutDescription()).FormatSchemaDocument(
				&ast.SchemaDocument{Definitions: ast.DefinitionList{def}})
		}
	}
	const page = "first: Int after: String last: Int before: String"
	want := `type BookConnectionEvent {
 change: LiveChange!
 connection: BookConnection
 edge: BookEdge
 node: Book
 nodeId: ID
 cursor: String
}
type FanConnectionEvent {
 change: LiveChange!
 connection: FanConnection
 edge: FanEdge
 node: Reader
 nodeId: ID
 cursor: String
}
enum LiveChange {
 CURRENT
 ADDED
 CHANGED
 REMOVED
}
type Subscription {
 book(id: ID! at: Int @deprecated): Book
 booksOn(shelf: String! = "A" ` + page + `): BookConnectionEvent
 fans(bookId: ID! ` + page + `): FanConnectionEvent @deprecated(reason: "Ask nobody.")
 fan(bookId: ID! readerId: ID!): Like
}
`
	// The formatter writes a comma only after an argument without a description.
	plain := strings.NewReplacer(`(reason: "No longer supported")`, "", ",", "")
	if diff := cmp.Diff(want, plain.Replace(got.String())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, name := range []string{"BookConnectionEvent", "LiveChange", "Subscription"} {
		def := api.Types[name]
		for _, f := range def.Fields {
			if f.Description == "" {
				t.Errorf("%s.%s has no description", name, f.Name)
			}
		}
		if def.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
	if _, err := gqlparser.LoadSchema(&ast.Source{Name: "api.graphqls", Input: directives.SDL(api)}); err != nil {
		t.Errorf("the text is not a valid schema: %v", err)
	}
	if api.Subscription != api.Types["Subscription"] || api.Directives["live"] != nil || build.Subscription != nil ||
		directives.SDL(plan.API(api)) != directives.SDL(api) || directives.SDL(build) != before {
		t.Error("API of the API is another schema, or API changes its argument")
	}
}
