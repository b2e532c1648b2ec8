package gateway_test

import (
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	folder "github.com/partita/partita/answer"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/write"
)

// TestSubscriptionIsAuthorizedForEachEvent: an object that the viewer may not read any more is null, and nothing else
// shows why. Changes of an object that the viewer could not read, and cannot read, are no events.
func TestSubscriptionIsAuthorizedForEachEvent(t *testing.T) {
	l := startLibrary(t, setup{}, loan(1, model.LoanStateLent)...)
	s := l.subscribe(t, testservice.Ada, `subscription { loan(id: "Loan:l001") { state } }`)
	s.wants(t, `
GetItem LOAN#l001 LOAN#l001, consistent
1 units
{"loan":{"state":"LENT"}}`)
	l.Put(t, loan(1, model.LoanStateLent, borrowedBy(2))...)
	s.wants(t, `
0 units
{"loan":null}`)
	l.Put(t, loan(1, model.LoanStateReturned, borrowedBy(2))...)
	l.Put(t, loan(1, model.LoanStateOverdue)...)
	s.wants(t, `
0 units
{"loan":{"state":"OVERDUE"}}`)
	other := l.subscribe(t, testservice.Other, `subscription { loan(id: "Loan:l001") { state } }`)
	other.wants(t, `
GetItem LOAN#l001 LOAN#l001, consistent
1 units
FORBIDDEN []: you may not see this, if it is there at all; sign in as someone who may
end`)
}

// folderOf returns a service without Go.
func folderOf(t *testing.T, text string) (*keys.Design, graphql.ExecutableSchema) {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: "folder.graphqls", Input: text})
	if err != nil {
		t.Fatal(err)
	}
	read, err := directives.Read(schema)
	if err != nil {
		t.Fatal(err)
	}
	return read.Design, folder.NewFolder(schema)
}

// board is a schema with a rule for each item of a connection.
const board = `
type Query { tasks(list: String!): TaskConnection @query(pk: "LIST#{list}", sk: "TASK#") @allow(to: ["VIEWER"]) @live }
type Task @item(pk: "LIST#{list}", sk: "TASK#{id}") @allow(to: ["OWNER"], owner: "assigneeId") {
  id: ID! list: String! assigneeId: ID! text: String!
}`

// TestSubscriptionShowsWhatTheViewerMayRead: an item of a connection that becomes invisible is removed, and one that
// becomes visible is added. A damaged item is removed, with an error.
func TestSubscriptionShowsWhatTheViewerMayRead(t *testing.T) {
	design, schema := folderOf(t, board)
	task := func(id, assignee string) item.Item {
		items, err := write.Items(design.Type("Task"), item.Item{
			{Name: "id", Value: keys.IDAttribute(keys.NewID("Task", id))}, {Name: "list", Value: item.StringValue("a")},
			{Name: "assigneeId", Value: keys.IDAttribute(keys.NewID("", assignee))},
			{Name: "text", Value: item.StringValue("Do it.")},
		})
		if err != nil {
			t.Fatal(err)
		}
		return items[0]
	}
	l := startLive(t, design, schema, setup{}, task("1", "r001"))
	s := l.subscribe(t, testservice.Ada, `subscription { tasks(list: "a", first: 5) { change nodeId node { text } } }`)
	s.wants(t, `
0 units
{"tasks":{"change":"CURRENT","nodeId":null,"node":null}}`)
	l.Put(t, task("2", "r002"), task("1", "r002"))
	s.wants(t, `
0 units
{"tasks":{"change":"REMOVED","nodeId":"VGFzazphOjE","node":null}}`)
	l.Put(t, task("2", "r001"))
	s.wants(t, `
0 units
{"tasks":{"change":"ADDED","nodeId":"VGFzazphOjI","node":{"text":"Do it."}}}`)
	damaged := slices.DeleteFunc(task("2", "r001"), func(a item.Attribute) bool { return a.Name == "text" })
	l.Put(t, damaged)
	s.wants(t, `
0 units
{"tasks":{"change":"REMOVED","nodeId":"VGFzazphOjI","node":null}}
DAMAGED_ITEM [tasks]: an item is missing here, because what is stored of it is damaged; report it with the request id`)
	page := l.subscribe(t, testservice.Ada,
		`subscription { tasks(list: "a", first: 5) { connection { nodes { text } } } }`)
	page.wants(t, `
Query PK = LIST#a, begins_with(SK, TASK#), limit 6, consistent
1 units
FORBIDDEN []: you may not see this, if it is there at all; sign in as someone who may
end`)
}

