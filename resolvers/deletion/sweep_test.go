package deletion_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/partita/partita/app"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	opened  = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	deleted = time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC)
)

func userID(name string) keys.ID { return keys.NewID("User", name) }

// user returns a user with two orders, who follows and is followed as often as the counters say.
func user(name string, followers, following int) *model.User {
	email := name + "@example.org"
	return &model.User{
		ID: userID(name), Name: name, Email: &email, CreatedAt: opened,
		OrderCount: 2, FollowerCount: followers, FollowingCount: following, Version: 1,
	}
}

// must returns what cannot fail for the objects of these tests.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// circle loads three users of whom each follows the next, each with two orders.
func circle(t *testing.T) (*tabletest.Engine, map[string]*model.User) {
	t.Helper()
	e := tabletest.Start(t, table.SchemaOf(typed.Design))
	users := map[string]*model.User{}
	names := []string{"ada", "bob", "cat"}
	for i, name := range names {
		u := user(name, 1, 1)
		users[name] = u
		e.Load(t, must(typed.StoredUser(u))...)
		e.Load(t, must(claim.Email(*u.Email, u.ID)))
		next := userID(names[(i+1)%len(names)])
		e.Load(t, must(typed.StoredFollow(&model.Follow{FollowerID: u.ID, FolloweeID: next, FollowedAt: opened}))...)
		for n := range 2 {
			storeOrder(t, e, u, n)
		}
	}
	return e, users
}

// storeOrder loads an order with one line.
func storeOrder(t *testing.T, e *tabletest.Engine, u *model.User, n int) {
	t.Helper()
	order := &model.Order{
		ID: keys.NewID("Order", fmt.Sprintf("%s%d", u.Name, n)), UserID: u.ID, Status: model.OrderStatusPending,
		CreatedAt: opened.Add(time.Duration(n) * time.Hour), ItemCount: 1, Version: 1,
		Total: &model.Money{Amount: 5, Currency: "EUR"},
	}
	e.Load(t, must(typed.StoredOrder(order))...)
	e.Load(t, must(typed.StoredItem(&model.Item{
		OrderID: order.ID, UserID: u.ID, Line: 1, Sku: "TEA", Name: "Tea", Quantity: 1, CreatedAt: order.CreatedAt,
		Price: &model.Money{Amount: 5, Currency: "EUR"},
	}))...)
}

// softDelete carries out what deleteUser does.
func softDelete(t *testing.T, e *tabletest.Engine, u *model.User) {
	t.Helper()
	actions := must(deletion.SoftDelete(u, deleted))
	if _, err := e.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: actions}); err != nil {
		t.Fatal(err)
	}
}

// violations returns what the check finds in the table, and the number of its items.
func violations(t *testing.T, e *tabletest.Engine) (items int, found []string) {
	t.Helper()
	report, err := check.Table(t.Context(), admin.Scanner{Table: e.Table}, check.Options{
		Design: typed.Design, Rules: resolvers.Invariants, Decode: app.Decode(model.NewNode),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Violations {
		found = append(found, fmt.Sprint(v.Kind, " ", v.PK, " ", v.SK, ": ", v.Problem))
	}
	return report.Items, found
}

func wantClean(t *testing.T, e *tabletest.Engine, items int) {
	t.Helper()
	if n, found := violations(t, e); n != items || len(found) > 0 {
		t.Errorf("the table has %d items, want %d; violations: %s", n, items, strings.Join(found, "\n"))
	}
}

var discard = slog.New(slog.DiscardHandler)

// perUser is how many items a user of circle has: the user, the claim, both items of the follow, and for each of two
// orders the order, its copy and a line.
const perUser = 2 + 2 + 2*3

func TestSoftDelete(t *testing.T) {
	e, users := circle(t)
	softDelete(t, e, users["ada"])
	key := must(typed.UserKey(userID("ada")))
	res, err := e.Table.GetItem(t.Context(), request.GetItem{Key: key, Consistent: true})
	if err != nil {
		t.Fatal(err)
	}
	tombstone := res.Items[0]
	if !keys.IsDeleted(tombstone) || tombstone.Text("name") != "" || tombstone.Text("followerCount") != "1" {
		t.Errorf("the tombstone is %v", tombstone)
	}
	wantClean(t, e, 3*perUser-1) // the claim is gone
	again := must(deletion.SoftDelete(users["ada"], deleted))
	var failed *write.ConditionError
	if _, err := e.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: again}); !errors.As(err, &failed) {
		t.Errorf("a second deletion: %v", err)
	}
}

