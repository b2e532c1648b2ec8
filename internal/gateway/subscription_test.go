package gateway_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// TestSubscriptionToAnObject: the first state is read consistently, and what is below it is not. The item of an event
// is not read.
func TestSubscriptionToAnObject(t *testing.T) {
	l := startLibrary(t, setup{}, slices.Concat(sequel("One"), book(2, "Two"))...)
	s := l.subscribe(t, testservice.Anonymous, `subscription { b: book(id: "Book:b001") { id title sequel { title } } }`)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
GetItem BOOK#b002 BOOK#b002
1.5 units
{"b":{"id":"Book:b001","title":"One","sequel":{"title":"Two"}}}`)
	l.Put(t, book(2, "Second")...)
	l.Put(t, sequel("First")...)
	s.wants(t, `
GetItem BOOK#b002 BOOK#b002
0.5 units
{"b":{"id":"Book:b001","title":"First","sequel":{"title":"Second"}}}`)
	l.Delete(t, book(1, "")...)
	s.wants(t, `
0 units
{"b":null}`)
	l.Put(t, book(1, "Again")...)
	s.wants(t, `
0 units
{"b":{"id":"Book:b001","title":"Again","sequel":null}}`)
}

// TestSubscriptionToAConnection: the events concern the whole range of the field. The item of an event is not read, and
// the cursor of an event is one of the page.
func TestSubscriptionToAConnection(t *testing.T) {
	l := startLibrary(t, setup{}, slices.Concat(
		loan(1, model.LoanStateLent), loan(2, model.LoanStateLent), loan(3, model.LoanStateLent), book(1, "One"))...)
	s := l.subscribe(t, testservice.Ada, `subscription { loans(readerId: "Reader:r001", first: 2) {
		change connection { nodes { id } pageInfo { hasNextPage } } edge { node { state } }
		node { id book { title } } nodeId } }`)
	s.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 3, consistent
1 units
{"loans":{"change":"CURRENT","connection":{
	"nodes":[{"id":"Loan:l003"},{"id":"Loan:l002"}],"pageInfo":{"hasNextPage":true}},
	"edge":null,"node":null,"nodeId":null}}`)
	l.Put(t, loan(4, model.LoanStateLent)...)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001
0.5 units
{"loans":{"change":"ADDED","connection":null,"edge":{"node":{"state":"LENT"}},
	"node":{"id":"Loan:l004","book":{"title":"One"}},"nodeId":"Loan:l004"}}`)
	l.Put(t, loan(1, model.LoanStateReturned)...)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001
0.5 units
{"loans":{"change":"CHANGED","connection":null,"edge":{"node":{"state":"RETURNED"}},
	"node":{"id":"Loan:l001","book":{"title":"One"}},"nodeId":"Loan:l001"}}`)
	l.Delete(t, loan(3, model.LoanStateLent)...)
	s.wants(t, `
0 units
{"loans":{"change":"REMOVED","connection":null,"edge":null,"node":null,"nodeId":"Loan:l003"}}`)
}

// TestSubscriptionToAnIndex: an item enters and leaves the range when the value in the key of the index changes. The
// cursors of events continue the pages of the field.
func TestSubscriptionToAnIndex(t *testing.T) {
	l := startLibrary(t, setup{}, slices.Concat(
		loan(1, model.LoanStateLent), loan(2, model.LoanStateReturned), book(1, "One"))...)
	s := l.subscribe(t, testservice.Librarian,
		`subscription { loansByState(state: LENT, first: 5) { change node { id } nodeId connection { nodes { id } } } }`)
	s.wants(t, `
Query GSI1: GSI1PK = STATE#LENT#0, limit 6
Query GSI1: GSI1PK = STATE#LENT#1, limit 6
Query GSI1: GSI1PK = STATE#LENT#2, limit 6
1.5 units
{"loansByState":{"change":"CURRENT","node":null,"nodeId":null,"connection":{"nodes":[{"id":"Loan:l001"}]}}}`)
	l.Put(t, loan(2, model.LoanStateLent)...)
	s.wants(t, `
0 units
{"loansByState":{"change":"ADDED","node":{"id":"Loan:l002"},"nodeId":"Loan:l002","connection":null}}`)
	l.Put(t, loan(1, model.LoanStateOverdue)...)
	s.wants(t, `
0 units
{"loansByState":{"change":"REMOVED","node":null,"nodeId":"Loan:l001","connection":null}}`)
}

