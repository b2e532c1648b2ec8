package loaders_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// TestItemOfAnotherType: an item with a reader's key and another type is an error, whichever field reads it.
func TestItemOfAnotherType(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		id := keys.NewID("Reader", "impostor")
		s.Load(t, item.Item{
			{Name: keys.AttributePK, Value: item.StringValue("READER#impostor")},
			{Name: keys.AttributeSK, Value: item.StringValue("READER#impostor")},
			{Name: item.EntityType, Value: item.StringValue("Recommendation")},
			{Name: "readerId", Value: item.StringValue("a")},
			{Name: "bookId", Value: item.StringValue("b")},
			{Name: "madeAt", Value: item.StringValue("2026-01-31T09:30:00.000Z")},
		})
		for _, query := range []string{
			`query($id: ID!) { node(id: $id) { id } }`,
			`query($id: ID!) { nodes(ids: [$id]) { id } }`,
			`query($id: ID!) { reader(id: $id) { name } }`,
		} {
			a := s.Ask(t, query, map[string]any{"id": id.Encode()})
			if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeInternal {
				t.Errorf("%s: got %v, errors %+v", query, a.Data, a.Errors)
			}
			if log := s.Log.Take(); !strings.Contains(log, "has read an item with entityType") {
				t.Errorf("%s: the log is %q", query, log)
			}
		}
	})
}

// TestCountOfUnreadObject: an object that is otherwise key-only is read for its counters.
func TestCountOfUnreadObject(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		a := s.Must(t, `{ reader(id: "Reader:r001") { loanCount } }`, nil)
		want := gatewaytest.At(t, a.Data, "reader", "loanCount")
		a = s.Must(t, `{ reader(id: "Reader:r001") {
			loans(first: 1) { nodes { reader { loans { totalCount } } } }
		} }`, nil)
		if got := gatewaytest.At(t, a.Data, "reader", "loans", "nodes", 0, "reader", "loans", "totalCount"); got != want {
			t.Errorf("totalCount %v, want %v", got, want)
		}
	})
}

// TestAccessOfDamage: only those who may read an object learn that its item is damaged.
func TestAccessOfDamage(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.BeyondDesign = true
		id := keys.NewID("Loan", "damaged")
		items := testservice.Stored(typed.StoredLoan, &model.Loan{
			ID: id, ReaderID: testservice.Reader(1), BookID: testservice.Book(1), State: model.LoanStateLent,
		})
		missing := keys.NewID("Loan", "missing").Encode()
		for _, typ := range []string{"Reminder", "Reader", "Payment"} {
			damaged := slices.Clone(items[0])
			for i := range damaged {
				if damaged[i].Name == item.EntityType {
					damaged[i].Value = item.StringValue(typ)
				}
			}
			s.Load(t, damaged)
			for _, query := range []string{
				`query($id: ID!) { loan(id: $id) { state } }`,
				`query($id: ID!) { nodes(ids: [$id]) { id } }`,
			} {
				other := s.As(testservice.Other)
				there := other.Ask(t, query, map[string]any{"id": id.Encode()})
				none := other.Ask(t, query, map[string]any{"id": missing})
				if !reflect.DeepEqual(there, none) {
					t.Errorf("%s: the answer shows an item of type %q:\n%+v\n%+v", query, typ, there, none)
				}
				for _, v := range []viewer.Viewer{testservice.Librarian, testservice.Ada} {
					a := s.As(v).Ask(t, query, map[string]any{"id": id.Encode()})
					if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeInternal {
						t.Errorf("%+v: %s of type %q: %+v", v, query, typ, a)
					}
				}
			}
		}
	})
}