func TestSweep(t *testing.T) {
	e, users := circle(t)
	sweeper := &deletion.Sweeper{Source: e.Table, Log: discard}
	if totals, err := sweeper.SweepUser(t.Context(), userID("ada")); err != nil || totals.Users+totals.Orders != 0 {
		t.Errorf("a user who is not deleted: %+v, %v", totals, err)
	}
	softDelete(t, e, users["ada"])
	softDelete(t, e, users["bob"])
	totals, err := sweeper.Sweep(t.Context())
	if err != nil || totals.Users != 2 || totals.Orders != 4 || totals.Edges != 3 {
		t.Errorf("got %+v, %v", totals, err)
	}
	wantClean(t, e, 2+2*3) // cat, the claim and the orders
	if totals, err := sweeper.Sweep(t.Context()); err != nil || totals.WriteUnits != 0 {
		t.Errorf("a second sweep: %+v, %v", totals, err)
	}
}

// interrupted ends the context of a sweep after each transaction.
type interrupted struct {
	deletion.Source
	end context.CancelFunc
}

func (s interrupted) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	defer s.end()
	return s.Source.TransactWriteItems(ctx, w)
}

// TestSweepIsResumed: a sweep that is ended after each step goes on where it was, and each step leaves a clean table.
func TestSweepIsResumed(t *testing.T) {
	e, users := circle(t)
	softDelete(t, e, users["ada"])
	runs := 0
	for err := context.Canceled; err != nil; runs++ {
		if !errors.Is(err, context.Canceled) || runs == 20 {
			t.Fatalf("run %d: %v", runs, err)
		}
		ctx, end := context.WithCancel(t.Context())
		_, err = (&deletion.Sweeper{Source: interrupted{e.Table, end}, Log: discard}).Sweep(ctx)
		end()
		if _, found := violations(t, e); len(found) > 0 {
			t.Fatalf("run %d: %s", runs, strings.Join(found, "\n"))
		}
	}
	wantClean(t, e, 2*perUser-2) // bob and cat, and one follow
	if runs < 5 {
		t.Errorf("%d runs; want one for the edges in each direction, each order and the user", runs)
	}
}

// TestSweepOfDamage: a user who cannot be removed does not keep the sweep from the others.
func TestSweepOfDamage(t *testing.T) {
	e, users := circle(t)
	// One side of an edge, which no mutation leaves so.
	e.Load(t, item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("USER#ada")},
		{Name: keys.AttributeSK, Value: item.StringValue("FOLLOWS#nobody")},
		{Name: item.EntityType, Value: item.StringValue("Follow")},
	})
	softDelete(t, e, users["ada"])
	softDelete(t, e, users["cat"])
	totals, err := (&deletion.Sweeper{Source: e.Table, Log: discard}).Sweep(t.Context())
	var damage *deletion.DamageError
	if !errors.As(err, &damage) || damage.User != "ada" || totals.Users != 1 {
		t.Errorf("got %+v, %v", totals, err)
	}
}

// watched reports each user who is removed.
type watched struct {
	deletion.Source
	removed chan keys.PK
}

func (s watched) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	result, err := s.Source.TransactWriteItems(ctx, w)
	if last := w.Actions[0]; err == nil && len(w.Actions) == 1 && last.Kind == write.ActionDelete {
		s.removed <- last.Key.PK
	}
	return result, err
}

// warnings are the lines of a log of warnings and errors.
type warnings chan string

func (w warnings) Write(line []byte) (int, error) {
	w <- string(line)
	return len(line), nil
}

// TestWorker: it sweeps at once, and then each user that Wake reports.
func TestWorker(t *testing.T) {
	e, users := circle(t)
	softDelete(t, e, users["ada"])
	source, problems := watched{e.Table, make(chan keys.PK, 3)}, make(warnings, 10)
	log := slog.New(slog.NewTextHandler(problems, &slog.HandlerOptions{Level: slog.LevelWarn}))
	worker := deletion.NewWorker(&deletion.Sweeper{Source: source, Log: log}, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		worker.Run(ctx)
		close(ended)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	wantRemoved := func(want keys.PK) {
		t.Helper()
		select {
		case pk := <-source.removed:
			if pk != want {
				t.Errorf("%s is removed, want %s", pk, want)
			}
		case line := <-problems:
			t.Fatal(line)
		}
	}
	wantRemoved("USER#ada")
	softDelete(t, e, user("bob", 0, 1)) // ada's follow is removed
	worker.Wake(userID("bob"))
	wantRemoved("USER#bob")
	wantClean(t, e, 2+2*3)
}
