package gen

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
)

// checkFindings compares what is wrong with a schema.
func checkFindings(t *testing.T, text, want string) {
	t.Helper()
	schema, err := gqlparser.LoadSchema(
		&ast.Source{Name: "directives.graphqls", Input: directives.Definitions},
		&ast.Source{Name: "schema.graphqls", Input: text},
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(schema); err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestGoNamesThatCollide(t *testing.T) {
	checkFindings(t, `type Query {
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
`, `schema.graphqls:4:6: User: the function that fills User and type NewUser would have the same Go name NewUser
    rename one of them
schema.graphqls:6:3: User.key: the key condition of User.key and the key of User would have the same Go name UserKey
    rename one of them`)
}

func TestAttributesThatCannotBeStored(t *testing.T) {
	checkFindings(t, `scalar Map
type Query {
  user(id: ID!): User @get(pk: "USER#{id}", sk: "USER#{id}")
}
type User @item(pk: "USER#{id}", sk: "USER#{id}") {
  id: ID!
  pet: Pet
  home: Home!
}
type Home {
  rooms: [Map!]
  twin: Home
}
union Pet = Cat
type Cat {
  name: String!
}
`, `schema.graphqls:7:3: User.pet: Pet is an interface or a union, which cannot be stored as an attribute
    name one object type
schema.graphqls:11:3: Home.rooms: Map is gqlgen's own scalar, which cannot be stored as an attribute
    use String, Int, Int64, Float, Boolean, ID, Time, Date, an enum or an object type`)
}
