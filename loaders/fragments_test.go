package loaders_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestSharedFragments: a fragment that is merged with other fields at one place and not at another costs as much as
// the same operation without fragments.
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
			`{
				a: book(id: "Book:b001") { ...F }
				b: book(id: "Book:b001") { ...F recommendedBy(first: 5) { nodes { name } } }
			}
			fragment F on Book { recommendedBy(first: 5) { nodes { id } } }`,
			map[string]int{"Query": 1, "BatchGetItem": 1},
		},
		{
			"in two connections",
			`{ book(id: "Book:b001") {
				recommendedBy(first: 5) { ...F }
				again: recommendedBy(first: 5) { ...F nodes { name } }
			} }
			fragment F on RecommendedByConnection { nodes { id } }`,
			// The book itself joins the Query.
			map[string]int{"Query": 1, "BatchGetItem": 1},
		},
		{
			"over two levels",
			`{
				a: book(id: "Book:b001") { ...F }
				b: book(id: "Book:b001") {
					...F
					recommendedBy(first: 5) { nodes { recommendations(first: 2) { nodes { title } } } }
				}
			}
			fragment F on Book { recommendedBy(first: 5) { nodes { id } } }`,
			map[string]int{"Query": 6, "BatchGetItem": 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			s.Must(t, tt.query, nil)
			if got := s.Proxy.Counts().Requests; !maps.Equal(got, tt.requests) {
				t.Errorf("requests %v, want %v\n%s", got, tt.requests, strings.Join(s.Proxy.Log(), "\n"))
			}
		})
	}
}

// TestFragmentsThatDouble: a document in which each fragment spreads the next one twice has exponentially many
// paths. Each selection is walked once.
func TestFragmentsThatDouble(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) {
		c.MaxFields, c.MaxAliases, c.MaxDepth = math.MaxInt, math.MaxInt, math.MaxInt
	})
	const levels = 40
	var query strings.Builder
	query.WriteString(`{ loan(id: "Loan:l004") { ...F0 } }`)
	for i := range levels {
		next := fmt.Sprintf("reminders(first: 0) { nodes { loan { ...F%d } } }", i+1)
		fmt.Fprintf(&query, " fragment F%d on Loan { a: %s b: %s }", i, next, next)
	}
	fmt.Fprintf(&query, " fragment F%d on Loan { id }", levels)
	s.Must(t, query.String(), nil)
}