func recommendation(reader, book, stars int) []item.Item {
	return testservice.Stored(typed.StoredRecommendation, &model.Recommendation{
		ReaderID: testservice.Reader(reader), BookID: testservice.Book(book), Stars: stars, MadeAt: testservice.Opened,
	})
}

// TestSubscriptionToEdges: the node of an edge is read by its key, once for the edge and the node, and not if only its
// id is selected.
func TestSubscriptionToEdges(t *testing.T) {
	l := startLibrary(t, setup{}, slices.Concat(
		recommendation(1, 1, 3), book(1, "One"), book(2, "Two"))...)
	s := l.subscribe(t, testservice.Librarian, `subscription { recommendations(readerId: "Reader:r001", first: 5) {
		connection { edges { stars node { title } } } edge { stars node { id title } } node { title genre } nodeId } }`)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001
Query PK = READER#r001, begins_with(SK, RECOMMENDS#), limit 6, consistent
1.5 units
{"recommendations":{"connection":{"edges":[{"stars":3,"node":{"title":"One"}}]},
	"edge":null,"node":null,"nodeId":null}}`)
	ids := l.subscribe(t, testservice.Librarian,
		`subscription { recommendations(readerId: "Reader:r001", first: 5) {
			change edge { node { id } } node { id } nodeId } }`)
	ids.wants(t, `
0 units
{"recommendations":{"change":"CURRENT","edge":null,"node":null,"nodeId":null}}`)
	l.Put(t, recommendation(1, 2, 4)...)
	s.wants(t, `
GetItem BOOK#b002 BOOK#b002
0.5 units
{"recommendations":{"connection":null,"edge":{"stars":4,"node":{"id":"Book:b002","title":"Two"}},
	"node":{"title":"Two","genre":"NOVEL"},"nodeId":"Book:b002"}}`)
	ids.wants(t, `
0 units
{"recommendations":{"change":"ADDED","edge":{"node":{"id":"Book:b002"}},
	"node":{"id":"Book:b002"},"nodeId":"Book:b002"}}`)
	l.Delete(t, recommendation(1, 2, 4)...)
	s.wants(t, `
0 units
{"recommendations":{"connection":null,"edge":null,"node":null,"nodeId":"Book:b002"}}`)
}

// TestSubscriptionToTheFirstItem: the field returns the first item of a Query. Only a change of that item, or one that
// comes before it, is an event; if it leaves its place, the next one is read.
func TestSubscriptionToTheFirstItem(t *testing.T) {
	l := startLibrary(t, setup{}, slices.Concat(loan(1, model.LoanStateLent), loan(3, model.LoanStateLent))...)
	s := l.subscribe(t, testservice.Ada, `subscription { latestLoanOf(readerId: "Reader:r001") { id state } }`)
	s.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 1, consistent
1 units
{"latestLoanOf":{"id":"Loan:l003","state":"LENT"}}`)
	l.Put(t, loan(1, model.LoanStateReturned)...)
	l.Put(t, loan(2, model.LoanStateLent)...)
	l.Put(t, loan(3, model.LoanStateOverdue)...)
	s.wants(t, `
0 units
{"latestLoanOf":{"id":"Loan:l003","state":"OVERDUE"}}`)
	l.Put(t, loan(4, model.LoanStateLent)...)
	s.wants(t, `
0 units
{"latestLoanOf":{"id":"Loan:l004","state":"LENT"}}`)
	l.Delete(t, loan(4, model.LoanStateLent)...)
	l.Delete(t, loan(3, model.LoanStateLent)...)
	s.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 1, consistent
1 units
{"latestLoanOf":{"id":"Loan:l002","state":"LENT"}}`)
	l.Delete(t, slices.Concat(loan(2, model.LoanStateLent), loan(1, model.LoanStateLent))...)
	s.wants(t, `
