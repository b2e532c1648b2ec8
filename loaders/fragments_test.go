//go:build ignore

package resolvers_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/loaders"
)

// TestSharedFragments: a fragment that is merged with more fields at one place
// than at the next costs what the same operation without fragments does.
func TestSharedFragments(t *testing.T) {
	s := startShop(t)
	for _, tt := range []struct {
		name     string
		query    string
		requests map[string]int
	}{
		{
			"in two objects",
			`query($id: ID!) { a: user(id: $id) { ...F } b: user(id: $id) { ...F followers(first: 5) { nodes { name } } } }
			fragment F on User { followers(first: 5) { nodes { id } } }`,
			map[string]int{"Query": 1, "GetItem": 1, "BatchGetItem": 1},
		},
		{
			"in two connections",
			`query($id: ID!) { user(id: $id) { followers(first: 5) { ...F } again: followers(first: 5) { ...F nodes { name } } } }
			fragment F on FollowersConnection { nodes { id } }`,
			// Whether the user exists is asked for together with the names.
			map[string]int{"Query": 1, "BatchGetItem": 1},
		},
		{
			"over two levels",
			`query($id: ID!) { a: user(id: $id) { ...F } b: user(id: $id) { ...F followers(first: 5) { nodes { following(first: 2) { nodes { name } } } } } }
			fragment F on User { followers(first: 5) { nodes { id } } }`,
			map[string]int{"Query": 6, "GetItem": 1, "BatchGetItem": 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			s.must(t, tt.query, map[string]any{"id": demo.Ada().Encode()})
			if got := s.Proxy.Counts().Requests; !maps.Equal(got, tt.requests) {
				t.Errorf("requests %v, want %v\n%s", got, tt.requests, strings.Join(s.Proxy.Log(), "\n"))
			}
		})
	}
}

// TestFragmentsThatDouble: a document in which each fragment spreads the next
// one twice has exponentially many paths, of which none is walked twice.
func TestFragmentsThatDouble(t *testing.T) {
	s := startShopWith(t, func(c *gateway.Config, _ *loaders.Options) {
		c.MaxFields, c.MaxAliases, c.MaxDepth = math.MaxInt, math.MaxInt, math.MaxInt
	})
	const levels = 40
	var query strings.Builder
	fmt.Fprintf(&query, "{ user(id: %q) { ...F0 } }", demo.Ada().Encode())
	for i := range levels {
		fmt.Fprintf(&query, ` fragment F%d on User { a: following(first: 0) { nodes { ...F%d } } b: following(first: 0) { nodes { ...F%d } } }`, i, i+1, i+1)
	}
	fmt.Fprintf(&query, " fragment F%d on User { id }", levels)
	s.must(t, query.String(), nil)
}
