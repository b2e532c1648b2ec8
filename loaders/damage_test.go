package loaders_test

import (
	"fmt"
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
			if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeDamaged {
				t.Errorf("%s: got %v, errors %+v", query, a.Data, a.Errors)
			}
			if log := s.Log.Take(); !strings.Contains(log, "pk=READER#impostor sk=READER#impostor") ||
				!strings.Contains(log, "has read an item with entityType") {
				t.Errorf("%s: the log is %q", query, log)
			}
		}
	})
}

// TestUnreadableFieldInList: an attribute that is missing is an error where its field is selected, and nowhere else. A
// list of objects that are never null lacks the object there. The log has the item's key once.
func TestUnreadableFieldInList(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.Load(t, with(stored("BOOK#b001", "AWARD#2001")[0], "prize", item.Value{}))
		a := s.Ask(t, `{
			book(id: "Book:b001") { title awards { prize } again: awards { prize } without: awards { year } }
			node(id: "Award:b001/2004") { id }
		}`, nil)
		var places []string
		for _, err := range a.Errors {
			places = append(places, fmt.Sprintf("%v %s", err.Path, err.Extensions.Code))
		}
		if want := []string{
			"[book again] UNREADABLE_FIELD", "[book awards] UNREADABLE_FIELD",
		}; !slices.Equal(places, want) {
			t.Errorf("the errors are %v, want %v", places, want)
		}
		for list, want := range map[string]int{"awards": 4, "again": 4, "without": 5} {
			if got, _ := gatewaytest.At(t, a.Data, "book", list).([]any); len(got) != want {
				t.Errorf("%s are %v", list, got)
			}
		}
		if a.Data["node"] == nil {
			t.Errorf("data %v", a.Data)
		}
		log := s.Log.Take()
		if strings.Count(log, "pk=BOOK#b001 sk=AWARD#2001 field=Award.prize error=\"the attribute is missing\"") != 1 ||
			strings.Count(log, "an attribute cannot be read") != 1 || strings.Contains(log, "a field failed") {
			t.Errorf("the log is %q", log)
		}
	})
}

// TestNewerItems: what a newer release writes during an upgrade is not an error of what this release can read. An
// unknown attribute is ignored, and an item with an unknown value or of an unknown type is missing.
func TestNewerItems(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		const query = `{ loan(id: "Loan:l004") { state reminders(first: 3) { nodes { number } } } }`
		whole := s.Must(t, query, nil)
		reminder := stored("LOAN#l004", "REMINDER#002")[0]
		loan := stored("LOAN#l004", "LOAN#l004")[0]
		s.Load(t, with(reminder, "newer", item.BoolValue(true)), with(loan, "newer", item.StringValue("x")))
		if a := s.Must(t, query, nil); !reflect.DeepEqual(a.Data, whole.Data) {
			t.Errorf("with unknown attributes: %v", a.Data)
		}
		s.Load(t, with(reminder, item.EntityType, item.StringValue("Newer")))
		a := s.Ask(t, query, nil)
		nodes, _ := gatewaytest.At(t, a.Data, "loan", "reminders", "nodes").([]any)
		if len(nodes) != 2 || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeDamaged {
			t.Errorf("with an unknown type: %s", a.Body)
		}
		s.Load(t, reminder, with(loan, "state", item.StringValue("NEWER")))
		if a = s.Ask(t, query, nil); a.Data["loan"] != nil || len(a.Errors) != 1 {
			t.Errorf("with an unknown value: %s", a.Body)
		}
		s.Load(t, loan)
	})
}

// TestLogOfDamage: the log of an operation has at most 25 damaged items, and nothing of them but their keys.
func TestLogOfDamage(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true
	for _, it := range stored("BOOK#b001", "RECOMMENDED_BY#") {
		s.Load(t, with(it, item.EntityType, item.StringValue(strings.Repeat("secret", 500))))
	}
	a := s.AskBoth(t, `{ book(id: "Book:b001") { recommendedBy(first: 100) { nodes { id } } } }`, nil)
	if len(a.Errors) != 26 { // with the number of the others
		t.Errorf("%d errors", len(a.Errors))
	}
	s.Log.Take()
	s.Ask(t, `{ book(id: "Book:b001") { recommendedBy(first: 100) { nodes { id } } } }`, nil)
	log := s.Log.Take()
	if strings.Count(log, "an item is damaged") != 25 || strings.Contains(log, strings.Repeat("secret", 20)) {
		t.Errorf("the log has %d bytes: %.4000s", len(log), log)
	}
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
					if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeDamaged {
						t.Errorf("%+v: %s of type %q: %+v", v, query, typ, a)
					}
				}
			}
		}
	})
}
