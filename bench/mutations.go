package main

import (
	"net/http"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/viewer"
)

// unique is replaced by a number that no other request has. It has as many digits.
const unique = "0000000000000000"

// mutations returns the operations that write. What they select is the same each time: no new ids and times.
func mutations(data ids, nth int) []operation {
	self := viewer.Viewer{ID: data.values[100+nth]}
	all := []operation{
		{
			name: "create a user", viewer: self,
			query: `mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) {
				user { name version } userErrors { code } } }`,
			method: http.MethodPost, path: "/users",
			body: map[string]any{"name": "Ada King", "email": unique + "@example.org"},
		},
		{
			name: "rename a user", viewer: self,
			query: `mutation Rename($input: UpdateUserInput!) { updateUser(input: $input) {
				user { name version } userErrors { code } } }`,
			method: http.MethodPatch, path: "/viewer", body: map[string]any{"name": "Ada King", "version": 1},
		},
		{
			name: "place an order", viewer: self,
			query: `mutation PlaceOrder($input: PlaceOrderInput!) { placeOrder(input: $input) {
				order { status itemCount total { amount currency } version } userErrors { code } } }`,
			method: http.MethodPost, path: "/orders",
			body: map[string]any{"idempotencyKey": unique, "currency": "EUR", "lines": []map[string]any{
				{"sku": "TEA-1", "name": "Tea", "quantity": 2, "price": 350},
				{"sku": "CUP-7", "name": "A cup", "quantity": 1, "price": 1200},
			}},
		},
		{
			name: "follow a user", viewer: self,
			query: `mutation Follow($input: FollowUserInput!) { followUser(input: $input) {
				follow { followeeId } userErrors { code } } }`,
			variables: map[string]any{"followeeId": data.users[300]},
			method:    http.MethodPost, path: "/viewer/following/" + data.users[300],
		},
		{
			name: "move an order on", viewer: demo.Viewer(), requests: 2, // The key of the copy is known from the order.
			query: `mutation Move($input: UpdateOrderStatusInput!) { updateOrderStatus(input: $input) {
				order { status version } userErrors { code } } }`,
			variables: map[string]any{"orderId": data.pending[nth], "version": 1, "status": "PAID"},
			method:    http.MethodPatch, path: "/orders/" + data.pending[nth],
			body: map[string]any{"version": 1, "status": "PAID"},
		},
	}
	for i := range all {
		o := &all[i]
		o.isMutation, o.requests = true, max(o.requests, 1)
		if o.variables == nil {
			o.variables, _ = o.body.(map[string]any)
		}
		o.variables = map[string]any{"input": o.variables}
	}
	return all
}
