package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/viewer"
)

// reads returns the operations that change nothing.
func reads(data ids) []operation {
	ada := demo.Ada().Encode()
	owner, admin := viewer.Viewer{ID: demo.Ada().Value()}, demo.Viewer()
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
				followers(first: 20) { edges { cursor followedAt node { id name } } } } }`,
			variables: map[string]any{"id": ada}, method: http.MethodGet, path: "/users/" + ada + "/followers?first=20",
			requests: 2,
		},
		{
			name: "hundred nodes", viewer: admin,
			query: `query Nodes($ids: [ID!]!) { nodes(ids: $ids) { __typename id
				... on User { name } ... on Order { status } ... on Item { sku } } }`,
			variables: map[string]any{"ids": data.mixed}, method: http.MethodPost, path: "/nodes",
			body: map[string]any{"ids": data.mixed}, requests: 1,
		},
		{
			name: "orders by status", viewer: admin,
			query: `query Orders($status: OrderStatus!) { ordersByStatus(status: $status, first: 50) {
				edges { cursor node { id createdAt total { amount currency } customer { name } } }
				pageInfo { hasNextPage } } }`,
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
		{
			name: "hundred orders with items", viewer: admin,
			query: `query OrdersWithItems($status: OrderStatus!) { ordersByStatus(status: $status, first: 100) {
				nodes { id items(first: 10) { nodes { sku quantity } } } } }`,
			variables: map[string]any{"status": "PENDING"}, method: http.MethodGet,
			path: "/orders/items?status=PENDING&first=100&items=10", requests: 104,
		},
		{
			name: "two hops", viewer: owner,
			query: `query TwoHops($id: ID!) { user(id: $id) { followers(first: 40) {
				edges { node { name following(first: 40) { edges { node { name } } } } } } } }`,
			variables: map[string]any{"id": ada}, method: http.MethodGet,
			path: "/users/" + ada + "/followers/following?first=40", requests: 43,
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
