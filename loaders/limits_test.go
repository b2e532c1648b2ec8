package loaders_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// TestNodesKeepTheirOrder reads 100 nodes of mixed types in one request: repeated ids once, null where there is none.
func TestNodesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		want := testservice.MixedIDs()
		s.Proxy.Reset()
		a := s.Must(t, `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": want})
		if got := s.Proxy.Counts(); got.ReadUnits != 45 || !maps.Equal(got.Requests, map[string]int{"BatchGetItem": 1}) {
			t.Errorf("%v, %v read units", got.Requests, got.ReadUnits)
		}
		for i, id := range want {
			node := gatewaytest.At(t, a.Data, "nodes", i)
			if i >= 95 {
				if node != nil {
					t.Errorf("node %d: %v, want null", i, node)
				}
				continue
			}
			if got := gatewaytest.At(t, node, "id"); got != id {
				t.Errorf("node %d: %v, want %v", i, got, id)
			}
		}
	})
}

// TestMaxObjects: fields are errors when the operation has read too many objects, and when its answer has too many,
// even if they were read only once.
func TestMaxObjects(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxObjects = 100 })
	s.EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		count := func(query string) (objects int, a testservice.Answer) {
			a = s.Ask(t, query, nil)
			var walk func(v any)
			walk = func(v any) {
				switch v := v.(type) {
				case map[string]any:
					if v["id"] != nil {
						objects++
					}
					for _, field := range v {
						walk(field)
					}
				case []any:
					for _, element := range v {
						walk(element)
					}
				}
			}
			walk(a.Data)
			return objects, a
		}
		isTooLarge := func(e testservice.Error) bool { return e.Extensions.Code == loaders.CodeTooLarge }

		// The reader is read once and is in the answer under each alias.
		aliases := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ` a%d: reader(id: "Reader:r001") { id name }`, i)
			}
			return "{" + b.String() + " }"
		}
		if n, a := count(aliases(100)); n != 100 || len(a.Errors) > 0 {
			t.Errorf("100 objects: %d are answered, errors %+v", n, a.Errors)
		}
		if n, a := count(aliases(101)); n != 100 || !slices.ContainsFunc(a.Errors, isTooLarge) {
			t.Errorf("101 objects: %d are answered, errors %+v", n, a.Errors)
		}

		// The first wave reads more than 100 items, so nothing is sent for the next.
		s.Proxy.Reset()
		_, a := count(`{
			reader(id: "Reader:r001") { name }
			a: loansByState(state: LENT, first: 50) { ...L }
			b: loansByState(state: RETURNED, first: 50) { ...L }
			c: loansByState(state: OVERDUE, first: 50) { ...L }
		}
		fragment L on LoansByStateConnection { nodes { id reader { name } } }`)
		if !slices.ContainsFunc(a.Errors, isTooLarge) {
			t.Errorf("errors %+v", a.Errors)
		}
		if got := s.Proxy.Counts().Requests; !maps.Equal(got, map[string]int{"GetItem": 1, "Query": 9}) {
			t.Errorf("requests %v", got)
		}
	})
}

// TestMaxReads: if an operation has too many Reads, the fields of the others are errors, and no request is sent for
// them.
func TestMaxReads(t *testing.T) {
	t.Parallel()
	startPatiently(t, func(o *loaders.Options) { o.MaxReads = 12 }).Run(t, "testdata/maxreads")
}

// TestLimitsOfMutations: the fields of a mutation share the limits of Reads and of objects, although each write
// discards what was read before it.
func TestLimitsOfMutations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		readers int
		limit   func(*loaders.Options)
	}{
		"MaxObjects": {20, func(o *loaders.Options) { o.MaxObjects = 90 }},
		// What several readers share depends on which of their resolvers are in one batch.
		"MaxReads": {1, func(o *loaders.Options) { o.MaxReads = 3 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) {
				o.BatchWait = time.Nanosecond // as on a machine that is too busy
				c.limit(o)
			}).As(testservice.Ada)
			s.BeyondDesign = true // What is in two batches is read twice.
			var readers strings.Builder
			for i := range c.readers {
				fmt.Fprintf(&readers, " r%d: reader { name recommendations(first: 0) { totalCount } }", i)
			}
			ask := func(books ...string) testservice.Answer {
				var fields strings.Builder
				for _, book := range books {
					const field = ` %s: recommendBook(input: {bookId: "Book:%s", stars: 5}) {%s }`
					fmt.Fprintf(&fields, field, book, book, readers.String())
				}
				return s.Ask(t, "mutation {"+fields.String()+" }", nil)
			}
			if a := ask("b040"); len(a.Errors) > 0 {
				t.Fatalf("one field: errors %+v", a.Errors)
			}
			a := ask("b039", "b038", "b037", "b036")
			if len(a.Errors) == 0 || a.Errors[0].Extensions.Code != loaders.CodeTooLarge {
				t.Errorf("four fields: errors %+v, want the code %s", a.Errors, loaders.CodeTooLarge)
			}
		})
	}
}

// TestMoreThanAtMost: a loan with more reminders than their atMost is still found, with one more request. A list is an
// error if the collection has more items than its atMost.
func TestMoreThanAtMost(t *testing.T) {
	t.Parallel()
	s := startPatiently(t)
	s.BeyondDesign = true
	loan := keys.NewID("Loan", "large")
	s.Load(t, testservice.Stored(typed.StoredLoan, &model.Loan{
		ID: loan, ReaderID: testservice.Reader(1), BookID: testservice.Book(1), State: model.LoanStateLent,
		DueOn: "2026-05-01",
	})...)
	for number := range 120 {
		s.Load(t, testservice.Stored(typed.StoredReminder, &model.Reminder{
			LoanID: loan, ReaderID: testservice.Reader(1), Number: number + 1, Batch: "B", Text: "?",
		})...)
	}
	for year := range 9 {
		award := &model.Award{BookID: testservice.Book(2), Year: 2000 + year, Prize: "?"}
		s.Load(t, testservice.Stored(typed.StoredAward, award)...)
	}
	s.Run(t, "testdata/atmost")
}

// TestFullListWithForeignItems: a list of exactly atMost items beside others that the design does not have is answered
// without these, wherever they sort.
func TestFullListWithForeignItems(t *testing.T) {
	t.Parallel()
	number := 1
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		number++ // both executors share the table
		s.BeyondDesign = true
		book, query := testservice.Book(number), fmt.Sprintf(`{ book(id: "Book:b%03d") { title awards { year } } }`, number)
		for year := range 8 {
			award := &model.Award{BookID: book, Year: 2000 + year, Prize: "?"}
			s.Load(t, testservice.Stored(typed.StoredAward, award)...)
		}
		foreign := 0
		for _, suffix := range []string{"~", "!", "!!", "2004a", "\x01", "~~"} {
			s.Load(t, item.Item{
				{Name: keys.AttributePK, Value: item.StringValue("BOOK#" + book.Value())},
				{Name: keys.AttributeSK, Value: item.StringValue("AWARD#" + suffix)},
			})
			foreign++
			a := s.Ask(t, query, nil)
			awards, _ := gatewaytest.At(t, a.Data, "book", "awards").([]any)
			if len(awards) != 8 || len(a.Errors) != foreign || a.Errors[0].Extensions.Code != loaders.CodeDamaged {
				t.Errorf("%d foreign items: %d awards, errors %+v", foreign, len(awards), a.Errors)
			}
		}
		award := &model.Award{BookID: book, Year: 2010, Prize: "?"}
		s.Load(t, testservice.Stored(typed.StoredAward, award)...)
		a := s.Ask(t, query, nil)
		if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeInternal {
			t.Errorf("one more: %+v", a)
		}
	})
}

// TestItemsOutsideOfTheDesign: other items of the table, between a reader and the loans, cost requests and change no
// answer.
func TestItemsOutsideOfTheDesign(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.BeyondDesign = true
		const query = `{ reader(id: "Reader:r001") { name loans(%s: 3) { nodes { id } pageInfo { hasNextPage } } } }`
		requests := map[string]map[string]int{
			fmt.Sprintf(query, "first"): {"Query": 2, "GetItem": 1},
			fmt.Sprintf(query, "last"):  {"Query": 1, "GetItem": 1},
		}
		want := map[string]any{}
		for query := range requests {
			want[query] = s.Must(t, query, nil).Data
		}
		for i := range 20 {
			s.Load(t, item.Item{
				{Name: keys.AttributePK, Value: item.StringValue("READER#" + testservice.Reader(1).Value())},
				{Name: keys.AttributeSK, Value: item.StringValue(fmt.Sprintf("PAYMENT#%02d", i))},
			})
		}
		for query, requests := range requests {
			s.Proxy.Reset()
			if got := s.Must(t, query, nil).Data; !reflect.DeepEqual(got, want[query]) {
				t.Errorf("%s\n got %v\nwant %v", query, got, want[query])
			}
			if got := s.Proxy.Counts().Requests; !maps.Equal(got, requests) {
				t.Errorf("%s: requests %v, want %v", query, got, requests)
			}
		}
	})
}
