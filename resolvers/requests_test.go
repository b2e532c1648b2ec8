package resolvers_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// waves is how many waves the latest operation took.
var waves atomic.Int64

// estimates holds the Estimate of the latest operation.
var estimates atomic.Pointer[loaders.Estimate]

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
		// readUnits is exact, or with atMost a bound; 0 leaves it open.
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
			name:      "with the items of each order",
			query:     `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id status items(first: 10) { nodes { sku } } } } } }`,
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
			name: "edges with nodes of which only the id is asked for",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { edges { node { id customer { id __typename } } } }
				followers(first: 10) { edges { node { id } } } following(first: 10) { nodes { id } } } }`,
			requests: requests(0, 0, 3),
			waves:    1,
		},
		{
			name: "edges with the names of their nodes",
			query: `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id } }
				followers(first: 10) { edges { followedAt node { name } } } following(first: 10) { edges { followedAt node { name } } } } }`,
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
			name:      "a hundred nodes of mixed types, ten twice, five missing",
			query:     `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on User { name } ... on Order { status } ... on Item { sku } } }`,
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
			name:  "whom those follow whom Ada follows",
			query: `query($id: ID!) { user(id: $id) { following(first: 20) { nodes { following(first: 10) { nodes { name } } } } } }`,
			// Whether Ada exists is asked for together with the names.
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
			name:      "an order, all its items and its customer",
			query:     `query($order: ID!) { order(id: $order) { status items(first: 100) { nodes { sku } } customer { name } } }`,
			requests:  requests(1, 0, 1),
			waves:     2,
			readUnits: 1,
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
			if got := waves.Load(); got != tt.waves {
				t.Errorf("%d waves, want %d", got, tt.waves)
			}
			units := counts.ReadUnits
			if tt.readUnits > 0 && units != tt.readUnits && (!tt.atMost || units > tt.readUnits) {
				t.Errorf("%v read units, want %v:\n%s", units, tt.readUnits, strings.Join(s.Proxy.Log(), "\n"))
			}
			if est := estimates.Load(); est.Requests < counts.Total() || int64(est.Waves) < tt.waves {
				t.Errorf("%d requests and %d waves were estimated", est.Requests, est.Waves)
			} else {
				t.Logf("%v read units, %v estimated", units, est.ReadUnits)
			}
			if cost := a.Extensions.Cost; cost.Requests != counts.Total() || cost.ReadUnits != units {
				t.Errorf("extensions.cost says %+v, the proxy counted %d requests and %v read units", cost, counts.Total(), units)
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

// mixed are 100 ids: 85 that exist, 10 of them repeated, and 5 that do not.
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

// TestNodesKeepTheirOrder checks what the counts above cannot.
func TestNodesKeepTheirOrder(t *testing.T) {
	s := startShop(t)
	want := mixed()
	a := s.must(t, `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": want})
	for i, id := range want {
		node := at(t, a.Data, "nodes", i)
		if i >= 95 {
			if node != nil {
				t.Errorf("node %d: %v, want null", i, node)
			}
			continue
		}
		if got := at(t, node, "id"); got != id {
			t.Errorf("node %d: %v, want %v", i, got, id)
		}
	}
}

// TestConsistentReads: the header doubles the units of a table's reads.
func TestConsistentReads(t *testing.T) {
	s := startShop(t)
	s.header.Set(loaders.ConsistencyHeader, "strong")
	for query, units := range map[string]float64{
		`query($id: ID!) { user(id: $id) { name } }`:                                            1,
		`query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { status } } } }`:     1,
		`{ userByEmail(email: "ada@example.com") { name } }`:                                    0.5,
		`query($id: ID!) { a: user(id: $id) { name } b: user(id: "VXNlcjpub2JvZHk") { name } }`: 2,
	} {
		var variables map[string]any
		if strings.Contains(query, "$id") {
			variables = map[string]any{"id": demo.Ada().Encode()}
		}
		if cost := s.must(t, query, variables).Extensions.Cost; cost.ReadUnits != units {
			t.Errorf("%s: %v read units, want %v", query, cost.ReadUnits, units)
		}
	}
}

// TestMaxObjects: an operation ends where it has read too much, and where its
// answer would hold too much of what it has read once.
func TestMaxObjects(t *testing.T) {
	s := startShopWith(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxObjects = 100 })
	ada := demo.Ada().Encode()
	count := func(query string) (objects int, a answer) {
		a = s.ask(t, query, map[string]any{"id": ada})
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
	refused := func(a answer) bool {
		return slices.ContainsFunc(a.Errors, func(e answerError) bool { return e.Extensions.Code == loaders.CodeTooLarge })
	}

	// Only Ada is read, but she stands in the answer as often as she is asked for.
	aliases := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d: user(id: $id) { id name }", i)
		}
		return "query($id: ID!) {" + b.String() + " }"
	}
	if n, a := count(aliases(100)); n != 100 || len(a.Errors) > 0 {
		t.Errorf("100 objects: %d are answered, errors %+v", n, a.Errors)
	}
	if n, a := count(aliases(101)); n != 100 || !refused(a) {
		t.Errorf("101 objects: %d are answered, errors %+v", n, a.Errors)
	}

	// The first wave reads 101 items, so nothing is sent for the next.
	s.Proxy.Reset()
	_, a := count(`query($id: ID!) { user(id: $id) { name } ordersByStatus(status: DELIVERED, first: 30) { nodes { id customer { name } } } }`)
	if got := s.Proxy.Counts().Requests; !refused(a) || !maps.Equal(got, map[string]int{"GetItem": 1, "Query": 4}) {
		t.Errorf("requests %v, errors %+v", got, a.Errors)
	}
}