Query PK = READER#r001, begins_with(SK, LOAN#), descending, limit 1, consistent
1 units
{"latestLoanOf":null}`)
	l.Put(t, loan(1, model.LoanStateLent)...)
	s.wants(t, `
0 units
{"latestLoanOf":{"id":"Loan:l001","state":"LENT"}}`)
}

// TestIndexBehind: if the first item of an index has left its place by a change that the index does not have yet, the
// state is read again until it does, and in the end the client has to begin again. It never gets the old state.
func TestIndexBehind(t *testing.T) {
	isbn := func(book int, change ...func(*model.Book)) []item.Item {
		b := &model.Book{ID: testservice.Book(book), Title: "One", Genre: model.GenreNovel, Isbn: new("1")}
		for _, f := range change {
			f(b)
		}
		return testservice.Stored(typed.StoredBook, b)
	}
	was, is := isbn(1), isbn(1, func(b *model.Book) { b.Isbn = nil })
	for _, comes := range []bool{true, false} {
		l := startLibrary(t, setup{}, was...)
		s := l.subscribe(t, testservice.Anonymous, `subscription { bookByIsbn(isbn: "1") { title } }`)
		if body, isEnd := s.Next(); isEnd {
			t.Fatal(body)
		}
		l.Hub.Deliver([]*live.Change{{
			Key: keys.KeyOf(was[0]), Old: was[0], New: is[0], At: time.Now(), Shard: "other", Sequence: "1",
		}})
		if comes {
			l.Load(t, is...)
		}
		l.Proxy.Reset()
		body, isEnd := s.Next()
		reads := l.Proxy.Counts().Total()
		switch {
		case comes && (isEnd || reads != 1 || !strings.Contains(body, `"bookByIsbn":null`)):
			t.Errorf("%d reads: %s", reads, body)
		case !comes && (!isEnd || reads != 8):
			t.Errorf("%d reads: %s", reads, body)
		case !comes:
			const want = "UNAVAILABLE []: An index of the table is behind its changes. Subscribe again in a moment."
			if got := errorsOf(t, body); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}

func borrowedBy(reader int) func(*model.Loan) {
	return func(l *model.Loan) { l.ReaderID = testservice.Reader(reader) }
}

// TestSubscriptionIsResumed: a client that has a position gets what it missed, and no first state.
func TestSubscriptionIsResumed(t *testing.T) {
	const query = `subscription { book(id: "Book:b001") { title } }`
	l := startLibrary(t, setup{}, book(1, "One")...)
	s := l.subscribe(t, testservice.Anonymous, query)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
1 units
{"book":{"title":"One"}}`)
	l.Put(t, book(1, "Two")...)
	l.Put(t, book(1, "Three")...)
	s.wants(t, `
0 units
{"book":{"title":"Two"}}`)
	again := l.resume(t, testservice.Anonymous, query, s.position)
	again.wants(t, `
0 units
{"book":{"title":"Three"}}`)
	for _, position := range []string{"x", ".x", ".", "..", "x.x", "." + s.position} {
		const want = "POSITION_EXPIRED []: This is not a position of this API. " +
			"Pass one exactly as extensions.live.position had it, or none."
		if got := l.refused(t, testservice.Anonymous, query, position); got != want {
			t.Errorf("%q: got %s", position, got)
		}
	}
	l.Hub.Lost(nil)
	s.wants(t, `
0 units
CHANGES_LOST []: Changes may be missing. Subscribe again without a position: the first event is the present state.
end`)
}

