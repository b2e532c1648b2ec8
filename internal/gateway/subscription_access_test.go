package gateway_test

import (
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	folder "github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// The messages of UNREADABLE_FIELD and DAMAGED_ITEM.
const (
	doesNotFit = "what is stored of this does not fit its type; leave the field out, or report it with the request id"
	isDamaged  = "what is stored of this is damaged, so that it cannot be shown; report it with the request id"
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
func folderOf(t *testing.T, text string) (*design.Design, graphql.ExecutableSchema) {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: "folder.graphqls", Input: text})
	fatal.If(t, err)
	read, err := directives.Read(schema)
	fatal.If(t, err)
	return read.Design, folder.NewFolder(schema)
}

// board is a schema with a rule for each item of a connection.
const board = `
type Query { tasks(list: String!): TaskConnection @query(pk: "LIST#{list}", sk: "TASK#") @allow(to: ["VIEWER"]) @live }
type Task @item(pk: "LIST#{list}", sk: "TASK#{id}") @allow(to: ["OWNER"], owner: "assigneeId") {
  id: ID! list: String! assigneeId: ID! text: String!
}`

// TestSubscriptionShowsWhatTheViewerMayRead: an item of a connection that becomes invisible is removed, and one that
// becomes visible is added. An item of another type is removed. One with a field that cannot be read has changed.
func TestSubscriptionShowsWhatTheViewerMayRead(t *testing.T) {
	design, schema := folderOf(t, board)
	task := func(id, assignee string) item.Item {
		items, err := write.Items(design.Type("Task"), item.Item{
			{Name: "id", Value: keys.IDAttribute(keys.NewID("Task", id))}, {Name: "list", Value: item.StringValue("a")},
			{Name: "assigneeId", Value: keys.IDAttribute(keys.NewID("", assignee))},
			{Name: "text", Value: item.StringValue("Do it.")},
		})
		fatal.If(t, err)
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
	unreadable := slices.DeleteFunc(task("2", "r001"), func(a item.Attribute) bool { return a.Name == "text" })
	l.Put(t, unreadable)
	s.wants(t, `
0 units
{"tasks":{"change":"CHANGED","nodeId":"VGFzazphOjI","node":null}}
UNREADABLE_FIELD [tasks node text]: `+doesNotFit)
	l.Put(t, changed(task("2", "r001"), item.EntityType, "Newer"))
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

// TestSubscriptionOfUnreadableField: the field has an error as long as it cannot be read.
func TestSubscriptionOfUnreadableField(t *testing.T) {
	l := startLibrary(t, setup{}, book(1, "One")...)
	s := l.subscribe(t, testservice.Anonymous, `subscription { book(id: "Book:b001") { title } }`)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
1 units
{"book":{"title":"One"}}`)
	l.Put(t, slices.DeleteFunc(book(1, "One")[0], func(a item.Attribute) bool { return a.Name == "title" }))
	s.wants(t, `
0 units
{"book":null}
UNREADABLE_FIELD [book title]: `+doesNotFit)
	l.Put(t, book(1, "Two")...)
	s.wants(t, `
0 units
{"book":{"title":"Two"}}`)
}

// TestSubscriptionLeavesOutDamagedItems: an item that is damaged is not in the range any more, and the answer has an
// error: here one whose attribute names another owner than its key. It is added again when it is whole.
func TestSubscriptionLeavesOutDamagedItems(t *testing.T) {
	lent, other := loan(1, model.LoanStateLent), testservice.Reader(2).Value()
	l := startLibrary(t, setup{}, lent...)
	s := l.subscribe(t, testservice.Ada, `subscription { latestLoanOf(readerId: "Reader:r001") { state } }`)
	s.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 1, consistent
1 units
{"latestLoanOf":{"state":"LENT"}}`)
	l.Put(t, changed(lent[1], "readerId", other))
	s.wants(t, `
0 units
{"latestLoanOf":null}
DAMAGED_ITEM [latestLoanOf]: `+isDamaged)
	l.Put(t, changed(lent[1], "state", "OVERDUE"))
	s.wants(t, `
0 units
{"latestLoanOf":{"state":"OVERDUE"}}`)
}

// TestSubscriptionReportsDamage: a type that the field does not return is damage, as in a page, whether an item gets it
// or comes with it. That is reported once, until the item is whole or gone.
func TestSubscriptionReportsDamage(t *testing.T) {
	const omitted = "DAMAGED_ITEM [loans]: an item is missing here, because what is stored of it is damaged; report " +
		"it with the request id"
	l := startLibrary(t, setup{}, loan(1, model.LoanStateLent)...)
	s := l.subscribe(t, testservice.Ada,
		`subscription { loans(readerId: "Reader:r001", first: 2) { change connection { nodes { id } }
			edge { node { state } } nodeId } }`)
	s.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 3, consistent
1 units
{"loans":{"change":"CURRENT","connection":{"nodes":[{"id":"Loan:l001"}]},"edge":null,"nodeId":null}}`)
	first, second := loan(1, model.LoanStateLent), loan(2, model.LoanStateLent)
	l.Put(t, changed(first[1], item.EntityType, "Planet"))
	s.wants(t, `
0 units
{"loans":{"change":"REMOVED","connection":null,"edge":null,"nodeId":"Loan:l001"}}
`+omitted)
	l.Put(t, changed(second[1], item.EntityType, "Planet")) // from the beginning
	s.wants(t, `
0 units
{"loans":{"change":"REMOVED","connection":null,"edge":null,"nodeId":null}}
`+omitted)
	l.Put(t, changed(changed(second[1], item.EntityType, "Planet"), "state", "OVERDUE")) // no news
	l.Put(t, second...)
	s.wants(t, `
0 units
{"loans":{"change":"ADDED","connection":null,"edge":{"node":{"state":"LENT"}},"nodeId":"Loan:l002"}}`)
	l.Put(t, changed(second[1], item.EntityType, ""))
	s.wants(t, `
0 units
{"loans":{"change":"REMOVED","connection":null,"edge":null,"nodeId":"Loan:l002"}}
`+omitted)
	l.Delete(t, second...) // no news
	l.Put(t, first...)
	s.wants(t, `
0 units
{"loans":{"change":"ADDED","connection":null,"edge":{"node":{"state":"LENT"}},"nodeId":"Loan:l001"}}`)

	one := l.subscribe(t, testservice.Ada, `subscription { latestLoanOf(readerId: "Reader:r001") { state } }`)
	one.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 1, consistent
1 units
{"latestLoanOf":{"state":"LENT"}}`)
	l.Put(t, changed(second[1], item.EntityType, "Planet")) // the latest one, damaged from the beginning
	one.wants(t, `
0 units
{"latestLoanOf":null}
DAMAGED_ITEM [latestLoanOf]: `+isDamaged)
}

// changed returns an item with another text of an attribute.
func changed(it item.Item, name, text string) item.Item {
	it = slices.Clone(it)
	for i := range it {
		if it[i].Name == name {
			it[i].Value = item.StringValue(text)
		}
	}
	return it
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
		fatal.If(t, err)
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
