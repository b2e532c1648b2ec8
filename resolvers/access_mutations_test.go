package resolvers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// TestAccessOfMutations: a mutation that the viewer may not call sends no request, and the field beside it is
// answered.
func TestAccessOfMutations(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	placed := s.newOrder(t, ada, "key")
	inputs := map[string]string{
		"createUser":        `{name: "Eve", email: "%s@example.org"}`,
		"updateUser":        `{version: 1, name: "Eve"}`,
		"deleteUser":        `{version: 1}`,
		"followUser":        `{followeeId: "` + ada + `"}`,
		"unfollowUser":      `{followeeId: "` + ada + `"}`,
		"placeOrder":        `{idempotencyKey: "k", currency: "EUR", lines: []}`,
		"updateOrderStatus": `{orderId: "` + placed + `", version: 7, status: PAID}`,
		"cancelOrder":       `{orderId: "` + placed + `", version: 1}`,
	}
	const signIn, notYours = "sign in to do this", "you may not do this; sign in as someone who may"
	for _, v := range []struct {
		name string
		viewer.Viewer
		denied map[string]string
	}{
		{"anonymous", viewer.Viewer{}, map[string]string{
			"updateUser": signIn, "deleteUser": signIn, "followUser": signIn, "unfollowUser": signIn,
			"placeOrder": signIn, "updateOrderStatus": signIn, "cancelOrder": signIn,
		}},
		{"user", viewer.Viewer{ID: "nobody", Roles: []string{"STAFF"}}, map[string]string{"updateOrderStatus": notYours}},
		{"admin", admin, nil},
	} {
		for _, f := range graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields {
			in, known := inputs[f.Name]
			if !known {
				t.Fatalf("which input does %s take?", f.Name)
			}
			in = strings.ReplaceAll(in, "%s", v.name)
			s.Proxy.Reset()
			mutation := fmt.Sprintf(`mutation { m: %s(input: %s) { userErrors { code } } __typename }`, f.Name, in)
			a := s.as(v.Viewer).ask(t, mutation, nil)
			want, isDenied := v.denied[f.Name]
			if !isDenied {
				if len(a.Errors) > 0 || gatewaytest.At(t, a.Data, "m", "userErrors") == nil {
					t.Errorf("%s: the answer of %s is %+v", v.name, f.Name, a)
				}
				continue
			}
			if len(a.Errors) != 1 || a.Errors[0].Message != want || a.Errors[0].Extensions.Code != "FORBIDDEN" ||
				fmt.Sprint(a.Errors[0].Path) != "[m]" {
				t.Errorf("%s: %s has errors %+v, want %q", v.name, f.Name, a.Errors, want)
			}
			if a.Data["m"] != nil || a.Data["__typename"] != "Mutation" {
				t.Errorf("%s: %s has data %v", v.name, f.Name, a.Data)
			}
			if n := s.Proxy.Counts().Total(); n != 0 {
				t.Errorf("%s: %s sends %d requests", v.name, f.Name, n)
			}
		}
	}
}

// TestMeasuredMutationRevealsNothing: a mutation for an object of somebody else has the same answer and the same
// measured values as one for an object that does not exist.
func TestMeasuredMutationRevealsNothing(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	cancel := func(order string) string {
		measured := *s
		measured.header = http.Header{"Partita-Plan": {"measured"}}
		return measured.ask(t, cancelOrder, map[string]any{
			"input": input{"userId": bob, "orderId": order, "version": 1},
		}).body
	}
	there, missing := cancel(s.newOrder(t, ada, "key")), cancel(keys.NewID("Order", "none").Encode())
	if there != missing || !strings.Contains(there, `"action":"GetItem"`) {
		t.Errorf("the answer shows that the order exists, or is not measured:\n%s\n%s", there, missing)
	}
}

// TestAccessOfPayloads: the rules hold for the objects of a payload too.
func TestAccessOfPayloads(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	for _, tt := range []struct {
		name, mutation string
		in             input
		// forbidden are the paths of errors.
		forbidden string
	}{
		{"one's own", `mutation($input: UpdateUserInput!) {
			m: updateUser(input: $input) { user { email orders(first: 1) { totalCount } } } }`,
			input{"userId": ada, "version": 1, "name": "A"}, ""},
		{"the user who is followed", `mutation($input: FollowUserInput!) {
			m: followUser(input: $input) { follow {
				follower { email } followee { name email orders(first: 1) { totalCount } } } } }`,
			input{"userId": ada, "followeeId": bob}, "[m follow followee email] [m follow followee orders]"},
		{"the user who is no longer followed", `mutation($input: UnfollowUserInput!) {
			m: unfollowUser(input: $input) { follower { email } followee { name email } } }`,
			input{"userId": ada, "followeeId": bob}, "[m followee email]"},
		{"one's order", `mutation($input: PlaceOrderInput!) {
			m: placeOrder(input: $input) { order { status items(first: 1) { nodes { sku order { id } } } } } }`,
			order(ada, "key", 2), ""},
	} {
		a := s.ask(t, tt.mutation, map[string]any{"input": tt.in})
		paths := map[string]bool{}
		for _, e := range a.Errors {
			if e.Extensions.Code != "FORBIDDEN" {
				t.Errorf("%s: %+v", tt.name, e)
			}
			paths[fmt.Sprint(e.Path)] = true
		}
		for path := range strings.SplitAfterSeq(tt.forbidden, "] ") {
			if path = strings.TrimSpace(path); path != "" && !paths[path] {
				t.Errorf("%s: %s is not denied", tt.name, path)
			}
			delete(paths, path)
		}
		if len(paths) > 0 {
			t.Errorf("%s: also denied: %v", tt.name, paths)
		}
	}
	// Anyone can create a user, and is not signed in as that user afterwards.
	a := s.as(viewer.Viewer{}).ask(t, `mutation { m: createUser(input: {name: "Eve", email: "eve@example.org"}) {
		user { id name email } } }`, nil)
	if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path) != "[m user email]" ||
		gatewaytest.At(t, a.Data, "m", "user", "name") != "Eve" {
		t.Errorf("an anonymous caller gets %+v", a)
	}
}
