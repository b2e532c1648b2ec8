package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/sweep"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

func (s *shop) sweeper() *sweep.Sweeper {
	return &sweep.Sweeper{Design: typed.Design, Source: s.Table, Log: slog.New(slog.NewTextHandler(s.log, nil))}
}

// sweep removes what is left of all deleted users.
func (s *shop) sweep(t *testing.T) sweep.Totals {
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

func (s stepSource) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	defer s.end()
	return s.Table.TransactWriteItems(ctx, w)
}

// sweepStep does one step, like a sweep that is killed then, and reports whether there are more.
func (s *shop) sweepStep(t *testing.T) (totals sweep.Totals, ended bool) {
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

// circle returns a small table with every case for a sweep: n users who all follow each other, each with two orders,
// one of them of the largest size.
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

// TestSweepStepByStep: the table has no violations after the deletion and after each step, and another sweep
// continues where one has ended. The two users who are deleted follow each other.
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
	sum := map[string]int{}
	steps := 0
	for ended := true; ended; steps++ {
		var totals sweep.Totals
		totals, ended = s.sweepStep(t)
		for name, n := range totals.Removed {
			sum[name] += n
		}
		s.checkTable(t)
		if t.Failed() {
			t.FailNow()
		}
	}
	// For the first user: two transactions of followers, the users followed, two orders, and the user with its item in the
	// list. For the second: the followers, the users followed, an order, and the user.
	want := map[string]int{"User": 2, "Order": 3, "Item": 98, "Follow": 5 + 45 + 4 + 4}
	if diff := cmp.Diff(want, sum); diff != "" || steps != 10 {
		t.Errorf("removed in %d steps, want 10: -want +got\n%s", steps, diff)
	}
	for _, id := range users[:2] {
		s.wantGone(t, id)
	}
	a := s.must(t, `query($id: ID!) { user(id: $id) { followerCount followingCount orderCount } }`,
		map[string]any{"id": rest[0]})
	if got := fmt.Sprint(gatewaytest.At(t, a.Data, "user")); got != "map[followerCount:3 followingCount:3 orderCount:1]" {
		t.Errorf("another user has %s", got)
	}
	if totals := s.sweep(t); totals.Objects() != 0 || totals.WriteUnits != 0 {
		t.Errorf("nothing was left, and yet %+v", totals)
	}
}

// TestSweepInTrouble: lost answers, conflicts, and two sweeps at once.
func TestSweepInTrouble(t *testing.T) {
	t.Parallel()
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
				t.Parallel()
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

// TestSweepOfDamage: a user with edges or counters that no mutation writes is kept and reported; the others are
// removed.
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
		}, "the item is none of User.following"},
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
			var damaged *sweep.DamageError
			if !errors.As(err, &damaged) || damaged.ID.Value() != raw || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
			if totals.Removed["User"] != 1 {
				t.Errorf("%s were removed, want the other user", totals)
			}
			s.wantGone(t, bob)
			if log := s.log.Take(); !strings.Contains(log, "level=ERROR") {
				t.Errorf("the log is %q", log)
			}
		})
	}
}

// TestSweepOfWrongCounter: a counter that is not 0 at the end is damage, too.
func TestSweepOfWrongCounter(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	key := must(typed.UserKey(keys.NewID("User", rawID(t, ada))))
	_, err := s.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{{
		Kind: write.ActionUpdate, Key: key, Add: []write.Increment{{Name: "orderCount", By: 1}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	s.succeed(t, deleteUser, input{"userId": ada, "version": 1})
	_, err = s.sweeper().Sweep(t.Context())
	if want := "nothing is left of it, and the counters of " + string(key.PK) + " " + string(key.SK) +
		" are not 0"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestSweepRequests: the requests of the steps.
func TestSweepRequests(t *testing.T) {
	s := startEmptyShop(t)
	users := s.circle(t, 3)
	s.succeed(t, deleteUser, input{"userId": users[0], "version": 1})
	s.Proxy.Reset()
	totals := s.sweep(t)
	c := s.Proxy.Counts()
	// The list of deleted users; a page of each collection of follows, and three of the orders; the lines of both orders.
	if got := fmt.Sprint(c.Requests); got != "map[DeleteItem:2 Query:8 TransactWriteItems:4]" {
		t.Errorf("%s\n%s", got, strings.Join(s.Proxy.Log(), "\n"))
	}
	if totals.ReadUnits != c.ReadUnits || totals.WriteUnits != c.WriteUnits {
		t.Errorf("the sweep reports %+v, the table %v and %v", totals, c.ReadUnits, c.WriteUnits)
	}
	// 4 edges, 2 orders with 97 lines in all, the user, as deleteUser's description
	// and docs/explanation/writes.md state.
	if most := 4*10.0 + 2*6 + 2*11 + 97*3 + 6; totals.WriteUnits > most {
		t.Errorf("%v write units, stated are %v at most", totals.WriteUnits, most)
	}
	if !slices.Contains(s.Proxy.Log(), "Query PK = DELETED, limit 100, consistent") {
		t.Errorf("log %q", s.Proxy.Log()[0])
	}
}