// TestSubscriptionLeavesOutDamagedItems: an item that is damaged is not in the range any more, and the answer has an
// error. It is added again when it is whole.
func TestSubscriptionLeavesOutDamagedItems(t *testing.T) {
	l := startLibrary(t, setup{}, book(1, "One")...)
	s := l.subscribe(t, testservice.Anonymous, `subscription { book(id: "Book:b001") { title } }`)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
1 units
{"book":{"title":"One"}}`)
	damaged := slices.DeleteFunc(slices.Clone(book(1, "One")[0]), func(a item.Attribute) bool { return a.Name == "title" })
	l.Put(t, damaged)
	s.wants(t, `
0 units
{"book":null}
DAMAGED_ITEM [book]: what is stored of this is damaged, so that it cannot be shown; report it with the request id`)
	l.Put(t, damaged)
	l.Put(t, book(1, "Two")...)
	s.wants(t, `
0 units
{"book":{"title":"Two"}}`)
}

// TestStrangerResumes: who resumes at an object with a position of something else is denied it as without a position.
// Who has had its state resumes without a read, also if the object is not visible any more.
func TestStrangerResumes(t *testing.T) {
	const query = `subscription { loan(id: "Loan:l001") { state } }`
	l := startLibrary(t, setup{}, slices.Concat(loan(1, model.LoanStateLent), book(1, "One"))...)
	other := l.subscribe(t, testservice.Other, `subscription { book(id: "Book:b001") { title } }`)
	if body, isEnd := other.Next(); isEnd {
		t.Fatal(body)
	}
	l.Put(t, book(1, "Two")...)
	other.wants(t, `
0 units
{"book":{"title":"Two"}}`)
	ada := l.subscribe(t, testservice.Ada, query)
	ada.wants(t, `
GetItem LOAN#l001 LOAN#l001, consistent
1 units
{"loan":{"state":"LENT"}}`)
	l.Put(t, loan(1, model.LoanStateOverdue)...)
	ada.wants(t, `
0 units
{"loan":{"state":"OVERDUE"}}`)
	const denied = `
GetItem LOAN#l001 LOAN#l001, consistent
1 units
FORBIDDEN []: you may not see this, if it is there at all; sign in as someone who may
end`
	for _, position := range []string{"", other.position, ada.position} {
		l.resume(t, testservice.Other, query, position).wants(t, denied)
	}
	l.Put(t, loan(1, model.LoanStateReturned)...)
	l.Put(t, loan(1, model.LoanStateLent, borrowedBy(2))...)
	again := l.resume(t, testservice.Ada, query, ada.position)
	again.wants(t, `
0 units
{"loan":{"state":"RETURNED"}}`)
	again.wants(t, `
0 units
{"loan":null}`)
	librarian := l.resume(t, testservice.Librarian, query, ada.position)
	librarian.wants(t, `
0 units
{"loan":{"state":"RETURNED"}}`)
}

// club is a schema with edges that everybody may read, whose nodes have an owner.
const club = `
type Query { members(club: String!): MembersConnection @query(pk: "CLUB#{club}", sk: "MEMBER#") @live }
type MembersConnection { edges: [MembersEdge!]! pageInfo: PageInfo! }
type MembersEdge { cursor: String! node: Person @get(pk: "PERSON#{personId}", sk: "PERSON#{personId}") since: String! }
type Member @item(pk: "CLUB#{club}", sk: "MEMBER#{personId}") { club: String! personId: ID! since: String! }
type Person @item(pk: "PERSON#{id}", sk: "PERSON#{id}") @allow(to: ["OWNER"], owner: "id") { id: ID! name: String! }`

// TestSubscriptionHidesIDsOfNodes: the id of a node is shown to those who may read the node.
func TestSubscriptionHidesIDsOfNodes(t *testing.T) {
	design, schema := folderOf(t, club)
	member := func(person string) item.Item {
		items, err := write.Items(design.Type("Member"), item.Item{
			{Name: "club", Value: item.StringValue("a")}, {Name: "since", Value: item.StringValue("2026")},
			{Name: "personId", Value: keys.IDAttribute(keys.NewID("Person", person))},
		})
		if err != nil {
			t.Fatal(err)
		}
		return items[0]
	}
	l := startLive(t, design, schema, setup{})
	s := l.subscribe(t, testservice.Ada, `subscription { members(club: "a", first: 5) { change nodeId edge { since } } }`)
	s.wants(t, `
0 units
{"members":{"change":"CURRENT","nodeId":null,"edge":null}}`)
	l.Put(t, member("r002"))
	s.wants(t, `
0 units
{"members":{"change":"ADDED","nodeId":null,"edge":{"since":"2026"}}}`)
	l.Put(t, member("r001"))
	s.wants(t, `
0 units
{"members":{"change":"ADDED","nodeId":"UGVyc29uOnIwMDE","edge":{"since":"2026"}}}`)
	l.Delete(t, member("r002"))
	s.wants(t, `
0 units
{"members":{"change":"REMOVED","nodeId":null,"edge":null}}`)
}