// TestSubscriptionIsRefused: what cannot be subscribed to is an error before anything is read.
func TestSubscriptionIsRefused(t *testing.T) {
	l := startLibrary(t, setup{config: func(c *gateway.Config) {
		c.Consumption.Budget = operation.Budget{Maximum: 2, Restore: 1}
	}})
	const forbidden = ": you may not see this, if it is there at all; sign in as someone who may"
	for _, test := range []struct {
		viewer      viewer.Viewer
		query, want string
	}{
		{testservice.Anonymous, `subscription { loans(readerId: "Reader:r001", first: 1) { nodeId } }`,
			"FORBIDDEN []" + forbidden},
		{testservice.Other, `subscription { loans(readerId: "Reader:r001", first: 1) { nodeId } }`,
			"FORBIDDEN []" + forbidden},
		{testservice.Ada, `subscription { loans(readerId: "Reader:r001") { nodeId } }`,
			"BAD_USER_INPUT []: give first or last, from 0 to 100"},
		{testservice.Ada, `subscription { loans(readerId: "Reader:r001", first: 1, after: "x") { nodeId } }`,
			"BAD_USER_INPUT []: after is not a cursor of this connection; pass one that it returned for the same " +
				"arguments, or none"},
		{testservice.Librarian, `subscription { loans(readerId: "Book:b001", first: 1) { nodeId } }`,
			"BAD_USER_INPUT []: readerId is the id of another type; pass an id of type Reader"},
		{testservice.Ada, `subscription { loans(readerId: "Reader:r001", first: 1) { connection { totalCount } } }`,
			"GRAPHQL_VALIDATION_FAILED []: LoanConnection.totalCount cannot be part of a subscription: the object with the " +
				"counter is not read; subscribe to that object, or query it."},
		{testservice.Ada, `subscription { book(id: "Book:b001") { branch { sign } } }`,
			"GRAPHQL_VALIDATION_FAILED []: Branch.sign cannot be part of a subscription: its resolver is written in Go, and " +
				"subscriptions have none; query it when an event arrives."},
		{testservice.Ada, `subscription { book(id: "Book:b001") @skip(if: true) { title } }`,
			"GRAPHQL_VALIDATION_FAILED []: A subscription selects one field. It must not be skipped."},
		{testservice.Ada, `subscription { loans(readerId: "Reader:r001", first: 100) { connection { nodes { state } } } }`,
			"COST_LIMIT []: The operation may take up to 14.03 read units, a write unit counted as 5 and 100 objects in the " +
				"answer as one; 2 is the most that a caller can have. Split it into smaller operations."},
	} {
		if got := l.refused(t, test.viewer, test.query, ""); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.query, got, test.want)
		}
	}
	if n := l.Hub.Feeds(); n != 0 {
		t.Errorf("%d feeds are open", n)
	}
	if log := l.Proxy.Log(); len(log) > 0 {
		t.Errorf("the requests are %v", log)
	}
}

// ranking is a schema with a copy that moves within its collection.
const ranking = `
type Query { ranking(list: String!): PlayerConnection @query(pk: "LIST#{list}", sk: "RANK#") @live }
type Player @item(pk: "PLAYER#{id}", sk: "PLAYER#{id}") @copy(pk: "LIST#{list}", sk: "RANK#{rank:04}#{id}") {
  id: ID! list: String! rank: Int!
}`

// TestSubscriptionToACopyThatMoves: the old entry has the cursor that the first state had, whatever comes first.
func TestSubscriptionToACopyThatMoves(t *testing.T) {
	design, schema := folderOf(t, ranking)
	player := func(rank int64) item.Item {
		items, err := write.Items(design.Type("Player"), item.Item{
			{Name: "id", Value: keys.IDAttribute(keys.NewID("Player", "1"))},
			{Name: "list", Value: item.StringValue("a")}, {Name: "rank", Value: item.IntValue(rank)},
		})
		fatal.If(t, err)
		return items[1]
	}
	l := startLive(t, design, schema, setup{}, player(1))
	s := l.subscribe(t, testservice.Anonymous,
		`subscription { ranking(list: "a", first: 5) { change cursor connection { edges { cursor } } } }`)
	type event struct {
		Change, Cursor string
		Connection     *struct{ Edges []struct{ Cursor string } }
	}
	next := func() event {
		body, _ := s.Next()
		var a struct{ Data struct{ Ranking event } }
		fatal.If(t, json.Unmarshal([]byte(body), &a))
		return a.Data.Ranking
	}
	first := next().Connection.Edges[0].Cursor
	l.Put(t, player(2))
	l.Delete(t, player(1))
	if e := next(); e.Change != "ADDED" || e.Cursor == first {
		t.Errorf("got %+v", e)
	}
	if e := next(); e.Change != "REMOVED" || e.Cursor != first {
		t.Errorf("got %+v, the first state has the cursor %s", e, first)
	}
}
