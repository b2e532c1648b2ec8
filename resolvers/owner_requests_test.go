package resolvers_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/viewer"
)

// TestRequestsOfOwner states the requests for what only an owner may read, when the owner sends them. They are those
// of TestRequests, where the viewer may read everything, except for fields below an order: its owner is known only
// when it has been read.
func TestRequestsOfOwner(t *testing.T) {
	s := startShop(t)
	ids := map[string]any{"id": demo.Ada().Encode(), "order": ids("Order", 1)[0], "line": ids("Item", 1)[0]}
	type requests = map[string]int
	for _, tt := range []struct {
		name      string
		query     string
		requests  requests
		waves     int64
		readUnits float64
		// rules is the number of waves that the rules add, compared with a viewer who may read everything.
		rules int64
	}{
		{
			name:     "a user",
			query:    `query($id: ID!) { user(id: $id) { name email } }`,
			requests: requests{"GetItem": 1}, waves: 1, readUnits: 0.5,
		},
		{
			name:     "the viewer",
			query:    `{ viewer { name email } }`,
			requests: requests{"GetItem": 1}, waves: 1, readUnits: 0.5,
		},
		{
			name:     "the viewer and the latest orders",
			query:    `{ viewer { name email orders(first: 10) { totalCount nodes { id status } } } }`,
			requests: requests{"Query": 1}, waves: 1, readUnits: 0.5,
		},
		{
			name:     "a user and the latest orders in one Query",
			query:    `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id status } } } }`,
			requests: requests{"Query": 1}, waves: 1, readUnits: 0.5,
		},
		{
			name: "with the items of each order",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) {
				nodes { id status items(first: 10) { nodes { sku } } } } } }`,
			requests: requests{"Query": 11}, waves: 2, readUnits: 5.5,
		},
		{
			name: "edges without their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { edges { cursor } }
				followers(first: 10) { edges { followedAt } } following(first: 10) { edges { followedAt } } } }`,
			requests: requests{"Query": 3}, waves: 1, readUnits: 1.5,
		},
		{
			name: "edges with only the ids of their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { edges { node { id customer { id __typename } } } }
				followers(first: 10) { edges { node { id } } } following(first: 10) { nodes { id } } } }`,
			requests: requests{"Query": 3}, waves: 1, readUnits: 1.5,
		},
		{
			name: "edges with the names of their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id } }
				followers(first: 10) { edges { followedAt node { name } } }
				following(first: 10) { edges { followedAt node { name } } } } }`,
			requests: requests{"BatchGetItem": 1, "Query": 3}, waves: 2, readUnits: 11.5,
		},
		{
			name:     "a count alone",
			query:    `query($id: ID!) { user(id: $id) { followers { totalCount } orders { totalCount } } }`,
			requests: requests{"GetItem": 1}, waves: 1, readUnits: 0.5,
		},
		{
			name:     "an order",
			query:    `query($order: ID!) { order(id: $order) { status } }`,
			requests: requests{"GetItem": 1}, waves: 1, readUnits: 0.5,
		},
		{
			name: "an order, all its items and its customer",
			query: `query($order: ID!) { order(id: $order) { status items(first: 100) { nodes { sku } }
				customer { name } } }`,
			requests: requests{"GetItem": 2, "Query": 1}, waves: 2, readUnits: 1.5,
		},
		{
			name:     "only the items of an order",
			query:    `query($order: ID!) { order(id: $order) { items(first: 100) { nodes { sku } } } }`,
			requests: requests{"GetItem": 1, "Query": 1}, waves: 2, readUnits: 1, rules: 1,
		},
		{
			name:     "what was read already is not read again",
			query:    `query($order: ID!) { order(id: $order) { items(first: 100) { nodes { order { status } } } } }`,
			requests: requests{"GetItem": 1, "Query": 1}, waves: 2, readUnits: 1, rules: 1,
		},
		{
			name:     "a line and its order",
			query:    `query($line: ID!) { node(id: $line) { ... on Item { sku order { status customer { name } } } } }`,
			requests: requests{"GetItem": 3}, waves: 3, readUnits: 1.5, rules: 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			variables := map[string]any{}
			for name, id := range ids {
				if strings.Contains(tt.query, "$"+name+":") {
					variables[name] = id
				}
			}
			s.Proxy.Reset()
			a := s.as(viewer.Viewer{ID: demo.Ada().Value()}).must(t, tt.query, variables)
			counts, took := s.Proxy.Counts(), int64(a.Extensions.Cost.Waves)
			if !maps.Equal(counts.Requests, tt.requests) || took != tt.waves || counts.ReadUnits != tt.readUnits {
				t.Errorf("requests %v in %d waves for %v read units, want %v in %d for %v:\n%s", counts.Requests, took,
					counts.ReadUnits,
					tt.requests, tt.waves, tt.readUnits, strings.Join(s.Proxy.Log(), "\n"))
			}
			if est := s.estimate(); est.Requests < counts.Total() || int64(est.Waves) < took ||
				est.ReadUnits < counts.ReadUnits {
				t.Errorf("%d requests, %d waves and %v read units were estimated", est.Requests, est.Waves, est.ReadUnits)
			}
			if got := int64(s.must(t, tt.query, variables).Extensions.Cost.Waves); got != tt.waves-tt.rules {
				t.Errorf("it has %d waves, and %d for an ADMIN; want %d more", took, got, tt.rules)
			}
			if cost := a.Extensions.Cost; cost.Requests != counts.Total() || int64(cost.Waves) != took {
				t.Errorf("extensions.cost is %+v", cost)
			}
		})
	}
}
