package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
)

// connection is a connection of the shop, and where it stands in an answer.
type connection struct {
	name string
	// query has %s where the paging arguments go.
	query string
	path  []any
}

func connections() []connection {
	const fields = `{ edges { cursor %s } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
	node := func(of string) string { return fmt.Sprintf(fields, of) }
	ada, shopper := demo.Ada().Encode(), ids("User", 50)[49]
	const span = `createdAt: {from: "2026-07-01T00:00:00Z", to: "2026-08-30T00:00:00Z"}`
	return []connection{
		{"orders", `{ user(id: "` + ada + `") { orders(%s) ` + node("node { id }") + ` } }`, []any{"user", "orders"}},
		{"orders in a span", `{ user(id: "` + ada + `") { orders(` + span + ` %s) ` + node("node { id }") + ` } }`, []any{"user", "orders"}},
		{"following", `{ user(id: "` + ada + `") { following(%s) ` + node("node { id }") + ` } }`, []any{"user", "following"}},
		{"followers", `{ user(id: "` + shopper + `") { followers(%s) ` + node("node { id }") + ` } }`, []any{"user", "followers"}},
		{"items", `{ order(id: "` + ids("Order", 1)[0] + `") { items(%s) ` + node("node { id }") + ` } }`, []any{"order", "items"}},
		{"shards", `{ ordersByStatus(status: CANCELLED, ` + span + ` %s) ` + node("node { id }") + ` }`, []any{"ordersByStatus"}},
		{"equal sort keys", `{ ordersByProduct(sku: "TEA-001", ` + span + ` %s) ` + node("line node { id }") + ` }`, []any{"ordersByProduct"}},
	}
}

// pages walks through a connection and gives its sequence. between is called
// after each page.
func (s *shop) pages(t *testing.T, c connection, size int, backward bool, between func()) []string {
	t.Helper()
	count, cursor, more, end := "first", "after", "hasNextPage", "endCursor"
	if backward {
		count, cursor, more, end = "last", "before", "hasPreviousPage", "startCursor"
	}
	var sequence []string
	args := fmt.Sprintf("%s: %d", count, size)
	for {
		a := s.must(t, fmt.Sprintf(c.query, args), nil)
		page := at(t, a.Data, c.path...)
		edges, ok := at(t, page, "edges").([]any)
		if !ok {
			t.Fatalf("%s: no edges in %v", c.name, page)
		}
		var part []string
		for _, e := range edges {
			part = append(part, fmt.Sprint(at(t, e, "node", "id"), " ", at(t, e, "line")))
		}
		if backward {
			sequence = append(part, sequence...)
		} else {
			sequence = append(sequence, part...)
		}
		info := at(t, page, "pageInfo")
		if at(t, info, more) != true {
			return sequence
		}
		if len(edges) != size {
			t.Fatalf("%s: a page of %d items that is not the last, want %d", c.name, len(edges), size)
		}
		between()
		args = fmt.Sprintf("%s: %d, %s: %q", count, size, cursor, at(t, info, end))
	}
}

func TestPagesGiveTheWholeSequence(t *testing.T) {
	s := startShop(t)
	for _, c := range connections() {
		t.Run(c.name, func(t *testing.T) {
			want := s.pages(t, c, 100, false, func() {})
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
					if got := s.pages(t, c, size, backward, func() {}); !slices.Equal(got, want) {
						t.Errorf("size %d, backward %t:\ngot  %v\nwant %v", size, backward, got, want)
					}
				}
			}
		})
	}
}

// TestPagesWhileItemsAreAdded: what was there from the start comes exactly once
// and in order, whatever is added before, between and behind it.
func TestPagesWhileItemsAreAdded(t *testing.T) {
	s := startShop(t)
	added := 0
	add := func() {
		added++
		at := time.Date(2026, time.July, 1+added*7%60, 12, added%60, 0, 0, time.UTC)
		o := &model.Order{
			ID:        keys.NewID("Order", fmt.Sprintf("added-%04d", added)),
			UserID:    demo.Ada(),
			Status:    model.OrderStatusCancelled,
			CreatedAt: at,
			Total:     &model.Money{Currency: "EUR"},
			Version:   1,
		}
		items, err := typed.StoredOrder(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Load(t, items...)
	}
	for _, c := range connections() {
		if c.name != "orders" && c.name != "shards" {
			continue
		}
		for size := 1; size <= 7; size++ {
			for _, backward := range []bool{false, true} {
				want := s.pages(t, c, 100, false, func() {})
				// A bound, or pages of one would never come to an end.
				left := 8
				got := s.pages(t, c, size, backward, func() {
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
	s := startShop(t)
	ada := demo.Ada().Encode()
	orders := func(args string) string {
		return fmt.Sprintf(`{ user(id: %q) { name orders(%s) { nodes { id } pageInfo { endCursor } } } }`, ada, args)
	}
	cursorOf := func(query string, path ...any) string {
		return fmt.Sprint(at(t, s.must(t, query, nil).Data, append(path, "pageInfo", "endCursor")...))
	}
	own := cursorOf(orders("first: 3"), "user", "orders")
	foreign := cursorOf(fmt.Sprintf(`{ user(id: %q) { orders(first: 2) { pageInfo { endCursor } } } }`, ids("User", 2)[1]), "user", "orders")
	status := cursorOf(`{ ordersByStatus(status: PAID, first: 2) { pageInfo { endCursor } } }`, "ordersByStatus")

	for _, tt := range []struct {
		args, says string
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
		{`first: 1, after: "` + status + `"`, "after is not a cursor"},
		{`first: 1, after: "` + strings.Repeat("A", 100_000) + `"`, "after is not a cursor"},
		{`first: 1, createdAt: {from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z"}`, "createdAt.from must not be after createdAt.to"},
	} {
		query := orders(tt.args)
		if tt.args == "" {
			query = strings.Replace(query, "orders()", "orders", 1)
		}
		a := s.ask(t, query, nil)
		if len(a.Errors) != 1 || !strings.Contains(a.Errors[0].Message, tt.says) || a.Errors[0].Extensions.Code != "BAD_USER_INPUT" {
			t.Errorf("%.60s: errors %+v, want one that says %q", tt.args, a.Errors, tt.says)
			continue
		}
		if path := fmt.Sprint(a.Errors[0].Path); path != "[user orders]" {
			t.Errorf("%.60s: the error is on %s", tt.args, path)
		}
		if at(t, a.Data, "user", "name") == nil {
			t.Errorf("%.60s: the other fields have no answer: %v", tt.args, a.Data)
		}
	}

	all := len(s.pages(t, connections()[0], 100, false, func() {}))
	for args, want := range map[string]int{"first: 0": 0, "last: 0": 0, `after: "` + own + `"`: 10, "first: 100": all, "last: 100": all} {
		if nodes, _ := at(t, s.must(t, orders(args), nil).Data, "user", "orders", "nodes").([]any); len(nodes) != want {
			t.Errorf("%.30s: %d orders, want %d", args, len(nodes), want)
		}
	}
}
