package resolvers_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/keys"
)

// The mutations of the tests, with all fields of their payloads.
const (
	createUser = `mutation($input: CreateUserInput!) {
		m: createUser(input: $input) { user { id name email version createdAt orderCount followerCount followingCount }
			userErrors { field message code } } }`
	updateUser = `mutation($input: UpdateUserInput!) {
		m: updateUser(input: $input) { user { id name email version followerCount }
			userErrors { field message code } } }`
	deleteUser = `mutation($input: DeleteUserInput!) {
		m: deleteUser(input: $input) { deletedUserId user { id name version }
			userErrors { field message code } } }`
	followUser = `mutation($input: FollowUserInput!) {
		m: followUser(input: $input) { follow { id followedAt }
			userErrors { field message code } } }`
	unfollowUser = `mutation($input: UnfollowUserInput!) {
		m: unfollowUser(input: $input) { userErrors { field message code } } }`
	placeOrder = `mutation($input: PlaceOrderInput!) {
		m: placeOrder(input: $input) { order { id userId status itemCount version total { amount currency } }
			userErrors { field message code } } }`
	updateOrderStatus = `mutation($input: UpdateOrderStatusInput!) {
		m: updateOrderStatus(input: $input) { order { id status version }
			userErrors { field message code } } }`
	cancelOrder = `mutation($input: CancelOrderInput!) {
		m: cancelOrder(input: $input) { order { id status version }
			userErrors { field message code } } }`
)

// input is a GraphQL input object.
type input map[string]any

// with returns the input with other values; nil removes one.
func (in input) with(pairs ...any) input {
	changed := maps.Clone(in)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			delete(changed, pairs[i].(string))
			continue
		}
		changed[pairs[i].(string)] = pairs[i+1]
	}
	return changed
}

// mutate returns the payload of a mutation, which must have no errors of fields.
func (s *shop) mutate(t *testing.T, mutation string, in input) map[string]any {
	t.Helper()
	payload, ok := s.must(t, mutation, map[string]any{"input": in}).Data["m"].(map[string]any)
	if !ok {
		t.Fatal("no payload")
	}
	return payload
}

// succeed returns the payload of a mutation, which must have no user errors.
func (s *shop) succeed(t *testing.T, mutation string, in input) map[string]any {
	t.Helper()
	payload := s.mutate(t, mutation, in)
	if e := corrections(t, payload); e != "" {
		t.Fatalf("user errors: %s", e)
	}
	return payload
}

// corrections returns the user errors as "field: CODE message", joined by "; ".
func corrections(t *testing.T, payload map[string]any) string {
	t.Helper()
	var all []string
	for _, e := range payload["userErrors"].([]any) {
		field := gatewaytest.At(t, e, "field")
		if field == nil {
			field = "-"
		}
		all = append(all, fmt.Sprintf("%s: %s %s", field, gatewaytest.At(t, e, "code"), gatewaytest.At(t, e, "message")))
	}
	return strings.Join(all, "; ")
}

// newUser creates a user and returns the id.
func (s *shop) newUser(t *testing.T, name string) string {
	t.Helper()
	payload := s.succeed(t, createUser, input{"name": name, "email": name + "@example.org"})
	return gatewaytest.At(t, payload, "user", "id").(string)
}

// lines returns n order lines of 100 minor units each.
func lines(n int) []input {
	all := make([]input, n)
	for i := range all {
		all[i] = input{"sku": fmt.Sprintf("SKU-%d", i), "name": "Tea", "quantity": 2, "price": 50}
	}
	return all
}

func order(user, key string, n int) input {
	return input{"userId": user, "idempotencyKey": key, "currency": "EUR", "lines": lines(n)}
}

// newOrder places an order and returns its id.
func (s *shop) newOrder(t *testing.T, user, key string) string {
	t.Helper()
	return gatewaytest.At(t, s.succeed(t, placeOrder, order(user, key, 2)), "order", "id").(string)
}

// absent returns ids of a user and of an order that do not exist.
var (
	noUser  = keys.NewID("User", "01999ece-0000-7000-8000-000000000000").Encode()
	noOrder = keys.NewID("Order", "01999ece-0000-7000-8000-000000000000").Encode()
)

