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

// deleted returns the items as tombstones.
func deleted(items ...item.Item) []item.Item {
	deletedAt := item.Attribute{Name: keys.AttributeDeletedAt, Value: item.StringValue("2026-05-01T00:00:00.000Z")}
	var all []item.Item
	for _, it := range items {
		all = append(all, append(slices.Clone(it), deletedAt))
	}
	return all
}

// stored returns the items of the test service whose partition and sort keys have these prefixes.
func stored(pk, sk string) []item.Item {
	return slices.DeleteFunc(testservice.Items(), func(it item.Item) bool {
		return !strings.HasPrefix(it.Text(keys.AttributePK), pk) || !strings.HasPrefix(it.Text(keys.AttributeSK), sk)
	})
}

// TestDeletedObjectReadsAsNull: a soft-deleted object reads as if it did not exist, whichever field and whichever
// request reads it. Objects that refer to it are still read.
func TestDeletedObjectReadsAsNull(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true // the estimate counts no deleted items
	s.Load(t, deleted(stored("READER#r001", "READER#")...)...)
	s.Run(t, "testdata/deleted/object")
}

// TestDeletedObjectsAreNotInPages: a page, a list and a single object skip what is soft-deleted, and pages are filled
// up.
func TestDeletedObjectsAreNotInPages(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true // the estimate counts no deleted items
	s.Load(t, deleted(stored("READER#r001", "LOAN#")[30:]...)...)
	s.Load(t, deleted(stored("LOAN#l00", "LOAN#")...)...)
	s.Load(t, deleted(stored("BOOK#b001", "AWARD#2004")...)...)
	s.Run(t, "testdata/deleted/pages")
}

// TestMutationOfDeletedObject: a mutation finds that a soft-deleted object does not exist, and cannot create it
// again either.
func TestMutationOfDeletedObject(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.Load(t, deleted(stored("BOOK#b040", "BOOK#")...)...)
	notice := &model.Notice{BranchID: testservice.Branch(1), Number: 9, Title: "Gone"}
	s.Load(t, deleted(testservice.Stored(typed.StoredNotice, notice)...)...)
	const recommend = `mutation { x: recommendBook(input: {bookId: "Book:b040", stars: 5}) { userErrors { code } } }`
	a := s.As(testservice.Ada).Must(t, recommend, nil)
	if got := fmt.Sprint(a.Data["x"]); got != "map[userErrors:[map[code:NOT_FOUND]]]" {
		t.Errorf("recommendBook: %s", got)
	}
	// The mutation reads the notice first, as missing; then its Put finds the tombstone.
	s.Proxy.Reset()
	a = s.Must(t, `mutation {
		x: postNotice(input: {branchId: "Branch:c1", number: 9, title: "New"}) { notice { id } userErrors { code } }
	}`, nil)
	if got := fmt.Sprint(a.Data["x"]); got != "map[notice:<nil> userErrors:[map[code:ALREADY]]]" {
		t.Errorf("postNotice: %s", got)
	}
	if got := fmt.Sprint(s.Proxy.Counts().Requests); got != "map[GetItem:1 PutItem:1]" {
		t.Errorf("requests %s", got)
	}
}
