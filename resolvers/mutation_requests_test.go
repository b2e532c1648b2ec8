package resolvers_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/loaders"
)

// payloadFields returns the fields of a mutation's payload beside its user errors.
var payloadFields = regexp.MustCompile(`(?s)\(input: \$input\) \{\s.*userErrors`)

// TestRequestsPerMutation: the requests of each mutation when nothing of its payload is selected, and when it has
// user errors.
func TestRequestsPerMutation(t *testing.T) {
	// Long enough that the fields of a payload are in one batch, also on a busy machine.
	s := startTable(t, func(_ *gateway.Config, o *loaders.Options) { o.BatchWait = 200 * time.Millisecond })
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	one, two := s.newOrder(t, ada, "one"), s.newOrder(t, ada, "two")
	const (
		write        = "map[TransactWriteItems:1]"
		readAndWrite = "map[GetItem:1 TransactWriteItems:1]"
		single       = "map[UpdateItem:1]"
		read         = "map[GetItem:1]"
		none         = "map[]"
	)
	for _, tt := range []struct {
		name, mutation string
		input          input
		requests       string
		codes          string
	}{
		{"createUser", createUser, input{"name": "Grace", "email": "grace@example.org"}, write, ""},
		{"createUser, taken", createUser, input{"name": "Grace", "email": "grace@example.org"}, write, "TAKEN"},
		{"createUser, invalid", createUser, input{"name": "", "email": "grace@example.org"}, none, "INVALID"},
		{"updateUser", updateUser, input{"userId": ada, "version": 1, "name": "Ada"}, single, ""},
		{
			"updateUser, another address", updateUser, input{"userId": ada, "version": 2, "email": "ada@example.com"},
			readAndWrite, "",
		},
		{
			"updateUser, taken", updateUser, input{"userId": ada, "version": 3, "email": "bob@example.org"}, readAndWrite,
			"TAKEN",
		},
		{"updateUser, stale", updateUser, input{"userId": ada, "version": 1, "name": "Ada"}, single, "CONFLICT"},
		{"updateUser of nobody", updateUser, input{"userId": noUser, "version": 1, "name": "Ada"}, single, "NOT_FOUND"},
		{"followUser", followUser, input{"userId": ada, "followeeId": bob}, write, ""},
		{"followUser, already", followUser, input{"userId": ada, "followeeId": bob}, write, "ALREADY"},
		{"followUser of nobody", followUser, input{"userId": ada, "followeeId": noUser}, write, "NOT_FOUND"},
		{"followUser of oneself", followUser, input{"userId": ada, "followeeId": ada}, none, "INVALID"},
		{"unfollowUser", unfollowUser, input{"userId": ada, "followeeId": bob}, write, ""},
		{"unfollowUser, not followed", unfollowUser, input{"userId": ada, "followeeId": bob}, write, "NOT_FOUND"},
		{"placeOrder with 5 lines", placeOrder, order(ada, "five", 5), write, ""},
		{"placeOrder with 96 lines", placeOrder, order(ada, "all", 96), write, ""},
		{"placeOrder with 97 lines", placeOrder, order(ada, "more", 97), none, "INVALID"},
		// The claim is read because its key was used a moment ago, and then the order.
		{"placeOrder again", placeOrder, order(ada, "all", 96), "map[GetItem:2]", ""},
		{"placeOrder again, another", placeOrder, order(ada, "five", 6), read, "KEY_REUSED"},
		{"updateOrderStatus", updateOrderStatus, input{"orderId": one, "version": 1, "status": "PAID"}, readAndWrite, ""},
		{
			"updateOrderStatus, stale", updateOrderStatus, input{"orderId": one, "version": 1, "status": "SHIPPED"}, read,
			"CONFLICT",
		},
		{
			"updateOrderStatus, illegal", updateOrderStatus, input{"orderId": one, "version": 2, "status": "DELIVERED"}, read,
			"ILLEGAL_TRANSITION",
		},
		{"cancelOrder", cancelOrder, input{"userId": ada, "orderId": two, "version": 1}, readAndWrite, ""},
		{"cancelOrder of another", cancelOrder, input{"userId": bob, "orderId": one, "version": 2}, read, "NOT_FOUND"},
		{"deleteUser, stale", deleteUser, input{"userId": bob, "version": 7}, read, "CONFLICT"},
		{"deleteUser", deleteUser, input{"userId": bob, "version": 1}, readAndWrite, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			p, err := s.attempt(t.Context(), payloadFields.ReplaceAllLiteralString(tt.mutation,
				"(input: $input) { userErrors"), tt.input)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(s.Proxy.Counts().Requests); got != tt.requests || p.codes != tt.codes {
				t.Errorf("%s and %q, want %s and %q", got, p.codes, tt.requests, tt.codes)
			}
		})
	}
}
