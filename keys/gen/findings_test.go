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
`, `schema.graphqls:6:3: User.key: the key of User and the key condition of User.key would have the same Go name UserKey
    rename key to userKey in type User
schema.graphqls:11:7: NewUser: the function that fills User and type NewUser would have the same Go name NewUser
    rename the type NewUser to NewUserType`)
}

func TestFieldsAndValuesThatCollide(t *testing.T) {
	checkFindings(t, `type Query {
  user(id: ID!): User @get(pk: "USER#{id}", sk: "USER#{id}")
}
interface Node { id: ID! }
type User implements Node @item(pk: "USER#{id}", sk: "USER#{id}") {
  id: ID!
  firstName: String
  first_name: String
  isNode: Boolean
  getId: ID
  colour: Colour
}
enum Colour { DARK_RED DARK_red RED }
type ColourRed { id: ID! }
`, `schema.graphqls:8:3: User.first_name: the field firstName and the field first_name would have the same Go name FirstName
    rename first_name to userFirst_name in type User
schema.graphqls:9:3: User.isNode: the method that marks a Node and the field isNode would have the same Go name IsNode
    rename isNode to userIsNode in type User
schema.graphqls:10:3: User.getId: the method that returns id of a Node and the field getId would have the same Go name GetID
    rename getId to userGetId in type User
schema.graphqls:13:24: Colour.DARK_red: the value DARK_RED of Colour and the value DARK_red of Colour would have the same Go name ColourDarkRed
    rename DARK_red to colourDARK_red in type Colour
schema.graphqls:13:33: Colour.RED: type ColourRed and the value RED of Colour would have the same Go name ColourRed
    rename RED to RED_VALUE in type Colour`)
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
    replace Pet with Cat, or another object type
schema.graphqls:11:3: Home.rooms: Map is gqlgen's own scalar, which cannot be stored as an attribute
    replace [Map!] with [String!], or another of Int, Int64, Float, Boolean, ID, Time, Date, an enum or an object type`)
}
