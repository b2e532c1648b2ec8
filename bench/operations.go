package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// operation is one question to the shop, as a GraphQL operation and as a request to the handlers.
type operation struct {
	name      string
	query     string
	variables map[string]any
	// method, path and body are the request to the handlers.
	method, path string
	body         any
	viewer       viewer.Viewer
	// requests is how many DynamoDB requests the handlers send: the fewest that answer it.
	requests int
}

// operations returns the operations that are compared, small ones first.
func operations() []operation {
	ada := demo.Ada().Encode()
	owner, admin := viewer.Viewer{ID: demo.Ada().Value()}, demo.Viewer()
	data := demoIDs()
	return []operation{
		{
			name:  "user",
			query: `query User($id: ID!) { user(id: $id) { id name createdAt followerCount followingCount } }`, viewer: owner,
			variables: map[string]any{"id": ada}, method: http.MethodGet, path: "/users/" + ada, requests: 1,
		},
		{
			name: "viewer", query: `query Viewer { viewer { id name email orderCount } }`, viewer: owner,
			method: http.MethodGet, path: "/viewer", requests: 1,
		},
		{
			name: "order with items", viewer: admin,
			query: `query Order($id: ID!) { order(id: $id) { id status createdAt total { amount currency }
				items(first: 100) { nodes { line sku name quantity price { amount currency } } } } }`,
			variables: map[string]any{"id": data.order}, method: http.MethodGet, path: "/orders/" + data.order, requests: 1,
		},
		{
			name: "ten users", query: tenUsers, viewer: owner,
			variables: named("u", data.users[:10]), method: http.MethodGet,
			path: "/users?id=" + strings.Join(data.users[:10], "&id="), requests: 1,
		},
		{
			name: "followers", viewer: owner,
			query: `query Followers($id: ID!) { user(id: $id) { name followerCount
				followers(first: 20) { edges { followedAt node { id name } } } } }`,
			variables: map[string]any{"id": ada}, method: http.MethodGet, path: "/users/" + ada + "/followers?first=20",
			requests: 2,
		},
		{
			name: "fifty nodes", viewer: admin,
			query: `query Nodes($ids: [ID!]!) { nodes(ids: $ids) { __typename id
				... on User { name } ... on Order { status } ... on Item { sku } } }`,
			variables: map[string]any{"ids": data.mixed}, method: http.MethodPost, path: "/nodes",
			body: map[string]any{"ids": data.mixed}, requests: 1,
		},
		{
			name: "orders by status", viewer: admin,
			query: `query Orders($status: OrderStatus!) { ordersByStatus(status: $status, first: 50) {
				nodes { id createdAt total { amount currency } customer { name } } pageInfo { hasNextPage } } }`,
			variables: map[string]any{"status": "PENDING"}, method: http.MethodGet,
			path: "/orders?status=PENDING&first=50", requests: 5,
		},
		{
			name: "orders with items", viewer: owner,
			query: `query UserOrders($id: ID!) { user(id: $id) { name
				orders(first: 10) { nodes { id status items(first: 10) { nodes { sku quantity } } } } } }`,
			variables: map[string]any{"id": ada}, method: http.MethodGet,
			path: "/users/" + ada + "/orders?first=10&items=10", requests: 11,
		},
	}
}

// tenUsers is the document of ten aliases of the same field.
var tenUsers = func() string {
	var variables, fields strings.Builder
	for i := range 10 {
		fmt.Fprintf(&variables, "$u%d: ID! ", i)
		fmt.Fprintf(&fields, " u%d: user(id: $u%d) { id name }", i, i)
	}
	return "query Users(" + variables.String() + ") {" + fields.String() + " }"
}()

// named returns variables of the values.
func named(prefix string, values []string) map[string]any {
	all := make(map[string]any, len(values))
	for i, v := range values {
		all[fmt.Sprint(prefix, i)] = v
	}
	return all
}

// ids are those of objects in the demo data.
type ids struct {
	users []string
	order string   // one of Ada's with five lines
	mixed []string // 20 users, 15 orders and 15 items
}

func demoIDs() ids {
	var all ids
	var orders, items []string
	for it := range demo.Items() {
		base := it.Text(keys.AttributePK) == it.Text(keys.AttributeSK)
		switch typ := it.Type(); {
		case typ == "User" && base:
			all.users = append(all.users, keys.NewID(typ, it.Text("id")).Encode())
		case typ == "Order" && base:
			id := keys.NewID(typ, it.Text("id")).Encode()
			orders = append(orders, id)
			if it.Text("userId") == demo.Ada().Value() && it.Text("itemCount") == "5" {
				all.order = id
			}
		case typ == "Item":
			items = append(items, keys.NewID(typ, it.Text("orderId"), it.Text("line")).Encode())
		}
	}
	all.mixed = append(append(append(all.mixed, all.users[:20]...), orders[:15]...), items[:15]...)
	return all
}

// graphQL returns the request to a GraphQL server.
func (o operation) graphQL() (*http.Request, error) {
	return newRequest(http.MethodPost, "/graphql", map[string]any{"query": o.query, "variables": o.variables})
}

// rest returns the request to the handlers.
func (o operation) rest() (*http.Request, error) { return newRequest(o.method, o.path, o.body) }

func newRequest(method, path string, body any) (*http.Request, error) {
	if body == nil {
		return http.NewRequest(method, path, http.NoBody)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(method, path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return r, nil
}

// selected returns those with the names, or all if there are none.
func selected[T any](all []T, names []string, name func(T) string) ([]T, error) {
	if len(names) == 0 {
		return all, nil
	}
	var found []T
	for _, n := range names {
		i := slices.IndexFunc(all, func(one T) bool { return name(one) == n })
		if i < 0 {
			var known []string
			for _, one := range all {
				known = append(known, name(one))
			}
			return nil, fmt.Errorf("there is no %q; choose from %q", n, known)
		}
		found = append(found, all[i])
	}
	return found, nil
}
