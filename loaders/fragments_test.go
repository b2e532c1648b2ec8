package loaders_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestSharedFragments: a fragment that is merged with more fields at one place
// than at the next costs what the same operation without fragments does.
func TestSharedFragments(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	for _, tt := range []struct {
		name     string
		query    string
		requests map[string]int
	}{
		{
			"in two objects",
			`query($id: ID!) { a: book(id: $id) { ...F } b: book(id: $id) { ...F recommendedBy(first: 5) { nodes { name } } } }
			fragment F on Book { recommendedBy(first: 5) { nodes { id } } }`,
			map[string]int{"Query": 1, "BatchGetItem": 1},
		},
		{
			"in two connections",
			`query($id: ID!) { book(id: $id) { recommendedBy(first: 5) { ...F } again: recommendedBy(first: 5) { ...F nodes { name } } } }
			fragment F on RecommendedByConnection { nodes { id } }`,
			// The book itself joins the Query.
			map[string]int{"Query": 1, "BatchGetItem": 1},
		},
		{
			"over two levels",
			`query($id: ID!) { a: book(id: $id) { ...F } b: book(id: $id) { ...F recommendedBy(first: 5) { nodes { recommendations(first: 2) { nodes { title } } } } } }
			fragment F on Book { recommendedBy(first: 5) { nodes { id } } }`,
			map[string]int{"Query": 6, "BatchGetItem": 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			s.Must(t, tt.query, map[string]any{"id": testservice.Book(1).Encode()})
			if got := s.Proxy.Counts().Requests; !maps.Equal(got, tt.requests) {
				t.Errorf("requests %v, want %v\n%s", got, tt.requests, strings.Join(s.Proxy.Log(), "\n"))
			}
		})
	}
}

// TestFragmentsThatDouble: a document in which each fragment spreads the next
// one twice has exponentially many paths, of which none is walked twice.
func TestFragmentsThatDouble(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) {
		c.MaxFields, c.MaxAliases, c.MaxDepth = math.MaxInt, math.MaxInt, math.MaxInt
	})
	const levels = 40
	var query strings.Builder
	fmt.Fprintf(&query, "{ loan(id: %q) { ...F0 } }", testservice.Loan(4).Encode())
	for i := range levels {
		fmt.Fprintf(&query, ` fragment F%d on Loan { a: reminders(first: 0) { nodes { loan { ...F%d } } } b: reminders(first: 0) { nodes { loan { ...F%d } } } }`, i, i+1, i+1)
	}
	fmt.Fprintf(&query, " fragment F%d on Loan { id }", levels)
	s.Must(t, query.String(), nil)
}