// TestMaxReads: an operation that reads too much fails in the fields beyond, and
// sends no request for them.
func TestMaxReads(t *testing.T) {
	s := startShopWith(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxReads = 12 })
	s.Proxy.Reset()
	a := s.ask(t, `query($id: ID!) { user(id: $id) { name following(first: 20) { nodes { name } } } }`, map[string]any{"id": demo.Ada().Encode()})
	if len(a.Errors) != 10 || a.Errors[0].Extensions.Code != loaders.CodeTooLarge {
		t.Errorf("%d errors, the first %+v; want 10 with code %s", len(a.Errors), a.Errors[0], loaders.CodeTooLarge)
	}
	answered := 0
	for i := range 20 {
		if at(t, a.Data, "user", "following", "nodes", i) != nil {
			answered++
		}
	}
	if answered != 10 {
		t.Errorf("%d of 20 nodes are answered, want 10", answered)
	}
	if got := s.Proxy.Counts().Requests; !maps.Equal(got, map[string]int{"GetItem": 1, "Query": 1, "BatchGetItem": 1}) {
		t.Errorf("requests %v", got)
	}
}

// TestMoreThanAtMost: an order that breaks its bound of lines is still found,
// for one request more.
func TestMoreThanAtMost(t *testing.T) {
	s := startShop(t)
	order := keys.NewID("Order", "01999ece-0000-7000-8000-000000000000")
	forms, err := typed.StoredOrder(&model.Order{ID: order, UserID: demo.Ada(), Status: model.OrderStatusPaid, Total: &model.Money{Currency: "EUR"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Load(t, forms...)
	for line := range 120 {
		forms, err := typed.StoredItem(&model.Item{OrderID: order, UserID: demo.Ada(), Line: line + 1, Sku: "TEA-001", Name: "Green tea", Quantity: 1, Price: &model.Money{Currency: "EUR"}})
		if err != nil {
			t.Fatal(err)
		}
		s.Load(t, forms...)
	}
	a := s.must(t, `query($id: ID!) { order(id: $id) { status items(first: 100) { nodes { line } pageInfo { hasNextPage } } } }`, map[string]any{"id": order.Encode()})
	if got := at(t, a.Data, "order", "status"); got != "PAID" {
		t.Errorf("status %v, want PAID", got)
	}
	if got := at(t, a.Data, "order", "items", "nodes", 99, "line"); got != float64(100) {
		t.Errorf("the last line of the page is %v, want 100", got)
	}
	if got := at(t, a.Data, "order", "items", "pageInfo", "hasNextPage"); got != true {
		t.Errorf("hasNextPage %v, want true", got)
	}
	if cost := a.Extensions.Cost.Requests; cost != 2 {
		t.Errorf("%d requests, want 2", cost)
	}
}

// TestItemsOutsideOfTheDesign: what else a table holds, between a user and their
// orders, costs requests and changes no answer.
func TestItemsOutsideOfTheDesign(t *testing.T) {
	s := startShop(t)
	s.beyondDesign = true
	variables := map[string]any{"id": demo.Ada().Encode()}
	requests := map[string]map[string]int{
		`query($id: ID!) { user(id: $id) { name orders(first: 3) { nodes { id } pageInfo { hasNextPage } } } }`: {"Query": 2, "GetItem": 1},
		`query($id: ID!) { user(id: $id) { name orders(last: 3) { nodes { id } pageInfo { hasNextPage } } } }`:  {"Query": 1, "GetItem": 1},
	}
	want := map[string]any{}
	for query := range requests {
		want[query] = s.must(t, query, variables).Data
	}
	for i := range 20 {
		s.Load(t, item.Item{
			{Name: keys.AttributePK, Value: item.StringValue("USER#" + demo.Ada().Value())},
			{Name: keys.AttributeSK, Value: item.StringValue(fmt.Sprintf("PAYMENT#%02d", i))},
		})
	}
	for query, requests := range requests {
		s.Proxy.Reset()
		if got := s.must(t, query, variables).Data; !reflect.DeepEqual(got, want[query]) {
			t.Errorf("%s\n got %v\nwant %v", query, got, want[query])
		}
		if got := s.Proxy.Counts().Requests; !maps.Equal(got, requests) {
			t.Errorf("%s: requests %v, want %v", query, got, requests)
		}
	}
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
