package loaders_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/viewer"
)

// TestFieldsOfContestedOwner: the key of a reader's item names Ada, and its id another reader. Neither gets the fields
// that are the owner's, on any way to the item. Those whom another part of the rule allows do, and the id is that of
// the key.
func TestFieldsOfContestedOwner(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.BeyondDesign = true
		other := testservice.Reader(2).Value()
		s.Load(t, with(stored("READER#r001", "READER#r001")[0], "id", item.StringValue(other)))
		const fields = ` { id card address { town } latestLoan { id } loans(first: 1) { nodes { id } } }`
		for _, way := range []struct {
			query string
			path  []any
		}{
			{`{ reader(id: "Reader:r001")` + fields + ` }`, []any{"reader"}},
			{`{ node(id: "Reader:r001") { ... on Reader ` + fields + ` } }`, []any{"node"}},
			{`{ nodes(ids: ["Reader:r001"]) { ... on Reader ` + fields + ` } }`, []any{"nodes", 0}},
			{`{ viewer` + fields + ` }`, []any{"viewer"}},
			{
				`{ book(id: "Book:b001") { recommendedBy(first: 1) { nodes ` + fields + ` } } }`,
				[]any{"book", "recommendedBy", "nodes", 0},
			},
			{
				`{ book(id: "Book:b001") { recommendedBy(first: 1) { edges { node ` + fields + ` } } } }`,
				[]any{"book", "recommendedBy", "edges", 0, "node"},
			},
		} {
			for _, v := range []viewer.Viewer{testservice.Ada, {ID: other}, {ID: "another"}} {
				if way.path[0] == "viewer" && v.ID != testservice.Ada.ID {
					continue
				}
				a := s.As(v).Ask(t, way.query, nil)
				reader := gatewaytest.At(t, a.Data, way.path...)
				if got := gatewaytest.At(t, reader, "id"); got != testservice.Reader(1).Encode() {
					t.Errorf("%s: the id is %v", way.query, got)
				}
				for _, field := range []string{"card", "address", "latestLoan", "loans"} {
					if got := gatewaytest.At(t, reader, field); got != nil {
						t.Errorf("%s: %s gets %s %v", way.query, v.ID, field, got)
					}
				}
				codes := map[string]int{}
				for _, err := range a.Errors {
					codes[err.Extensions.Code]++
				}
				if len(a.Errors) != 4 || codes["FORBIDDEN"] != 4 {
					t.Errorf("%s: %s gets %s", way.query, v.ID, a.Body)
				}
			}
		}
		a := s.Ask(t, `{ reader(id: "Reader:r001") { card loans(first: 1) { nodes { id } } } }`, nil)
		if len(a.Errors) > 0 || gatewaytest.At(t, a.Data, "reader", "card") == nil {
			t.Errorf("a librarian gets %s", a.Body)
		}
	})
}

// TestPayloadOfContestedOwner: the payload of a mutation has the same rules.
func TestPayloadOfContestedOwner(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true
	s.Load(t, with(stored("READER#r001", "READER#r001")[0], "id", item.StringValue("r002")))
	a := s.As(testservice.Ada).Ask(t, `mutation {
		recommendBook(input: {bookId: "Book:b049", stars: 3}) { reader { id card } userErrors { code } }
	}`, nil)
	if strings.Contains(a.Body, `"card":"`) {
		t.Errorf("Ada gets %s", a.Body)
	}
}

// TestMutationOfContestedOwner: an edge under the key of one reader that names another cannot be deleted by either.
func TestMutationOfContestedOwner(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.BeyondDesign = true
		club := keys.NewID("Club", "contested")
		s.Load(t, testservice.Stored(typed.StoredClub, &model.Club{
			ID: club, Name: "Contested", FounderID: keys.NewID("", "r003"), FoundedAt: testservice.Now,
			ChangedAt: testservice.Now, MemberCount: 1, Version: 1,
		})...)
		items := testservice.Stored(typed.StoredMembership, &model.Membership{
			ReaderID: keys.NewID("", "r001"), ClubID: club, Since: testservice.Now,
		})
		for _, it := range items {
			s.Load(t, with(it, "readerId", item.StringValue("r002")))
		}
		for _, v := range []viewer.Viewer{testservice.Ada, {ID: "r002"}} {
			a := s.As(v).Ask(t, `mutation {
				leaveClub(input: {clubId: "Club:contested"}) { deletedMembershipId userErrors { code } }
			}`, nil)
			if strings.Contains(a.Body, `"deletedMembershipId":"`) {
				t.Errorf("%s gets %s", v.ID, a.Body)
			}
		}
		for _, it := range items {
			res, err := s.Engine.Table.GetItem(t.Context(), request.GetItem{Key: keys.KeyOf(it), Consistent: true})
			if err != nil || len(res.Items) != 1 {
				t.Errorf("%v is gone: %v", keys.KeyOf(it), err)
			}
		}
	})
}
