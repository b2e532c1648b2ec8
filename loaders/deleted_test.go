package loaders_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// deleted are the items with a tombstone.
func deleted(items ...item.Item) []item.Item {
	var all []item.Item
	for _, it := range items {
		all = append(all, append(slices.Clone(it), item.Attribute{Name: keys.AttributeDeletedAt, Value: item.StringValue("2026-05-01T00:00:00.000Z")}))
	}
	return all
}

// stored are the items of the test service whose partition and sort keys begin with these texts.
func stored(pk, sk string) []item.Item {
	return slices.DeleteFunc(testservice.Items(), func(it item.Item) bool {
		return !strings.HasPrefix(it.Text(keys.AttributePK), pk) || !strings.HasPrefix(it.Text(keys.AttributeSK), sk)
	})
}

// TestDeletedObjectReadsAsNull: a soft-deleted object reads as if it did not exist, whichever field leads to it and whichever
// request has brought its item. What refers to it is still read.
func TestDeletedObjectReadsAsNull(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true // the estimate counts no deleted items
	s.Load(t, deleted(stored("READER#r001", "READER#")...)...)
	for _, query := range []string{
		`{ x: reader(id: "Reader:r001") { name } }`,
		`{ x: reader(id: "Reader:r001") { id } }`,
		`{ x: reader(id: "Reader:r001") { name loans(first: 3) { nodes { id } } } }`,
		`{ x: reader(id: "Reader:r001") { recommendations(first: 3) { totalCount nodes { title } } } }`,
		`{ x: reader(id: "Reader:r001") { recommendations(last: 3) { nodes { id } } } }`,
		`{ x: node(id: "Reader:r001") { id } }`,
		`{ x: readerByCard(card: "C-0001") { name } }`,
	} {
		if a := s.Must(t, testservice.Encoded(query), nil); a.Data["x"] != nil {
			t.Errorf("%s: %v", query, a.Data)
		}
	}
	for query, want := range map[string]string{
		`{ x: nodes(ids: ["Reader:r001", "Reader:r002"]) { ... on Reader { name } } }`: `[<nil> map[name:Reader 2]]`,
		`{ x: loan(id: "Loan:l004") { state reader { name } } }`:                       `map[reader:<nil> state:OVERDUE]`,
		// The id is in the loan, so it is not read.
		`{ x: node(id: "Recommendation:r001/b001") { ... on Recommendation { stars reader { name } } } }`:    `map[reader:<nil> stars:3]`,
		`{ x: book(id: "Book:b001") { recommendedBy(first: 2) { edges { stars node { name } } } } }`:         `map[recommendedBy:map[edges:[map[node:<nil> stars:3] map[node:map[name:Reader 2] stars:4]]]]`,
		`{ x: book(id: "Book:b001") { recommendedBy(first: 2) { totalCount nodes { name } } } }`:             `map[recommendedBy:map[nodes:[<nil> map[name:Reader 2]] totalCount:30]]`,
		`{ x: latestLoanOf(readerId: "Reader:r001") { id reader { name loans(first: 1) { totalCount } } } }`: `map[id:` + testservice.Loan(148).Encode() + ` reader:<nil>]`,
	} {
		if a := s.Must(t, testservice.Encoded(query), nil); fmt.Sprint(a.Data["x"]) != want {
			t.Errorf("%s:\n%v, want\n%v", query, a.Data["x"], want)
		}
	}
	ada := s.As(testservice.Ada)
	if a := ada.Must(t, `{ viewer { name } }`, nil); a.Data["viewer"] != nil {
		t.Errorf("the viewer is %v", a.Data["viewer"])
	}
}

// TestDeletedObjectsAreNotInPages: a page, a list and a single object skip what is soft-deleted, and pages are filled up.
func TestDeletedObjectsAreNotInPages(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true // the estimate counts no deleted items
	s.Load(t, deleted(stored("READER#r001", "LOAN#")[30:]...)...)
	s.Load(t, deleted(stored("LOAN#l00", "LOAN#")...)...)
	s.Load(t, deleted(stored("BOOK#b001", "AWARD#2004")...)...)
	for query, want := range map[string]string{
		`{ x: reader(id: "Reader:r001") { latestLoan { id } } }`:                                                                   "map[latestLoan:map[id:" + testservice.Loan(120).Encode() + "]]",
		`{ x: reader(id: "Reader:r001") { loans(first: 2) { nodes { id } pageInfo { hasNextPage } } } }`:                           "map[loans:map[nodes:[map[id:" + testservice.Loan(120).Encode() + "] map[id:" + testservice.Loan(116).Encode() + "]] pageInfo:map[hasNextPage:true]]]",
		`{ x: reader(id: "Reader:r001") { name loans(first: 1) { nodes { id } } } }`:                                               "map[loans:map[nodes:[map[id:" + testservice.Loan(120).Encode() + "]]] name:Ada]",
		`{ x: book(id: "Book:b001") { title awards { year } } }`:                                                                   "map[awards:[map[year:2001] map[year:2007] map[year:2010] map[year:2013]] title:Title 1]",
		`{ x: loansByState(state: LENT, first: 1) { nodes { id } } }`:                                                              "map[nodes:[map[id:" + testservice.Loan(12).Encode() + "]]]",
		`{ x: loansByState(state: LENT, lentAt: {to: "2026-01-05T00:00:00Z"}, first: 3) { nodes { id } pageInfo { endCursor } } }`: "map[nodes:[] pageInfo:map[endCursor:<nil>]]",
	} {
		if a := s.Must(t, testservice.Encoded(query), nil); fmt.Sprint(a.Data["x"]) != want {
			t.Errorf("%s:\n%v, want\n%v", query, a.Data["x"], want)
		}
	}
}

// TestMutationOfDeletedObject: a mutation finds that a soft-deleted object does not exist, and cannot create it again either.
func TestMutationOfDeletedObject(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.Load(t, deleted(stored("BOOK#b040", "BOOK#")...)...)
	s.Load(t, deleted(testservice.Stored(typed.StoredNotice, &model.Notice{BranchID: testservice.Branch(1), Number: 9, Title: "Gone"})...)...)
	a := s.As(testservice.Ada).Must(t, testservice.Encoded(`mutation { x: recommendBook(input: {bookId: "Book:b040", stars: 5}) { userErrors { code } } }`), nil)
	if got := fmt.Sprint(a.Data["x"]); got != "map[userErrors:[map[code:NOT_FOUND]]]" {
		t.Errorf("recommendBook: %s", got)
	}
	// The mutation reads the notice first, as missing; then its Put finds the tombstone.
	s.Proxy.Reset()
	a = s.Must(t, testservice.Encoded(`mutation { x: postNotice(input: {branchId: "Branch:c1", number: 9, title: "New"}) { notice { id } userErrors { code } } }`), nil)
	if got := fmt.Sprint(a.Data["x"]); got != "map[notice:<nil> userErrors:[map[code:ALREADY]]]" {
		t.Errorf("postNotice: %s", got)
	}
	if got := fmt.Sprint(s.Proxy.Counts().Requests); got != "map[GetItem:1 TransactWriteItems:1]" {
		t.Errorf("requests %s", got)
	}
}
