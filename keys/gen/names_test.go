package gen

import (
	"os"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestGoNamesThatCollide(t *testing.T) {
	directives, err := os.ReadFile("../../graph/schema/directives.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(
		&ast.Source{Name: "directives.graphqls", Input: string(directives)},
		&ast.Source{Name: "schema.graphqls", Input: `type Query {
  user(id: ID!): User @get(pk: "USER#{id}", sk: "USER#{id}")
}
type User @item(pk: "USER#{id}", sk: "USER#{id}") {
  id: ID!
  key: Key @get(pk: "USER#{id}", sk: "KEY")
}
type Key @item(pk: "USER#{userId}", sk: "KEY") {
  userId: ID!
}
input NewUser {
  name: String!
}
`})
	if err != nil {
		t.Fatal(err)
	}
	const want = `schema.graphqls:4:6: User: the function that fills User and type NewUser would have the same Go name NewUser
    rename one of them
schema.graphqls:6:3: User.key: the key condition of User.key and the key of User would have the same Go name UserKey
    rename one of them`
	if _, err := read(schema); err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}
