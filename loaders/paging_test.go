package loaders_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/keys"
)

// connection is a connection of the test service.
type connection struct {
	name string
	// query has %s where the paging arguments go.
	query string
	// path of the connection in an answer.
	path []any
}

func connections() []connection {
	const (
		span = `{from: "2026-01-20T00:00:00Z", to: "2026-03-10T00:00:00Z"}`
		page = ` { edges { cursor node { ... on Node { id } } }
			pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
	)
	// below is a connection of the object that a root field returns.
	below := func(root, id, connection string) string {
		return fmt.Sprintf(`{ %s(id: %q) { %s } }`, root, id, connection+page)
	}
	return []connection{
		{"loans", below("reader", "Reader:r001", `loans(%s)`), []any{"reader", "loans"}},
		{"loans in a span", below("reader", "Reader:r001", `loans(lentAt: `+span+` %s)`), []any{"reader", "loans"}},
		{"edges", below("reader", "Reader:r001", `recommendations(%s)`), []any{"reader", "recommendations"}},
		{"inverted edges", below("book", "Book:b001", `recommendedBy(%s)`), []any{"book", "recommendedBy"}},
		{"with atMost", below("loan", "Loan:l004", `reminders(%s)`), []any{"loan", "reminders"}},
		{"shards", `{ loansByState(state: OVERDUE, lentAt: ` + span + ` %s)` + page + ` }`, []any{"loansByState"}},
		{"equal sort keys", `{ remindersByBatch(batch: "ROUND-1" %s)` + page + ` }`, []any{"remindersByBatch"}},
		{"time buckets", below("branch", "Branch:c1", `visits(at: `+span+` %s)`), []any{"branch", "visits"}},
		{
			"time buckets until now", below("branch", "Branch:c1", `visits(at: {from: "2026-01-20T00:00:00Z"} %s)`),
			[]any{"branch", "visits"},
		},
		{"hierarchy", below("branch", "Branch:c1", `books(floor: 2 %s)`), []any{"branch", "books"}},
		{"union", below("branch", "Branch:c1", `contents(%s)`), []any{"branch", "contents"}},
		{"interface", below("branch", "Branch:c1", `postings(%s)`), []any{"branch", "postings"}},
	}
}

// pages walks through a connection and returns its sequence. between is called after each page.
func pages(t *testing.T, s *testservice.Service, c connection, size int, backward bool, between func()) []string {
	t.Helper()
	count, cursor, more, end := "first", "after", "hasNextPage", "endCursor"
	if backward {
		count, cursor, more, end = "last", "before", "hasPreviousPage", "startCursor"
	}
	var sequence []string
	args := fmt.Sprintf("%s: %d", count, size)
	for {
		a := s.Must(t, fmt.Sprintf(c.query, args), nil)
		page := gatewaytest.At(t, a.Data, c.path...)
		edges, ok := gatewaytest.At(t, page, "edges").([]any)
		if !ok {
			t.Fatalf("%s: no edges in %v", c.name, page)
		}
		var part []string
		for _, e := range edges {
			part = append(part, fmt.Sprint(gatewaytest.At(t, e, "node", "id")))
		}
		if backward {
			sequence = append(part, sequence...)
		} else {
			sequence = append(sequence, part...)
		}
		info := gatewaytest.At(t, page, "pageInfo")
		if gatewaytest.At(t, info, more) != true {
			return sequence
		}
		if len(edges) != size {
			t.Fatalf("%s: a page of %d items that is not the last, want %d", c.name, len(edges), size)
		}
		between()
		args = fmt.Sprintf("%s: %d, %s: %q", count, size, cursor, gatewaytest.At(t, info, end))
	}
}

func TestPagesGiveTheWholeSequence(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	for _, c := range connections() {
		t.Run(c.name, func(t *testing.T) {
			want := pages(t, s, c, 100, false, func() {})
			if len(want) < 2 {
				t.Fatalf("%d items are too few to page through", len(want))
			}
			unique := slices.Clone(want)
			slices.Sort(unique)
			if len(slices.Compact(unique)) != len(want) {
				t.Fatalf("repeats in %v", want)
			}
			for size := 1; size <= 7; size++ {
				for _, backward := range []bool{false, true} {
					if got := pages(t, s, c, size, backward, func() {}); !slices.Equal(got, want) {
						t.Errorf("size %d, backward %t:\ngot  %v\nwant %v", size, backward, got, want)
					}
				}
			}
		})
	}
}

// TestPagesWhileItemsAreAdded: the items that existed before the first page are returned exactly once and in order,
// whatever is added before, between and after them.
func TestPagesWhileItemsAreAdded(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	added := 0
	add := func() {
		added++
		at := testservice.Opened.AddDate(0, 0, added*7%60).Add(time.Duration(added%60) * time.Minute)
		s.Load(t, testservice.Stored(typed.StoredLoan, &model.Loan{
			ID:       keys.NewID("Loan", fmt.Sprintf("added-%04d", added)),
			ReaderID: testservice.Reader(1), BookID: testservice.Book(1), State: model.LoanStateOverdue,
			LentAt: at, DueOn: keys.DateOf(at),
		})...)
	}
	for _, c := range connections() {
		if c.name != "loans" && c.name != "shards" {
			continue
		}
		for size := 1; size <= 7; size++ {
			for _, backward := range []bool{false, true} {
				want := pages(t, s, c, 100, false, func() {})
				// The number is limited: otherwise pages of one would never end.
				left := 8
				got := pages(t, s, c, size, backward, func() {
					if left--; left >= 0 {
						add()
					}
				})
				old := slices.DeleteFunc(slices.Clone(got), func(id string) bool { return !slices.Contains(want, id) })
				if !slices.Equal(old, want) {
					t.Errorf("%s, size %d, backward %t:\ngot  %v\nwant %v", c.name, size, backward, old, want)
				}
				slices.Sort(got)
				if len(slices.Compact(got)) != len(got) {
					t.Errorf("%s, size %d, backward %t: repeats", c.name, size, backward)
				}
			}
		}
	}
	if added == 0 {
		t.Fatal("nothing was added")
	}
}

func TestPagingArguments(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	loans := func(reader int, args string) string {
		const query = `{ reader(id: "Reader:r%03d") { name loans(%s) { nodes { id } pageInfo { endCursor } } } }`
		return fmt.Sprintf(query, reader, args)
	}
	cursorOf := func(query string, path ...any) string {
		return fmt.Sprint(gatewaytest.At(t, s.Must(t, query, nil).Data, append(path, "pageInfo", "endCursor")...))
	}
	own := cursorOf(loans(1, "first: 3"), "reader", "loans")
	foreign := cursorOf(loans(2, "first: 2"), "reader", "loans")
	state := cursorOf(`{ loansByState(state: LENT, first: 2) { pageInfo { endCursor } } }`, "loansByState")

	for _, tt := range []struct {
		args, message string
	}{
		{`first: -1`, "first must be from 0 to 100"},
		{`first: 101`, "first must be from 0 to 100"},
		{`last: -1`, "last must be from 0 to 100"},
		{`last: 101`, "last must be from 0 to 100"},
		{`first: 1, last: 1`, "not both"},
		{`first: 1, before: "x"`, "not both"},
		{`last: 1, after: "x"`, "not both"},
		{``, "give first or last"},
		{`first: 1, after: ""`, "after is not a cursor of this connection"},
		{`first: 1, after: "x"`, "after is not a cursor of this connection"},
		{`last: 1, before: "####"`, "before is not a cursor of this connection"},
		{`first: 1, after: "` + own[:len(own)-2] + `"`, "after is not a cursor"},
		{`first: 1, after: "` + own + `A"`, "after is not a cursor"},
		{`first: 1, after: "` + foreign + `"`, "after is not a cursor"},
		{`first: 1, after: "` + state + `"`, "after is not a cursor"},
		{`first: 1, after: "` + strings.Repeat("A", 100_000) + `"`, "after is not a cursor"},
		{
			`first: 1, lentAt: {from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z"}`,
			"lentAt.from must not be after lentAt.to",
		},
	} {
		query := loans(1, tt.args)
		if tt.args == "" {
			query = strings.Replace(query, "loans()", "loans", 1)
		}
		a := s.Ask(t, query, nil)
		if len(a.Errors) != 1 || !strings.Contains(a.Errors[0].Message, tt.message) ||
			a.Errors[0].Extensions.Code != "BAD_USER_INPUT" {
			t.Errorf("%.60s: errors %+v, want one with %q", tt.args, a.Errors, tt.message)
			continue
		}
		if path := fmt.Sprint(a.Errors[0].Path); path != "[reader loans]" {
			t.Errorf("%.60s: the error is on %s", tt.args, path)
		}
		if gatewaytest.At(t, a.Data, "reader", "name") == nil {
			t.Errorf("%.60s: the other fields have no answer: %v", tt.args, a.Data)
		}
	}

	all := len(pages(t, s, connections()[0], 100, false, func() {}))
	for args, want := range map[string]int{
		"first: 0": 0, "last: 0": 0, `after: "` + own + `"`: 10, "first: 100": all, "last: 100": all,
	} {
		a := s.Must(t, loans(1, args), nil)
		if nodes, _ := gatewaytest.At(t, a.Data, "reader", "loans", "nodes").([]any); len(nodes) != want {
			t.Errorf("%.30s: %d loans, want %d", args, len(nodes), want)
		}
	}
}
