package resolvers_test

import (
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers/claim"
)

// entry is a mutation in the ledger. Nothing prevents it from succeeding.
type entry struct {
	name     string
	mutation string
	input    input
	// done reports whether the mutation was carried out.
	done func(stored map[keys.Key]item.Item) bool
	// answer is "" for success, the codes of user errors, or the code of the field's error.
	answer string
}

// actorsPerMutation is how often the ledger has each mutation, each time for other users.
const actorsPerMutation = 30

// TestAnswersAboutWritesAreTrue: what the answer to a mutation claims about the table is true, whatever happens to the
// attempts at its transaction. Only UNAVAILABLE claims nothing.
func TestAnswersAboutWritesAreTrue(t *testing.T) {
	writes := tabletest.Request.IsWrite
	for _, tt := range []struct {
		name   string
		faults tabletest.Faults
		// answers are some of those that must occur, so that the faults are not in vain.
		answers []string
	}{
		{
			"no attempt is answered", tabletest.Faults{Throttled: 0.85, Lost: 1},
			[]string{"THROTTLED", "UNAVAILABLE"},
		},
		{
			"the table forgets tokens", tabletest.Faults{Throttled: 0.2, Failed: 0.1, Reset: 0.3, Lost: 0.2, NewTokens: true},
			[]string{"", "UNAVAILABLE"},
		},
		{
			"the table keeps tokens", tabletest.Faults{Throttled: 0.2, Failed: 0.1, Reset: 0.3, Lost: 0.2, Conflict: 0.1},
			[]string{""},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startTable(t, func(c *gateway.Config, _ *loaders.Options) { c.OperationTimeout = 5 * time.Minute })
			ledger := newLedger(t, s)
			tt.faults.Seed, tt.faults.Only, tt.faults.Name = 1, writes, withoutNewIDs
			s.Proxy.Inject(tt.faults)
			var group errgroup.Group
			for _, e := range ledger {
				group.Go(func() error {
					p, err := s.attempt(t.Context(), e.mutation, e.input)
					e.answer = p.codes
					failed, is := errors.AsType[fieldErrors](err)
					if is {
						e.answer, err = failed[0].Extensions.Code, nil
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
			s.Proxy.Inject(tabletest.Faults{})
			stored, answers := s.content(t), map[string]int{}
			for _, e := range ledger {
				answers[e.answer]++
				done := e.done(stored)
				if e.answer != loaders.CodeUnavailable && done != (e.answer == "") {
					t.Errorf("%s: the answer is %q, and written: %v", e.name, e.answer, done)
				}
			}
			for _, answer := range tt.answers {
				if answers[answer] == 0 {
					t.Errorf("no answer is %q: %v", answer, answers)
				}
			}
			t.Logf("answers: %v", answers)
			s.checkTable(t)
		})
	}
}

var newID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// withoutNewIDs names a request by the fixed parts of its keys.
func withoutNewIDs(r tabletest.Request) string { return newID.ReplaceAllLiteralString(r.Text, "") }

// newLedger stores users and orders with fixed ids and returns the mutations on them.
func newLedger(t *testing.T, s *shop) []*entry {
	t.Helper()
	var ledger []*entry
	for i := range actorsPerMutation {
		user := func(name string, orders, followers, following int) keys.ID {
			id, email := keys.NewID("User", fmt.Sprint(name, i)), fmt.Sprintf("%s%d@example.org", name, i)
			s.Load(t, must(typed.StoredUser(&model.User{
				ID: id, Name: name, Email: &email, CreatedAt: today, Version: 1,
				OrderCount: orders, FollowerCount: followers, FollowingCount: following,
			}))...)
			s.Load(t, must(claim.Email(email, id)))
			return id
		}
		placed := func(name string) (order, customer keys.ID) {
			customer, order = user(name, 1, 0, 0), keys.NewID("Order", fmt.Sprint(name, i))
			s.Load(t, must(typed.StoredOrder(&model.Order{
				ID: order, UserID: customer, Status: model.OrderStatusPending, CreatedAt: today,
				Total: &model.Money{Amount: 100, Currency: "EUR"}, ItemCount: 1, Version: 1,
			}))...)
			s.Load(t, must(typed.StoredItem(&model.Item{
				ID: keys.NewID("Item", order.Value(), "1"), OrderID: order, UserID: customer, Line: 1, Sku: "SKU", Name: "Tea",
				Quantity: 1, Price: &model.Money{Amount: 100, Currency: "EUR"}, CreatedAt: today,
			}))...)
			return order, customer
		}
		add := func(name, mutation string, in input, done func(stored map[keys.Key]item.Item) bool) {
			ledger = append(ledger, &entry{name: fmt.Sprint(name, i), mutation: mutation, input: in, done: done})
		}
		exists := func(key keys.Key) func(map[keys.Key]item.Item) bool {
			return func(stored map[keys.Key]item.Item) bool { return stored[key] != nil }
		}
		changed := func(key keys.Key) func(map[keys.Key]item.Item) bool {
			return func(stored map[keys.Key]item.Item) bool { return stored[key].Text("version") == "2" }
		}

		email := fmt.Sprintf("create%d@example.org", i)
		add("createUser", createUser, input{"name": "New", "email": email}, exists(must(claim.EmailKey(email))))

		updated := user("update", 0, 0, 0)
		add("updateUser", updateUser, input{
			"userId": updated.Encode(), "version": 1, "email": fmt.Sprintf("moved%d@example.org", i),
		}, changed(must(typed.UserKey(updated))))

		deleted := user("delete", 0, 0, 0)
		add("deleteUser", deleteUser, input{"userId": deleted.Encode(), "version": 1},
			func(stored map[keys.Key]item.Item) bool { return keys.IsDeleted(stored[must(typed.UserKey(deleted))]) })

		follower, followee := user("follower", 0, 0, 0), user("followee", 0, 0, 0)
		add("followUser", followUser, input{"userId": follower.Encode(), "followeeId": followee.Encode()},
			exists(must(typed.FollowKey(follower, followee))))

		leaver, left := user("leaver", 0, 0, 1), user("left", 0, 1, 0)
		s.Load(t, must(typed.StoredFollow(&model.Follow{FollowerID: leaver, FolloweeID: left, FollowedAt: today}))...)
		edge := must(typed.FollowKey(leaver, left))
		add("unfollowUser", unfollowUser, input{"userId": leaver.Encode(), "followeeId": left.Encode()},
			func(stored map[keys.Key]item.Item) bool { return stored[edge] == nil })

		customer := user("place", 0, 0, 0)
		add("placeOrder", placeOrder, order(customer.Encode(), "key", 2), exists(must(claim.OrderKey(customer, "key"))))

		moved, _ := placed("move")
		add("updateOrderStatus", updateOrderStatus, input{"orderId": moved.Encode(), "version": 1, "status": "PAID"},
			changed(must(typed.OrderKey(moved))))

		cancelled, by := placed("cancel")
		add("cancelOrder", cancelOrder, input{"userId": by.Encode(), "orderId": cancelled.Encode(), "version": 1},
			changed(must(typed.OrderKey(cancelled))))
	}
	return ledger
}
