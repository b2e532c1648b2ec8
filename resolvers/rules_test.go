package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRules: the user errors of each mutation for invalid input, for which nothing is written.
func TestRules(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	s.succeed(t, followUser, input{"userId": ada, "followeeId": bob})
	placed := s.newOrder(t, ada, "placed")
	shipped := s.newOrder(t, ada, "shipped")
	s.succeed(t, updateOrderStatus, input{"orderId": shipped, "version": 1, "status": "PAID"})
	s.succeed(t, updateOrderStatus, input{"orderId": shipped, "version": 2, "status": "SHIPPED"})
	delivered := s.newOrder(t, ada, "delivered")
	for i, status := range []string{"PAID", "SHIPPED", "DELIVERED"} {
		s.succeed(t, updateOrderStatus, input{"orderId": delivered, "version": i + 1, "status": status})
	}
	s.succeed(t, createUser, input{"name": "Eszett", "email": "straße@example.org"})
	s.succeed(t, createUser, input{"name": "Sigma", "email": "οδοσ@example.org"})
	before := texts(s.content(t))

	user := input{"name": "Carl", "email": "carl@example.org"}
	change := input{"userId": ada, "version": 1, "name": "Ada"}
	edge := input{"userId": bob, "followeeId": ada}
	placing := order(ada, "new", 2)
	line := func(pairs ...any) []input { return []input{lines(1)[0].with(pairs...)} }
	const (
		textRule  = "must have 1 to 100 characters, one of them visible, without control characters"
		emailRule = "email: INVALID email must be an e-mail address such as ada@example.com, of at most 254 bytes " +
			"and without #"
		userRule  = "-: NOT_FOUND there is no User with the id that you are signed in with"
		orderRule = "orderId: INVALID orderId must be an id of type Order, exactly as a response gave it"
		staleRule = "version: CONFLICT this was changed meanwhile: version %d was given, %d is stored now; look at it " +
			"and try again"
		keyRule = "idempotencyKey: INVALID idempotencyKey must have 1 to 64 characters, of letters a to z, " +
			"digits, -, _ and ."
		lineRule = "lines: INVALID an order must have 1 to 96 lines, since it is written in one transaction; place several " +
			"orders for more"
	)
	for _, tt := range []struct {
		name, mutation string
		input          input
		want           string
	}{
		{"no name", createUser, user.with("name", " \t "), "name: INVALID name " + textRule},
		{"a long name", createUser, user.with("name", strings.Repeat("é", 101)), "name: INVALID name " + textRule},
		{"a control character in a name", createUser, user.with("name", "Carl\u0000"), "name: INVALID name " + textRule},
		{"a name that cannot be seen", createUser, user.with("name", "\u200b\u2060"), "name: INVALID name " + textRule},
		{"a name of an accent", createUser, user.with("name", "\u0301"), "name: INVALID name " + textRule},
		{"a name that turns what follows", createUser, user.with("name", "Carl\u202e"), "name: INVALID name " + textRule},
		{
			"a name of half a character", createUser, user.with("name", json.RawMessage(`"Carl\ud83d"`)),
			"name: INVALID name " + textRule,
		},
		{
			"two problems at once", createUser, input{"name": "", "email": ""},
			"name: INVALID name " + textRule + "; " + emailRule,
		},
		{"no @", createUser, user.with("email", "carl.example.org"), emailRule},
		{"no domain", createUser, user.with("email", "carl@"), emailRule},
		{"no dot in the domain", createUser, user.with("email", "carl@localhost"), emailRule},
		{"a name before the address", createUser, user.with("email", "Carl <carl@example.org>"), emailRule},
		{"a space", createUser, user.with("email", "ca rl@example.org"), emailRule},
		{"a delimiter", createUser, user.with("email", "carl#1@example.org"), emailRule},
		{"a long address", createUser, user.with("email", strings.Repeat("c", 250)+"@example.org"), emailRule},
		{
			"a taken address", createUser, user.with("email", "ada@example.org"),
			"email: TAKEN another user has this e-mail address already",
		},
		{
			"a taken address in other letters", createUser, user.with("email", " ＡDA@EXAMPLE.ＯRG "),
			"email: TAKEN another user has this e-mail address already",
		},

		{
			"a taken address that differs in case alone", createUser, user.with("email", "STRASSE@example.org"),
			"email: TAKEN another user has this e-mail address already",
		},
		{
			"another sigma", createUser, user.with("email", "ΟΔΟΣ@example.org"),
			"email: TAKEN another user has this e-mail address already",
		},
		{"an invisible character in an address", createUser, user.with("email", "ada\u200b@example.org"), emailRule},
		{"a turned address", createUser, user.with("email", "ada\u202e@example.org"), emailRule},

		{"nothing to change", updateUser, change.with("name", nil), "-: INVALID give a new name, a new email or both"},
		{
			"a change of nobody", updateUser, change.with("userId", noUser),
			"-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		{"a change of an order", updateUser, change.with("userId", placed), userRule},
		{"a change of what is no id", updateUser, change.with("userId", "#"), userRule},
		{"a wrong new name", updateUser, change.with("name", ""), "name: INVALID name " + textRule},
		{"a wrong new address", updateUser, change.with("email", "?"), emailRule},
		{
			"a taken new address", updateUser, change.with("email", "BOB@example.org"),
			"email: TAKEN another user has this e-mail address already",
		},
		{"a version too old", updateUser, change.with("version", 0), fmt.Sprintf(staleRule, 0, 1)},
		{"a version too new", updateUser, change.with("version", 2), fmt.Sprintf(staleRule, 2, 1)},

		{
			"oneself", followUser, edge.with("followeeId", bob),
			"followeeId: INVALID followeeId must be another user: nobody follows themselves",
		},
		{"twice", followUser, input{"userId": ada, "followeeId": bob}, "followeeId: ALREADY this user is followed already"},
		{
			"a missing follower", followUser, edge.with("userId", noUser),
			"-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		{
			"a missing followee", followUser, edge.with("followeeId", noUser),
			"followeeId: NOT_FOUND there is no User with this id",
		},
		{
			"an order", followUser, edge.with("followeeId", placed),
			"followeeId: INVALID followeeId must be an id of type User, exactly as a response gave it",
		},
		{"one who is not followed", unfollowUser, edge, "followeeId: NOT_FOUND this user is not followed"},
		{
			"one who does not exist", unfollowUser, edge.with("followeeId", noUser),
			"followeeId: NOT_FOUND there is no User with this id",
		},
		{
			"oneself no longer", unfollowUser, edge.with("followeeId", bob),
			"followeeId: INVALID followeeId must be another user: nobody follows themselves",
		},

		{
			"no customer", placeOrder, placing.with("userId", noUser),
			"-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		{"no id", placeOrder, placing.with("userId", "x"), userRule},
		{"no key", placeOrder, placing.with("idempotencyKey", ""), keyRule},
		{"a long key", placeOrder, placing.with("idempotencyKey", strings.Repeat("k", 65)), keyRule},
		{"a delimiter in a key", placeOrder, placing.with("idempotencyKey", "a#b"), keyRule},
		{
			"a key of another order", placeOrder, placing.with("idempotencyKey", "placed", "lines", lines(3)),
			"idempotencyKey: KEY_REUSED idempotencyKey was used for another order; make a new key for each order",
		},
		{
			"no currency", placeOrder, placing.with("currency", "EURO"),
			"currency: INVALID currency must be the ISO 4217 code of a currency in capital letters, such as EUR",
		},
		{
			"a currency in small letters", placeOrder, placing.with("currency", "eur"),
			"currency: INVALID currency must be the ISO 4217 code of a currency in capital letters, such as EUR",
		},
		{
			"a currency of the past", placeOrder, placing.with("currency", "DEM"),
			"currency: INVALID currency must be the ISO 4217 code of a currency in capital letters, such as EUR",
		},
		{"no lines", placeOrder, placing.with("lines", []input{}), lineRule},
		{"too many lines", placeOrder, placing.with("lines", lines(97)), lineRule},
		{
			"no pieces", placeOrder, placing.with("lines", line("quantity", 0)),
			"lines.0.quantity: INVALID lines.0.quantity must be from 1 to 10000",
		},
		{
			"too many pieces", placeOrder, placing.with("lines", line("quantity", 10_001)),
			"lines.0.quantity: INVALID lines.0.quantity must be from 1 to 10000",
		},
		{
			"a negative price", placeOrder, placing.with("lines", line("price", -1)),
			"lines.0.price: INVALID lines.0.price must be from 0 to 2147483647",
		},
		{
			"a sum too large", placeOrder, placing.with("lines", line("price", 2147483647)),
			"lines: INVALID the order costs more than 2147483647 minor units; place several orders",
		},
		{
			"no stock keeping unit", placeOrder, placing.with("lines", line("sku", "")),
			"lines.0.sku: INVALID lines.0.sku must have 1 to 64 characters, without #, control characters and invisible ones",
		},
		{
			"a delimiter in it", placeOrder, placing.with("lines", line("sku", "A#1")),
			"lines.0.sku: INVALID lines.0.sku must have 1 to 64 characters, without #, control characters and invisible ones",
		},
		{
			"an invisible character in it", placeOrder, placing.with("lines", line("sku", "A\u200b1")),
			"lines.0.sku: INVALID lines.0.sku must have 1 to 64 characters, without #, control characters and invisible ones",
		},
		{
			"no product name", placeOrder, placing.with("lines", line("name", "")),
			"lines.0.name: INVALID lines.0.name must have 1 to 200 characters, one of them visible, without control characters",
		},
		{
			"a line larger than its item may be", placeOrder, placing.with("lines",
				line("name", strings.Repeat("茶", 200), "sku", strings.Repeat("𝒯", 64))),
			"lines.0: INVALID this Item takes 1432 bytes; at most 1024 are allowed",
		},

		{
			"a missing order", updateOrderStatus, input{"orderId": noOrder, "version": 1, "status": "PAID"},
			"orderId: NOT_FOUND there is no Order with this id",
		},
		{"a user for an order", updateOrderStatus, input{"orderId": ada, "version": 1, "status": "PAID"}, orderRule},
		{
			"an old version", updateOrderStatus, input{"orderId": shipped, "version": 1, "status": "DELIVERED"},
			fmt.Sprintf(staleRule, 1, 3),
		},
		{
			"a step left out", updateOrderStatus, input{"orderId": placed, "version": 1, "status": "SHIPPED"},
			"status: ILLEGAL_TRANSITION this Order is PENDING: it can become PAID or CANCELLED, but not SHIPPED",
		},
		{
			"no step", updateOrderStatus, input{"orderId": placed, "version": 1, "status": "PENDING"},
			"status: ILLEGAL_TRANSITION this Order is PENDING: it can become PAID or CANCELLED, but not PENDING",
		},
		{
			"a step after the last", updateOrderStatus, input{"orderId": delivered, "version": 4, "status": "PAID"},
			"status: ILLEGAL_TRANSITION this Order is DELIVERED and stays so: it cannot become PAID",
		},
		{
			"what was shipped", cancelOrder, input{"userId": ada, "orderId": shipped, "version": 3},
			"orderId: ILLEGAL_TRANSITION this Order is SHIPPED: it can become DELIVERED, but not CANCELLED",
		},
		{
			"an order of another", cancelOrder, input{"userId": bob, "orderId": placed, "version": 1},
			"orderId: NOT_FOUND there is no Order with this id",
		},
		{
			"an order by what is no user", cancelOrder, input{"userId": placed, "orderId": placed, "version": 1},
			"orderId: NOT_FOUND there is no Order with this id",
		},
		{
			"an old version of it", cancelOrder, input{"userId": ada, "orderId": placed, "version": 7},
			fmt.Sprintf(staleRule, 7, 1),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := corrections(t, s.mutate(t, tt.mutation, tt.input)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if diff := cmp.Diff(before, texts(s.content(t))); diff != "" {
				t.Errorf("something was written: %s", diff)
			}
		})
	}
}

// TestPayloadsOfConflicts: the payload of a CONFLICT has the object as it is stored now.
func TestPayloadsOfConflicts(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	id := s.newOrder(t, ada, "one")
	s.succeed(t, updateOrderStatus, input{"orderId": id, "version": 1, "status": "PAID"})
	edge := input{"userId": bob, "followeeId": ada}
	followed := s.succeed(t, followUser, edge)
	for _, tt := range []struct {
		name, mutation, object string
		input                  input
		want                   string
	}{
		{
			"a user", updateUser, "user", input{"userId": ada, "version": 7, "name": "A"},
			"map[email:ada@example.org followerCount:1 id:" + ada + " name:ada version:1]",
		},
		{
			"an order", updateOrderStatus, "order", input{"orderId": id, "version": 1, "status": "CANCELLED"},
			"map[id:" + id + " status:PAID version:2]",
		},
		{
			"an order that cannot move", updateOrderStatus, "order", input{"orderId": id, "version": 2, "status": "DELIVERED"},
			"map[id:" + id + " status:PAID version:2]",
		},
		{
			"an order to be cancelled", cancelOrder, "order", input{"userId": ada, "orderId": id, "version": 1},
			"map[id:" + id + " status:PAID version:2]",
		},
		{"another's order", cancelOrder, "order", input{"userId": bob, "orderId": id, "version": 2}, "<nil>"},
		{"an edge", followUser, "follow", edge, fmt.Sprint(followed["follow"])},
	} {
		t.Run(tt.name, func(t *testing.T) {
			payload := s.mutate(t, tt.mutation, tt.input)
			if corrections(t, payload) == "" || fmt.Sprint(payload[tt.object]) != tt.want {
				t.Errorf("got %v", payload)
			}
		})
	}
}
