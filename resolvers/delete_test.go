package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/typed"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/item"
	"github.com/partita/partita/table/tabletest"
)

func (s *shop) sweeper() *deletion.Sweeper {
	return &deletion.Sweeper{Source: s.Table, Log: slog.New(slog.NewTextHandler(s.log, nil))}
}

// sweep removes what is left of all deleted users.
func (s *shop) sweep(t *testing.T) deletion.Totals {
	t.Helper()
	totals, err := s.sweeper().Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return totals
}

// stepSource ends a sweep after each of its transactions.
type stepSource struct {
	*table.Table
	end context.CancelFunc
}

func (s stepSource) TransactWriteItems(ctx context.Context, w table.TransactWriteItems) (table.Result, error) {
	defer s.end()
	return s.Table.TransactWriteItems(ctx, w)
}

// sweepStep does one step, as a sweep that is killed then, and reports whether it
// was ended by that.
func (s *shop) sweepStep(t *testing.T) (totals deletion.Totals, ended bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sweeper := s.sweeper()
	sweeper.Source = stepSource{s.Table, cancel}
	totals, err := sweeper.Sweep(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return totals, err != nil
}

// wantGone checks that nothing in the table says the raw id, but for the claims of
// orders, which expire.
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

// userEverywhere asks for a user at each place where one can stand.
const userEverywhere = `query($id: ID!, $email: String!, $order: ID!, $line: ID!, $other: ID!) {
	user(id: $id) { name orders(first: 3) { nodes { status } } follows(userId: $other) { followedAt } followers(first: 1) { totalCount } }
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

// friends give a user who follows Ada and whom Ada follows, and an order of hers.
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

// TestDeletedUserReadsAsNull: from the mutation on, and at each place, while all
// that belonged to the user is still there.
func TestDeletedUserReadsAsNull(t *testing.T) {
	s := startShop(t)
	other, placed := s.friends(t)
	ada := demo.Ada().Encode()
	a := s.must(t, `query($id: ID!) { user(id: $id) { email version followerCount followingCount orderCount } }`, map[string]any{"id": ada})
	email := at(t, a.Data, "user", "email").(string)
	variables := map[string]any{
		"id": ada, "email": email, "other": other,
		"order": keys.NewID("Order", placed).Encode(), "line": keys.NewID("Item", placed, "1").Encode(),
	}
	before := s.must(t, userEverywhere, variables).Data
	names := strings.Count(fmt.Sprint(before), "Ada Lovelace")
	if names != 9 || at(t, before, "node") == nil || at(t, before, "only") == nil {
		t.Fatalf("Ada stands at %d places: %v", names, before)
	}
	p := s.succeed(t, deleteUser, input{"userId": ada, "version": at(t, a.Data, "user", "version")})
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
			if got := at(t, after, field); got != nil && fmt.Sprint(got) != "map[name:Ada again]" {
				t.Errorf("%s: %s is %v", when, field, got)
			}
		}
		if got := fmt.Sprint(at(t, after, "nodes")); got != "[<nil> <nil>]" {
			t.Errorf("%s: nodes are %s", when, got)
		}
		if got := at(t, after, "other", "follows"); (got != nil) != edges {
			t.Errorf("%s: the edge is %v", when, got)
		}
		if got := at(t, after, "order"); edges && fmt.Sprint(got) != "map[customer:<nil>]" || !edges && got != nil {
			t.Errorf("%s: the order is %v", when, got)
		}
	}
	check("marked", true)
	raw := demo.Ada().Value()
	counters := at(t, a.Data, "user").(map[string]any)
	mark := fmt.Sprintf("USER#%s USER#%s GSI1PK=DELETED GSI1SK=%s#USER#%s deletedAt=%s entityType=User followerCount=%v followingCount=%v id=%s orderCount=%v version=%v",
		raw, raw, "2026-01-02T03:04:05.678Z", raw, "2026-01-02T03:04:05.678Z",
		counters["followerCount"], counters["followingCount"], raw, counters["orderCount"], counters["version"].(float64)+1)
	if got := text(s.content(t)[must(typed.UserKey(demo.Ada()))]); got != mark {
		t.Errorf("the mark is\n%s, want\n%s", got, mark)
	}

	// The address is free, and a deleted user can do nothing and be nobody's friend.
	s.succeed(t, createUser, input{"name": "Ada again", "email": email})
	for name, tt := range map[string]struct {
		mutation string
		in       input
		want     string
	}{
		"deleteUser":   {deleteUser, input{"userId": ada, "version": 2}, "-: NOT_FOUND there is no User with the id that you are signed in with"},
		"updateUser":   {updateUser, input{"userId": ada, "version": 2, "name": "Eve"}, "-: NOT_FOUND there is no User with the id that you are signed in with"},
		"placeOrder":   {placeOrder, order(ada, "k", 1), "-: NOT_FOUND there is no User with the id that you are signed in with"},
		"followUser":   {followUser, input{"userId": ada, "followeeId": other}, "-: NOT_FOUND there is no User with the id that you are signed in with"},
		"to follow":    {followUser, input{"userId": other, "followeeId": ada}, "followeeId: NOT_FOUND there is no User with this id"},
		"unfollowUser": {unfollowUser, input{"userId": other, "followeeId": ada}, "followeeId: NOT_FOUND there is no User with this id"},
	} {
		if got := corrections(t, s.mutate(t, tt.mutation, tt.in)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}

	totals := s.sweep(t)
	want := deletion.Totals{
		Users: 1, Orders: int(at(t, a.Data, "user", "orderCount").(float64)),
		Edges: int(at(t, a.Data, "user", "followerCount").(float64) + at(t, a.Data, "user", "followingCount").(float64)),
	}
	if got := (deletion.Totals{Users: totals.Users, Orders: totals.Orders, Edges: totals.Edges}); got != want {
		t.Errorf("removed %+v, want %+v", got, want)
	}
	check("swept", false)
	s.wantGone(t, ada)
}

// circle is a small table with all that a sweep can meet: n users who follow each
// other all, each with two orders, one of them of the largest size.
func (s *shop) circle(t *testing.T, n int) []string {
	t.Helper()
	users := make([]string, n)
	for i := range users {
		users[i] = s.newUser(t, fmt.Sprintf("user%d", i))
		s.succeed(t, placeOrder, order(users[i], "small", 1))
		if i == 0 {
			s.succeed(t, placeOrder, order(users[i], "large", 96))
		}
	}
	var group errgroup.Group
	group.SetLimit(8)
	for _, from := range users {
		for _, to := range users {
			if from == to {
				continue
			}
			group.Go(func() error {
				p, err := s.attempt(t.Context(), followUser, input{"userId": from, "followeeId": to})
				if err == nil && p.codes != "" {
					err = errors.New(p.codes)
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return users
}

// TestSweepStepByStep: the table is right after the deletion and after each step,
// and a sweep that ends there goes on where it was. Two users are deleted who follow
// each other.
func TestSweepStepByStep(t *testing.T) {
	s := startEmptyShop(t)
	users := s.circle(t, 6)
	rest := users[2:]
	many := make([]string, 40)
	for i := range many {
		many[i] = s.newUser(t, fmt.Sprintf("fan%d", i))
		s.succeed(t, followUser, input{"userId": many[i], "followeeId": users[0]})
	}
	for _, id := range users[:2] {
		s.succeed(t, deleteUser, input{"userId": id, "version": 1})
		s.checkTable(t)
	}
	var sum deletion.Totals
	steps := 0
	for ended := true; ended; steps++ {
		var totals deletion.Totals
		totals, ended = s.sweepStep(t)
		sum.Users, sum.Orders, sum.Edges = sum.Users+totals.Users, sum.Orders+totals.Orders, sum.Edges+totals.Edges
		s.checkTable(t)
		if t.Failed() {
			t.FailNow()
		}
	}
	// Whom the first follows, two transactions of followers, two orders and the user;
	// of the second, whom they follow, the followers, an order and the user.
	if want := (deletion.Totals{Users: 2, Orders: 3, Edges: 5 + 45 + 4 + 4}); sum != want || steps != 10 {
		t.Errorf("removed %+v in %d steps, want %+v in 10", sum, steps, want)
	}
	for _, id := range users[:2] {
		s.wantGone(t, id)
	}
	a := s.must(t, `query($id: ID!) { user(id: $id) { followerCount followingCount orderCount } }`, map[string]any{"id": rest[0]})
	if got := fmt.Sprint(at(t, a.Data, "user")); got != "map[followerCount:3 followingCount:3 orderCount:1]" {
		t.Errorf("another user has %s", got)
	}
	if totals := s.sweep(t); totals.Users != 0 || totals.WriteUnits != 0 {
		t.Errorf("nothing was left, and yet %+v", totals)
	}
}

// TestSweepInTrouble: lost answers, conflicts, and two sweeps at once.
func TestSweepInTrouble(t *testing.T) {
	cases := map[string]tabletest.Faults{
		// A transaction that was carried out is sent again, and its conditions no
		// longer hold.
		"no tokens, lost": {Seed: 5, NewTokens: true, Lost: 0.3},
		"short pages":     {PageSize: 2},
	}
	for name, faults := range trouble {
		cases[name] = faults
	}
	for name, faults := range cases {
		for sweeps := 1; sweeps <= 2; sweeps++ {
			t.Run(fmt.Sprintf("%s, sweeps %d", name, sweeps), func(t *testing.T) {
				s := startEmptyShop(t)
				users := s.circle(t, 8)
				for _, id := range users[:4] {
					s.succeed(t, deleteUser, input{"userId": id, "version": 1})
				}
				s.Proxy.Inject(faults)
				var group errgroup.Group
				for range sweeps {
					group.Go(func() error {
						_, err := s.sweeper().Sweep(t.Context())
						return err
					})
				}
				if err := group.Wait(); err != nil {
					t.Fatal(err)
				}
				s.Proxy.Inject(tabletest.Faults{})
				s.checkTable(t)
				for _, id := range users[:4] {
					s.wantGone(t, id)
				}
			})
		}
	}
}

// TestDeleteAmongWriters: others follow and unfollow the user, who orders and is
// changed, while the deletion and the sweep happen.
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
		if err != nil || p.codes != "" && !strings.Contains(codes, p.codes) {
			t.Errorf("%v: %+v, %v", in, p, err)
		}
	}
	marked := make(chan struct{})
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
				<-marked
				run("NOT_FOUND", updateOrderStatus, input{"orderId": id, "version": 1, "status": "PAID"})
			}
		})
	}
	wg.Go(func() {
		defer close(marked)
		run("", deleteUser, input{"userId": ada, "version": 1})
	})
	for range 2 {
		wg.Go(func() {
			<-marked
			var user keys.ID
			if err := user.UnmarshalGQL(ada); err != nil {
				t.Error(err)
			}
			if _, err := s.sweeper().SweepUser(t.Context(), user); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s.Proxy.Inject(tabletest.Faults{})
	s.checkTable(t)
	s.wantGone(t, ada)
}

// TestDeleteConflict: a stale version deletes nothing and shows the user, whether
// the change came before the read or after it.
func TestDeleteConflict(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	s.succeed(t, updateUser, input{"userId": ada, "version": 1, "name": "Ada L."})
	p := s.mutate(t, deleteUser, input{"userId": ada, "version": 1})
	const stale = "version: CONFLICT this was changed meanwhile: version %d was given, %d is stored now; look at it and try again"
	if got, want := corrections(t, p), fmt.Sprintf(stale, 1, 2); got != want || at(t, p, "user", "name") != "Ada L." || p["deletedUserId"] != nil {
		t.Errorf("got %v", p)
	}

	// held sends a mutation, which waits before it writes.
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
	_, err := s.Table.TransactWriteItems(t.Context(), table.TransactWriteItems{Actions: []keys.Action{{
		Kind: keys.ActionUpdate, Key: must(typed.UserKey(keys.NewID("User", rawID(t, ada)))),
		Add: []keys.Increment{{Name: "version", By: 1}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	hold.Release()
	if p := <-done; p.codes != "CONFLICT" || p.version != 3 {
		t.Errorf("got %+v", p)
	}
	s.checkTable(t)

	// A change meets the deletion that came between.
	hold, done = held(updateUser, input{"userId": ada, "version": 3, "email": "ada@example.net"}, "Put EMAIL#ada@example.net")
	s.succeed(t, deleteUser, input{"userId": ada, "version": 3})
	hold.Release()
	if p := <-done; p.codes != "NOT_FOUND" || p.id != "" {
		t.Errorf("got %+v", p)
	}
	s.checkTable(t)
	if got := corrections(t, s.mutate(t, deleteUser, input{"userId": ada, "version": 4})); !strings.HasPrefix(got, "-: NOT_FOUND") {
		t.Errorf("a second deletion: %s", got)
	}
	if got := corrections(t, s.mutate(t, deleteUser, input{"userId": noUser, "version": 1})); !strings.HasPrefix(got, "-: NOT_FOUND") {
		t.Errorf("nobody: %s", got)
	}
	if got := corrections(t, s.mutate(t, deleteUser, input{"userId": noOrder, "version": 1})); !strings.HasPrefix(got, "-: NOT_FOUND") {
		t.Errorf("an order: %s", got)
	}
}

// TestSweepOfDamage: a user whose edges or counters are not what mutations write is
// left as found, and named; the others go.
func TestSweepOfDamage(t *testing.T) {
	for name, tt := range map[string]struct {
		damage func(key keys.Key, raw string) item.Item
		want   string
	}{
		"one side of an edge": {func(key keys.Key, raw string) item.Item {
			return item.Item{
				{Name: keys.AttributePK, Value: item.TextValue(key.PK)},
				{Name: keys.AttributeSK, Value: item.StringValue("FOLLOWED_BY#gone")},
				{Name: item.EntityType, Value: item.StringValue("Follow")},
				{Name: "followerId", Value: item.StringValue("gone")},
				{Name: "followeeId", Value: item.StringValue(raw)},
				{Name: "followedAt", Value: item.StringValue("2026-01-31T09:30:00.000Z")},
			}
		}, "USER#gone FOLLOWS#%s does not exist, while what belongs to it does"},
		"an item of another type": {func(key keys.Key, raw string) item.Item {
			return item.Item{
				{Name: keys.AttributePK, Value: item.TextValue(key.PK)},
				{Name: keys.AttributeSK, Value: item.StringValue("FOLLOWS#" + raw)},
			}
		}, "followerId: the attribute is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startEmptyShop(t)
			ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
			raw := rawID(t, ada)
			s.Load(t, tt.damage(must(typed.UserKey(keys.NewID("User", raw))), raw))
			for _, id := range []string{ada, bob} {
				s.succeed(t, deleteUser, input{"userId": id, "version": 1})
			}
			totals, err := s.sweeper().Sweep(t.Context())
			want := tt.want
			if strings.Contains(want, "%s") {
				want = fmt.Sprintf(want, raw)
			}
			var damaged *deletion.DamageError
			if !errors.As(err, &damaged) || damaged.User != raw || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
			if totals.Users != 1 {
				t.Errorf("%d users were removed, want the other one", totals.Users)
			}
			s.wantGone(t, bob)
			if log := s.log.take(); !strings.Contains(log, "level=ERROR") {
				t.Errorf("the log says %q", log)
			}
		})
	}
}

// TestSweepOfWrongCounter: a counter that is not 0 at the end is damage, too.
func TestSweepOfWrongCounter(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	key := must(typed.UserKey(keys.NewID("User", rawID(t, ada))))
	_, err := s.Table.TransactWriteItems(t.Context(), table.TransactWriteItems{Actions: []keys.Action{{
		Kind: keys.ActionUpdate, Key: key, Add: []keys.Increment{{Name: "orderCount", By: 1}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	s.succeed(t, deleteUser, input{"userId": ada, "version": 1})
	_, err = s.sweeper().Sweep(t.Context())
	if want := "nothing is left of the user, and the counters of " + string(key.PK) + " " + string(key.SK) + " are not 0"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestOrderAgainAfterDeletion: who repeats an order of a deleted user hears that
// there is no such user, also while the claim of the key is still there.
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
			if known := !forgotten && !swept; known && got != "" || !known && !strings.HasPrefix(got, "-: NOT_FOUND") {
				t.Errorf("swept %v, token forgotten %v: %q", swept, forgotten, got)
			}
		}
		s.Proxy.Inject(tabletest.Faults{})
		s.sweep(t)
	}
}

// TestSweepRequests: what the steps cost, as requests.
func TestSweepRequests(t *testing.T) {
	s := startEmptyShop(t)
	users := s.circle(t, 3)
	s.succeed(t, deleteUser, input{"userId": users[0], "version": 1})
	s.Proxy.Reset()
	totals := s.sweep(t)
	c := s.Proxy.Counts()
	// The list of the deleted; of each collection the page, and once more until it is
	// empty; the lines of both orders.
	if got := fmt.Sprint(c.Requests); got != "map[GetItem:1 Query:10 TransactWriteItems:5]" {
		t.Errorf("%s\n%s", got, strings.Join(s.Proxy.Log(), "\n"))
	}
	if totals.ReadUnits != c.ReadUnits || totals.WriteUnits != c.WriteUnits {
		t.Errorf("the sweep says %+v, the table %v and %v", totals, c.ReadUnits, c.WriteUnits)
	}
	// 4 edges, 2 orders with 97 lines in all, the user, as deleteUser's description
	// and docs/writes.md state.
	if most := 4*10.0 + 2*6 + 2*11 + 97*3 + 6; totals.WriteUnits > most {
		t.Errorf("%v write units, stated are %v at most", totals.WriteUnits, most)
	}
	if !slices.Contains(s.Proxy.Log(), "Query GSI1: GSI1PK = DELETED, limit 100") {
		t.Errorf("log %q", s.Proxy.Log()[0])
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