// TestMutations: the effect of each valid mutation, the number of its requests, and that its write units are within
// those of its description, and its estimate not below. The design has no limit for the address that a user had before,
// so that the estimate for another one is for the longest key.
func TestMutations(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	first := s.newOrder(t, ada, "first")
	for _, tt := range []struct {
		name     string
		mutation string
		input    input
		requests string
		units    float64
		estimate float64
		want     string
	}{
		{"createUser", createUser, input{"name": " Grace ", "email": " Grace@Example.ORG "},
			"map[TransactWriteItems:1]", 8, 8,
			"map[createdAt:2026-01-02T03:04:05.678Z email:grace@example.org followerCount:0 followingCount:0 id:* name:Grace " +
				"orderCount:0 version:1]"},
		{"followUser", followUser, input{"userId": bob, "followeeId": ada}, "map[TransactWriteItems:1]", 16, 16,
			"map[followedAt:2026-01-02T03:04:05.678Z id:*]"},
		{"updateUser", updateUser, input{"userId": ada, "version": 1, "name": "Ada L."},
			"map[UpdateItem:1]", 4, 4,
			"map[email:ada@example.org followerCount:1 id:* name:Ada L. version:2]"},
		{"updateUser with another address", updateUser, input{"userId": ada, "version": 2, "email": "ADA@example.com"},
			"map[GetItem:1 TransactWriteItems:1]", 12, 20,
			"map[email:ada@example.com followerCount:1 id:* name:Ada L. version:3]"},
		{"unfollowUser", unfollowUser, input{"userId": bob, "followeeId": ada}, "map[TransactWriteItems:1]", 16, 16, "<nil>"},
		{"placeOrder with 5 lines", placeOrder, order(ada, "five", 5), "map[TransactWriteItems:1]", 28, 28,
			"map[id:* itemCount:5 status:PENDING total:map[amount:500 currency:EUR] userId:" + ada + " version:1]"},
		{"placeOrder with 96 lines", placeOrder, order(ada, "all", 96), "map[TransactWriteItems:1]", 301, 301,
			"map[id:* itemCount:96 status:PENDING total:map[amount:9600 currency:EUR] userId:" + ada + " version:1]"},
		{"updateOrderStatus", updateOrderStatus, input{"orderId": first, "version": 1, "status": "PAID"},
			"map[GetItem:1 TransactWriteItems:1]", 6, 6,
			"map[id:* status:PAID version:2]"},
		{"cancelOrder", cancelOrder, input{"userId": ada, "orderId": first, "version": 2},
			"map[GetItem:1 TransactWriteItems:1]", 6, 6,
			"map[id:* status:CANCELLED version:3]"},
		{"deleteUser", deleteUser, input{"userId": ada, "version": 3}, "map[GetItem:1 TransactWriteItems:1]", 10, 16, ada},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			a := s.must(t, tt.mutation, map[string]any{"input": tt.input})
			c := s.Proxy.Counts()
			if got := fmt.Sprint(c.Requests); got != tt.requests {
				t.Errorf("%s, want %s", got, tt.requests)
			}
			if c.WriteUnits == 0 || c.WriteUnits > tt.units || a.Extensions.Cost.WriteUnits != c.WriteUnits {
				t.Errorf("%v write units, %v in the answer; at most %v are stated", c.WriteUnits,
					a.Extensions.Cost.WriteUnits, tt.units)
			}
			if est := s.estimate(); est.WriteUnits != tt.estimate {
				t.Errorf("%v write units were estimated, want %v", est.WriteUnits, tt.estimate)
			}
			payload := a.Data["m"].(map[string]any)
			if e := corrections(t, payload); e != "" {
				t.Fatalf("user errors: %s", e)
			}
			delete(payload, "userErrors")
			var got any
			for _, object := range payload {
				if object != nil {
					got = object
				}
			}
			if object, is := got.(map[string]any); is {
				object["id"] = "*"
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("got  %v\nwant %s", got, tt.want)
			}
			s.checkTable(t)
		})
	}
}

// TestPayloadsReadTheirOwnWrites: fields below a payload have what was just written, also by an earlier mutation of
// the operation.
func TestPayloadsReadTheirOwnWrites(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	in := input{"followeeId": ada}
	const counts = `{ followerCount followers(first: 2) { totalCount nodes { name } } }`
	a := s.acting(input{actor: bob}).must(t, `mutation($f: FollowUserInput!, $u: UnfollowUserInput!) {
		a: followUser(input: $f) { follow { followee `+counts+` } }
		b: unfollowUser(input: $u) { followee `+counts+` follower { followingCount } }
		c: followUser(input: $f) { follow { followee `+counts+` } }
	}`, map[string]any{"f": in, "u": in})
	d := s.acting(input{actor: ada}).must(t, `mutation($o: PlaceOrderInput!) {
		d: placeOrder(input: $o) { order { customer { orderCount orders(first: 5) { nodes { status } } } 
			items(first: 5) { nodes { sku price { amount } } } } }
	}`, map[string]any{"o": order(ada, "k", 2).with(actor, nil)})
	a.Data["d"] = d.Data["d"]
	const one, none = "map[followerCount:1 followers:map[nodes:[map[name:bob]] totalCount:1]]",
		"map[followerCount:0 followers:map[nodes:[] totalCount:0]]"
	for path, want := range map[string]string{
		"a follow followee": one,
		"b followee":        none,
		"b follower":        "map[followingCount:0]",
		"c follow followee": one,
		"d order": "map[customer:map[orderCount:1 orders:map[nodes:[map[status:PENDING]]]] " +
			"items:map[nodes:[map[price:map[amount:50] sku:SKU-0] map[price:map[amount:50] sku:SKU-1]]]]",
	} {
		var steps []any
		for _, step := range strings.Fields(path) {
			steps = append(steps, step)
		}
		if got := fmt.Sprint(gatewaytest.At(t, a.Data, steps...)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got, want)
		}
	}
}
