package playground

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// TestStarters: each tab is valid, and has a value for each argument that a field needs.
func TestStarters(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query {
			node(id: ID!): Node
			note(id: ID!, kind: Kind!, from: [Int!]!): Note
			notes(topic: String!, first: Int, after: String): NoteConnection
			any: Any
			count: Int!
		}
		interface Node { id: ID! }
		enum Kind { SHORT LONG }
		union Any = Note | Link
		type Link { note: Note }
		type Note implements Node { id: ID! text(max: Int): String kind: Kind! links: [Link!]!
			a: Int b: Int c: Int d: Int e: Int }
		type NoteConnection { nodes: [Note!]! pageInfo: PageInfo! }
		type PageInfo { hasNextPage: Boolean! endCursor: String }`})
	want := []string{
		"# Enter values for the arguments.\nquery Note {\n  note(id: \"\", kind: SHORT, from: [0]) {\n" +
			"    id\n    kind\n    a\n    b\n    c\n    d\n  }\n}\n",
		"# Enter values for the arguments.\nquery Notes {\n  notes(topic: \"\", first: 5) {\n    nodes {\n" +
			"      id\n      kind\n      a\n      b\n      c\n      d\n    }\n" +
			"    pageInfo { hasNextPage endCursor }\n  }\n}\n",
		"query Any {\n  any {\n    __typename\n  }\n}\n",
		"query Count {\n  count\n}\n",
	}
	got := Starters(schema)
	if len(got) != len(want) {
		t.Fatalf("got %d tabs, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Query != want[i] {
			t.Errorf("got %s\nwant %s", got[i].Query, want[i])
		}
		if _, err := gqlparser.LoadQueryWithRules(schema, got[i].Query, rules.NewDefaultRules()); err != nil {
			t.Errorf("%v in %s", err, got[i].Query)
		}
	}
}
