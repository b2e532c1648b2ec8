package gateway_test

import (
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// rooms is a schema in which the key of a member follows from the condition of log, and from the items of notes.
const rooms = `
type Query {
  log(roomId: String!): EntryConnection @query(pk: "ROOM#{roomId}", sk: "LOG#") @allow(to: ["VIEWER"]) @live
  notes(list: String!): NoteConnection @query(pk: "LIST#{list}", sk: "NOTE#") @allow(to: ["VIEWER"]) @live
}
type Entry @item(pk: "ROOM#{roomId}", sk: "LOG#{n:03}")
  @allow(to: ["MEMBER"], member: {pk: "ROOM#{roomId}", sk: "MEMBER#{viewer}"}) { id: ID! roomId: String! n: Int! }
type Note @item(pk: "LIST#{list}", sk: "NOTE#{n:03}")
  @allow(to: ["MEMBER"], member: {pk: "ROOM#{roomId}", sk: "MEMBER#{viewer}"}) {
  id: ID! list: String! n: Int! roomId: String!
}
type Membership @item(pk: "ROOM#{roomId}", sk: "MEMBER#{userId}") { roomId: String! userId: ID! }`

// TestSubscriptionOfMembers: each event reads the membership. Once it has ended, a subscription ends that depends on it
// as a whole, and an object that depends on it is removed.
func TestSubscriptionOfMembers(t *testing.T) {
	design, schema := folderOf(t, rooms)
	stored := func(typ string, attributes ...item.Attribute) item.Item {
		items, err := write.Items(design.Type(typ), attributes)
		fatal.If(t, err)
		return items[0]
	}
	room := item.Attribute{Name: "roomId", Value: item.StringValue("a")}
	number := func(n int) item.Attribute { return item.Attribute{Name: "n", Value: item.NumberValue(n)} }
	entry := func(n int) item.Item { return stored("Entry", room, number(n)) }
	note := func(n int) item.Item {
		return stored("Note", room, number(n), item.Attribute{Name: "list", Value: item.StringValue("x")})
	}
	membership := stored("Membership", room,
		item.Attribute{Name: "userId", Value: keys.IDAttribute(keys.NewID("", testservice.Ada.ID))})
	l := startLive(t, design, schema, setup{}, entry(1), note(1), membership)

	log := l.subscribe(t, testservice.Ada,
		`subscription { log(roomId: "a", first: 5) { change node { n } connection { nodes { n } } } }`)
	log.wants(t, `
GetItem ROOM#a MEMBER#r001, consistent
Query PK = ROOM#a, begins_with(SK, LOG#), limit 6, consistent
2 units
{"log":{"change":"CURRENT","node":null,"connection":{"nodes":[{"n":1}]}}}`)
	notes := l.subscribe(t, testservice.Ada,
		`subscription { notes(list: "x", first: 5) { change node { n } connection { nodes { n } } } }`)
	notes.wants(t, `
GetItem ROOM#a MEMBER#r001, consistent
Query PK = LIST#x, begins_with(SK, NOTE#), limit 6, consistent
2 units
{"notes":{"change":"CURRENT","node":null,"connection":{"nodes":[{"n":1}]}}}`)
	l.Put(t, entry(2), note(2))
	log.wants(t, `
GetItem ROOM#a MEMBER#r001
0.5 units
{"log":{"change":"ADDED","node":{"n":2},"connection":null}}`)
	notes.wants(t, `
GetItem ROOM#a MEMBER#r001
0.5 units
{"notes":{"change":"ADDED","node":{"n":2},"connection":null}}`)
	l.Delete(t, membership)
	l.Put(t, entry(3), note(2))
	log.wants(t, `
GetItem ROOM#a MEMBER#r001
0.5 units
FORBIDDEN []: you may not see this, if it is there at all; sign in as someone who may
end`)
	notes.wants(t, `
GetItem ROOM#a MEMBER#r001
0.5 units
{"notes":{"change":"REMOVED","node":null,"connection":null}}`)

	stranger := l.subscribe(t, testservice.Other,
		`subscription { log(roomId: "a", first: 5) { connection { nodes { n } } } }`)
	stranger.wants(t, `
GetItem ROOM#a MEMBER#r002, consistent
Query PK = ROOM#a, begins_with(SK, LOG#), limit 6, consistent
2 units
FORBIDDEN []: you may not see this, if it is there at all; sign in as someone who may
end`)
}
