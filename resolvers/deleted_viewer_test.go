package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// TestDeletedViewer: what a deleted user's token allows until it expires. The orders belong to the user until they
// are removed, and can be cancelled; after that, the token allows no more than any other.
func TestDeletedViewer(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	s.succeed(t, followUser, input{"userId": ada, "followeeId": bob})
	placed, another := s.newOrder(t, ada, "key"), s.newOrder(t, ada, "another")
	s.succeed(t, deleteUser, input{"userId": ada, "version": 1})
	id, err := keys.ParseID(ada)
	if err != nil {
		t.Fatal(err)
	}
	as := s.as(viewer.Viewer{ID: id.Value()})

	order := fmt.Sprintf(`{ order(id: %q) { status customer { email } items(first: 5) { nodes { sku } } } }`, placed)
	finds := func(want ...string) {
		t.Helper()
		a := as.ask(t, fmt.Sprintf(`{ viewer { email } user(id: %q) { email orders(first: 3) { nodes { id } } } }`, ada), nil)
		if len(a.Errors) > 0 || a.Data["viewer"] != nil || a.Data["user"] != nil {
			t.Errorf("the user's own profile: %+v", a)
		}
		a = as.ask(t, order, nil)
		got := fmt.Sprint(a.Data["order"] != nil)
		for _, e := range a.Errors {
			got += " " + e.Extensions.Code
		}
		for mutation, in := range map[string]input{
			updateUser: {"version": 1, "name": "Eve"}, deleteUser: {"version": 1},
			followUser: {"followeeId": bob}, unfollowUser: {"followeeId": bob},
			placeOrder: {"idempotencyKey": "new", "currency": "EUR", "lines": lines(1)},
		} {
			in["userId"] = ada
			if e := corrections(t, s.mutate(t, mutation, in)); !strings.Contains(e, "NOT_FOUND") {
				t.Errorf("%s: %q", mutation, e)
			}
		}
		cancelled := corrections(t, s.mutate(t, cancelOrder, input{"userId": ada, "orderId": another, "version": 1}))
		if got += " " + cancelled; got != strings.Join(want, " ") {
			t.Errorf("an order is there, cancelling another: %q, want %q", got, want)
		}
	}
	finds("true", "")
	s.sweep(t)
	finds("false", "FORBIDDEN", "orderId: NOT_FOUND there is no Order with this id")
}
