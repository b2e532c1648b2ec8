package resolvers_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/keys"
)

// TestRequests states the DynamoDB requests of each operation, as an HTTP proxy
// in front of the engine counts them.
func TestRequests(t *testing.T) {
	s := startShop(t)
	ada := demo.Ada().Encode()
	order := ids("Order", 1)[0]
	requests := func(get, batch, query int) map[string]int {
		all := map[string]int{"GetItem": get, "BatchGetItem": batch, "Query": query}
		maps.DeleteFunc(all, func(_ string, n int) bool { return n == 0 })
		return all
	}
	for _, tt := range []struct {
		name      string
		query     string
		variables map[string]any
		requests  map[string]int
		waves     int64
		// readUnits is exact, or an upper bound with atMost; 0 is not compared.
		readUnits float64
		atMost    bool
	}{
		{
			name:      "a user",
			query:     `query($id: ID!) { user(id: $id) { name email } }`,
			requests:  requests(1, 0, 0),
			waves:     1,
			readUnits: 0.5,
		},
		{
			name:      "a user and the latest orders in one Query",
			query:     `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id status } } } }`,
			requests:  requests(0, 0, 1),
			waves:     1,
			readUnits: 1,
			atMost:    true,
		},
		{
			name: "with the items of each order",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) {
				nodes { id status items(first: 10) { nodes { sku } } } } } }`,
			requests:  requests(0, 0, 11),
			waves:     2,
			readUnits: 5.5,
		},
		{
			name: "edges without their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { edges { cursor } }
				followers(first: 10) { edges { followedAt } } following(first: 10) { edges { followedAt } } } }`,
			requests: requests(0, 0, 3),
			waves:    1,
		},
		{
			name: "edges with only the ids of their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { edges { node { id customer { id __typename } } } }
				followers(first: 10) { edges { node { id } } } following(first: 10) { nodes { id } } } }`,
			requests: requests(0, 0, 3),
			waves:    1,
		},
		{
			name: "edges with the names of their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id } }
				followers(first: 10) { edges { followedAt node { name } } }
				following(first: 10) { edges { followedAt node { name } } } } }`,
			requests: requests(0, 1, 3),
			waves:    2,
		},
		{
			name:     "ten users",
			query:    aliases("user(id: %q) { name }", ids("User", 10)),
			requests: requests(0, 1, 0),
			waves:    1,
		},
		{
			name:     "one user ten times",
			query:    aliases("user(id: %q) { name }", repeat(ada, 10)),
			requests: requests(1, 0, 0),
			waves:    1,
		},
		{
			name: "a hundred nodes of mixed types, ten twice, five missing",
			query: `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on User { name } ... on Order { status } ...
				on Item { sku } } }`,
			variables: map[string]any{"ids": mixed()},
			requests:  requests(0, 1, 0),
			waves:     1,
			readUnits: 45,
		},
		{
			name:     "two hundred and fifty nodes in three fields",
			query:    nodesInThree(ids("Order", 250)),
			requests: requests(0, 3, 0),
			waves:    1,
		},
		{
			name: "the users followed by those whom Ada follows",
			query: `query($id: ID!) { user(id: $id) { following(first: 20) {
				nodes { following(first: 10) { nodes { name } } } } } }`,
			// Whether Ada exists is read together with the names.
			requests: requests(0, 2, 21),
			waves:    3,
		},
		{
			name:     "the orders in a state from four shards, with their customers",
			query:    `{ ordersByStatus(status: PENDING, first: 25) { nodes { id customer { name } } } }`,
			requests: requests(0, 1, 4),
			waves:    2,
		},
		{
			name: "an order, all its items and its customer",
			query: `query($order: ID!) { order(id: $order) { status items(first: 100) { nodes { sku } }
				customer { name } } }`,
			requests:  requests(1, 0, 1),
			waves:     2,
			readUnits: 1,
		},
		{
			name: "an order, a page of its items and its customer",
			query: `query($order: ID!) { order(id: $order) { status items(first: 20) { nodes { sku } }
				customer { name } } }`,
			requests:  requests(1, 0, 1),
			waves:     2,
			readUnits: 1,
		},
		{
			name: "a profile waits for the followers' names",
			query: `query($id: ID!) { user(id: $id) { name followers(first: 10) {
				totalCount nodes { name } } } }`,
			requests:  requests(0, 1, 1),
			waves:     2,
			readUnits: 6,
		},
		{
			name:     "a count alone",
			query:    `query($id: ID!) { user(id: $id) { followers { totalCount } orders { totalCount } } }`,
			requests: requests(1, 0, 0),
			waves:    1,
		},
		{
			name:     "what was read already is not read again",
			query:    `query($order: ID!) { order(id: $order) { items(first: 100) { nodes { order { status } } } } }`,
			requests: requests(0, 0, 1),
			waves:    1,
		},
		{
			name:     "nothing",
			query:    `{ __typename }`,
			requests: requests(0, 0, 0),
			waves:    0,
		},
		{
			name:     "the viewer joins the other fields",
			query:    `query($id: ID!) { viewer { id } user(id: $id) { name } }`,
			requests: requests(0, 1, 0),
			waves:    1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			variables := map[string]any{}
			for name, value := range map[string]string{"id": ada, "order": order} {
				if strings.Contains(tt.query, "$"+name+":") {
					variables[name] = value
				}
			}
			maps.Copy(variables, tt.variables)
			s.Proxy.Reset()
			a := s.must(t, tt.query, variables)
			counts := s.Proxy.Counts()
			if !maps.Equal(counts.Requests, tt.requests) {
				t.Errorf("requests %v, want %v:\n%s", counts.Requests, tt.requests, strings.Join(s.Proxy.Log(), "\n"))
			}
			if got := int64(a.Extensions.Cost.Waves); got != tt.waves {
				t.Errorf("%d waves, want %d", got, tt.waves)
			}
			units := counts.ReadUnits
			if tt.readUnits > 0 && units != tt.readUnits && (!tt.atMost || units > tt.readUnits) {
				t.Errorf("%v read units, want %v:\n%s", units, tt.readUnits, strings.Join(s.Proxy.Log(), "\n"))
			}
			if est := s.estimate(); est.Requests < counts.Total() || int64(est.Waves) < tt.waves {
				t.Errorf("%d requests and %d waves were estimated", est.Requests, est.Waves)
			} else {
				t.Logf("%v read units, %v estimated", units, est.ReadUnits)
			}
			if cost := a.Extensions.Cost; cost.Requests != counts.Total() || cost.ReadUnits != units {
				t.Errorf("extensions.cost is %+v, the proxy counted %d requests and %v read units", cost, counts.Total(), units)
			}
		})
	}
}

