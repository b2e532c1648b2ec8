package resolvers_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// wantGone checks that no item contains the raw id, except for the claims of orders, which expire.
func (s *shop) wantGone(t *testing.T, user string) {
	t.Helper()
	raw := rawID(t, user)
	for key, it := range s.content(t) {
		if strings.Contains(text(it), raw) && !strings.HasPrefix(string(key.PK), "ORDERED#") {
			t.Errorf("left: %s", text(it))
		}
	}
}

func rawID(t *testing.T, global string) string {
	t.Helper()
	var id keys.ID
	if err := id.UnmarshalGQL(global); err != nil {
		t.Fatal(err)
	}
	return id.Value()
}

// userEverywhere selects a user in each place where the schema has one.
const userEverywhere = `query($id: ID!, $email: String!, $order: ID!, $line: ID!, $other: ID!) {
	user(id: $id) { name orders(first: 3) { nodes { status } }
		follows(userId: $other) { followedAt } followers(first: 1) { totalCount } }
	only: user(id: $id) { id }
	userByEmail(email: $email) { name }
	node(id: $id) { id }
	nodes(ids: [$id, $id]) { id }
	order(id: $order) { customer { name } }
	line: node(id: $line) { ... on Item { order { customer { name } } } }
	other: user(id: $other) {
		follows(userId: $id) { followedAt followee { name } }
		following(first: 100) { edges { node { name } } nodes { name } }
		followers(first: 100) { edges { node { name } } nodes { name } }
	}
}`

// friends returns a user who follows Ada and is followed by her, and an order of Ada's.
func (s *shop) friends(t *testing.T) (mutual, order string) {
	t.Helper()
	follows := map[string]bool{}
	for it := range demo.Items() {
		if it.Type() == "Follow" {
			follows[it.Text("followerId")+" "+it.Text("followeeId")] = true
		}
		if it.Type() == "Order" && it.Text("userId") == demo.Ada().Value() {
			order = it.Text("id")
		}
	}
	for pair := range follows {
		follower, followee, _ := strings.Cut(pair, " ")
		if follower == demo.Ada().Value() && follows[followee+" "+follower] {
			mutual = max(mutual, followee)
		}
	}
	if mutual == "" || order == "" {
		t.Fatal("the demo data has no such user, or no such order")
	}
	return keys.NewID("User", mutual).Encode(), order
}

