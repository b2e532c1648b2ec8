package gen

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
)

// checkFindings compares what is wrong with a schema.
func checkFindings(t *testing.T, text, want string) {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: text})
	fatal.If(t, err)
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
  dog(id: ID!): Dog @get(pk: "DOG#{id}", sk: "DOG#{id}")
}
interface N { id: ID! }
type Dog implements N @item(pk: "DOG#{id}", sk: "DOG#{id}") {
  id: ID!
  aB: String
  a_b: String
  isN: Boolean
  getId: ID
  hue: Hue
}
enum Hue { D_R D_r RED }
type HueRed { id: ID! }
`, `schema.graphqls:8:3: Dog.a_b: the field aB and the field a_b would have the same Go name AB
    rename a_b to dogA_b in type Dog
schema.graphqls:9:3: Dog.isN: the method that marks a N and the field isN would have the same Go name IsN
    rename isN to dogIsN in type Dog
schema.graphqls:10:3: Dog.getId: the method that returns id of a N and the field getId would have the same Go name GetID
    rename getId to dogGetId in type Dog
schema.graphqls:13:16: Hue.D_r: the value D_R of Hue and the value D_r of Hue would have the same Go name HueDR
    rename D_r to hueD_r in type Hue
schema.graphqls:13:20: Hue.RED: type HueRed and the value RED of Hue would have the same Go name HueRed
    rename RED to RED_VALUE in type Hue`)
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