func aliases(field string, ids []string) string {
	var b strings.Builder
	b.WriteString("{")
	for i, id := range ids {
		fmt.Fprintf(&b, " f%d: "+field, i, id)
	}
	return b.String() + " }"
}

func repeat(s string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = s
	}
	return all
}

// mixed returns 100 ids: 85 that exist, 10 of them repeated, and 5 that do not.
func mixed() []string {
	all := append(append(ids("User", 30), ids("Order", 30)...), ids("Item", 25)...)
	all = append(all, all[20:30]...)
	for i := range 5 {
		all = append(all, keys.NewID("User", fmt.Sprintf("nobody-%d", i)).Encode())
	}
	return all
}

func nodesInThree(all []string) string {
	quoted := func(ids []string) string { return `"` + strings.Join(ids, `", "`) + `"` }
	return fmt.Sprintf(`{ a: nodes(ids: [%s]) { ...N } b: nodes(ids: [%s]) { ...N } c: nodes(ids: [%s]) { ...N } }
		fragment N on Node { id ... on Order { status } }`, quoted(all[:100]), quoted(all[100:200]), quoted(all[200:]))
}

// TestDemoDataFits checks the promises that the counts above rest on.
func TestDemoDataFits(t *testing.T) {
	orders := 0
	for it := range demo.Items() {
		if it.Type() != "Order" || !strings.HasPrefix(it.Text(keys.AttributePK), "USER#") {
			continue
		}
		orders++
		if size := it.Size(); size > 341 {
			t.Fatalf("an order in its user's collection has %d bytes; twelve must fit 4 KB", size)
		}
	}
	if orders != demo.Orders {
		t.Errorf("%d orders, want %d", orders, demo.Orders)
	}
}