// TestDeletedUserReadsAsNull: a deleted user is null from the mutation on, in each place, while all orders and
// follows are still stored.
func TestDeletedUserReadsAsNull(t *testing.T) {
	t.Parallel()
	s := startShop(t)
	other, placed := s.friends(t)
	ada := demo.Ada().Encode()
	a := s.must(t, `query($id: ID!) { user(id: $id) { email version followerCount followingCount orderCount } }`,
		map[string]any{"id": ada})
	email := gatewaytest.At(t, a.Data, "user", "email").(string)
	variables := map[string]any{
		"id": ada, "email": email, "other": other,
		"order": keys.NewID("Order", placed).Encode(), "line": keys.NewID("Item", placed, "1").Encode(),
	}
	before := s.must(t, userEverywhere, variables).Data
	names := strings.Count(fmt.Sprint(before), "Ada Lovelace")
	if names != 9 || gatewaytest.At(t, before, "node") == nil || gatewaytest.At(t, before, "only") == nil {
		t.Fatalf("Ada is in %d places: %v", names, before)
	}
	p := s.succeed(t, deleteUser, input{"userId": ada, "version": gatewaytest.At(t, a.Data, "user", "version")})
	if p["deletedUserId"] != ada || p["user"] != nil {
		t.Errorf("the payload is %v", p)
	}
	check := func(when string, edges bool) {
		t.Helper()
		s.checkTable(t)
		after := s.must(t, userEverywhere, variables).Data
		if found := fmt.Sprint(after); strings.Contains(found, "Ada Lovelace") || strings.Contains(found, ada) {
			t.Errorf("%s: %s", when, found)
		}
		for _, field := range []string{"user", "only", "userByEmail", "node"} {
			if got := gatewaytest.At(t, after, field); got != nil && fmt.Sprint(got) != "map[name:Ada again]" {
				t.Errorf("%s: %s is %v", when, field, got)
			}
		}
		if got := fmt.Sprint(gatewaytest.At(t, after, "nodes")); got != "[<nil> <nil>]" {
			t.Errorf("%s: nodes are %s", when, got)
		}
		if got := gatewaytest.At(t, after, "other", "follows"); (got != nil) != edges {
			t.Errorf("%s: the edge is %v", when, got)
		}
		order := gatewaytest.At(t, after, "order")
		if edges && fmt.Sprint(order) != "map[customer:<nil>]" || !edges && order != nil {
			t.Errorf("%s: the order is %v", when, order)
		}
	}
	check("deleted", true)
	raw := demo.Ada().Value()
	counters := gatewaytest.At(t, a.Data, "user").(map[string]any)
	stored := s.content(t)[must(typed.UserKey(demo.Ada()))]
	tombstone := fmt.Sprintf("USER#%s USER#%s deletedAt=%s entityType=User followerCount=%v followingCount=%v id=%s "+
		"orderCount=%v version=%v", raw, raw, stored.Text(keys.AttributeDeletedAt),
		counters["followerCount"], counters["followingCount"], raw, counters["orderCount"], counters["version"].(float64)+1)
	if got := text(stored); got != tombstone {
		t.Errorf("the tombstone is\n%s, want\n%s", got, tombstone)
	}

	// The address is free, and a deleted user can neither do anything nor be followed.
	s.succeed(t, createUser, input{"name": "Ada again", "email": email})
	for name, tt := range map[string]struct {
		mutation string
		in       input
		want     string
	}{
		"deleteUser": {
			deleteUser, input{"userId": ada, "version": 2},
			"-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		"updateUser": {
			updateUser, input{"userId": ada, "version": 2, "name": "Eve"},
			"-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		"placeOrder": {
			placeOrder, order(ada, "k", 1), "-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		"followUser": {
			followUser, input{"userId": ada, "followeeId": other},
			"-: NOT_FOUND there is no User with the id that you are signed in with",
		},
		"to follow": {
			followUser, input{"userId": other, "followeeId": ada}, "followeeId: NOT_FOUND there is no User with this id",
		},
		"unfollowUser": {
			unfollowUser, input{"userId": other, "followeeId": ada}, "followeeId: NOT_FOUND there is no User with this id",
		},
	} {
		if got := corrections(t, s.mutate(t, tt.mutation, tt.in)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}

	totals := s.sweep(t)
	count := func(name string) int { return int(counters[name].(float64)) }
	want := map[string]int{
		"User": 1, "Order": count("orderCount"), "Follow": count("followerCount") + count("followingCount"),
		"Item": totals.Removed["Item"],
	}
	if diff := cmp.Diff(want, totals.Removed); diff != "" {
		t.Errorf("removed: -want +got\n%s", diff)
	}
	check("swept", false)
	s.wantGone(t, ada)
}

// TestDeleteAmongWriters: others follow and unfollow the user, and the user orders and is changed, during the
// deletion and the sweep.
func TestDeleteAmongWriters(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	id := s.newOrder(t, ada, "first")
	users := s.together(t, 50, createUser, func(i int) input {
		return input{"name": fmt.Sprint(i), "email": fmt.Sprintf("u%d@example.org", i)}
	})
	s.together(t, 25, followUser, func(i int) input { return input{"userId": users[i].id, "followeeId": ada} })
	s.Proxy.Inject(tabletest.Faults{Seed: 7, Conflict: 0.05, Lost: 0.05})
	var wg sync.WaitGroup
	run := func(codes string, mutation string, in input) {
		p, err := s.attempt(t.Context(), mutation, in)
		if codes != "" && isUnavailable(err) {
			return // an answer was lost, and then a condition failed
		}
		if err != nil || p.codes != "" && !strings.Contains(codes, p.codes) {
			t.Errorf("%v: %+v, %v", in, p, err)
		}
	}
	softDeleted := make(chan struct{})
	for i, u := range users {
		wg.Go(func() {
			in := input{"userId": u.id, "followeeId": ada}
			if i >= 25 {
				run("NOT_FOUND", followUser, in)
			}
			run("NOT_FOUND", unfollowUser, in)
			run("NOT_FOUND", followUser, in)
			if i%10 == 0 {
				run("NOT_FOUND", placeOrder, order(ada, fmt.Sprint("k", i), 2))
			}
			if i == 25 {
				<-softDeleted
				run("NOT_FOUND", updateOrderStatus, input{"orderId": id, "version": 1, "status": "PAID"})
			}
		})
	}
	wg.Go(func() {
		defer close(softDeleted)
		run("", deleteUser, input{"userId": ada, "version": 1})
	})
	for range 2 {
		wg.Go(func() {
			<-softDeleted
			if _, err := s.sweeper().Sweep(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s.Proxy.Inject(tabletest.Faults{})
	s.checkTable(t)
	s.wantGone(t, ada)
}

// TestDeleteConflict: an outdated version deletes nothing and the payload has the user, whether the change was made
// before the read or after it.
func TestDeleteConflict(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	s.succeed(t, updateUser, input{"userId": ada, "version": 1, "name": "Ada L."})
	p := s.mutate(t, deleteUser, input{"userId": ada, "version": 1})
	const stale = "version: CONFLICT this was changed meanwhile: version %d was given, %d is stored now; look at it " +
		"and try again"
	name := gatewaytest.At(t, p, "user", "name")
	if corrections(t, p) != fmt.Sprintf(stale, 1, 2) || name != "Ada L." || p["deletedUserId"] != nil {
		t.Errorf("got %v", p)
	}

	// held sends a mutation and returns when it is about to write.
	held := func(mutation string, in input, text string) (*tabletest.Hold, <-chan payload) {
		hold := s.Proxy.Hold(func(r tabletest.Request) bool { return strings.Contains(r.Text, text) })
		done := make(chan payload, 1)
		go func() {
			p, err := s.attempt(t.Context(), mutation, in)
			if err != nil {
				t.Error(err)
			}
			done <- p
		}()
		<-hold.Arrived()
		return hold, done
	}
	hold, done := held(deleteUser, input{"userId": ada, "version": 2}, "Delete EMAIL#ada@example.org")
	_, err := s.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{{
		Kind: write.ActionUpdate, Key: must(typed.UserKey(keys.NewID("User", rawID(t, ada)))),
		Add: []write.Increment{{Name: "version", By: 1}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	hold.Release()
	if p := <-done; p.codes != "CONFLICT" || p.version != 3 {
		t.Errorf("got %+v", p)
	}
	s.checkTable(t)

	// The user is deleted between the read and the write of a change.
	hold, done = held(updateUser, input{"userId": ada, "version": 3, "email": "ada@example.net"},
		"Put EMAIL#ada@example.net")
	s.succeed(t, deleteUser, input{"userId": ada, "version": 3})
	hold.Release()
	if p := <-done; p.codes != "NOT_FOUND" || p.id != "" {
		t.Errorf("got %+v", p)
	}
	s.checkTable(t)
	if got := corrections(t, s.mutate(t, deleteUser, input{"userId": ada, "version": 4})); !isNotFound(got) {
		t.Errorf("a second deletion: %s", got)
	}
	if got := corrections(t, s.mutate(t, deleteUser, input{"userId": noUser, "version": 1})); !isNotFound(got) {
		t.Errorf("nobody: %s", got)
	}
	if got := corrections(t, s.mutate(t, deleteUser, input{"userId": noOrder, "version": 1})); !isNotFound(got) {
		t.Errorf("an order: %s", got)
	}
}

// TestOrderAgainAfterDeletion: once the order is removed that a deleted user repeats, it is NOT_FOUND, even while the
// claim of its key is stored.
func TestOrderAgainAfterDeletion(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	again := order(ada, "k", 2)
	s.succeed(t, placeOrder, again)
	s.succeed(t, deleteUser, input{"userId": ada, "version": 1})
	for _, swept := range []bool{false, true} {
		for _, forgotten := range []bool{false, true} {
			s.Proxy.Inject(tabletest.Faults{NewTokens: forgotten})
			got := corrections(t, s.mutate(t, placeOrder, again))
			// Until it is removed, the order is found by its key.
			if !swept && got != "" || swept && !strings.HasPrefix(got, "-: NOT_FOUND") {
				t.Errorf("swept %v, token forgotten %v: %q", swept, forgotten, got)
			}
		}
		s.Proxy.Inject(tabletest.Faults{})
		s.sweep(t)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// isNotFound reports whether the first correction is that the user does not exist.
func isNotFound(corrections string) bool { return strings.HasPrefix(corrections, "-: NOT_FOUND") }
