package resolvers_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/loaders"
)

const randomWorkers = 64

var randomMutations = soak.Times(1000)

// crowd sends random mutations and keeps the objects that exist and the outcomes.
type crowd struct {
	*shop
	mu      sync.Mutex
	users   []payload
	orders  []payload
	deleted []payload         // users
	owners  map[string]string // the customer of an order
	// outcomes counts the codes of each mutation's user errors.
	outcomes map[string]int
	// faulty is set while answers of the table are lost.
	faulty bool
}

// TestRandomMutations: after any concurrent mutations, with and without faults, copies, entries and counters fit the
// base items.
func TestRandomMutations(t *testing.T) {
	t.Parallel()
	s := startEmptyShop(t)
	c := &crowd{shop: s, owners: map[string]string{}, outcomes: map[string]int{}}
	for i := range 10 {
		id := s.newUser(t, fmt.Sprintf("first%d", i))
		c.users = append(c.users, payload{id: id, version: 1})
		c.orders = append(c.orders, payload{id: s.newOrder(t, id, "first"), version: 1})
		c.owners[c.orders[i].id] = id
	}
	// Without faults there are more conflicts; with faults more outcomes are unknown.
	for round, faults := range []tabletest.Faults{
		{},
		{Seed: 1, Conflict: 0.05, Lost: 0.03, Throttled: 0.03, Failed: 0.01, Reset: 0.02},
	} {
		s.Proxy.Inject(faults)
		c.faulty = round > 0
		var left atomic.Int64
		left.Store(int64(randomMutations / 2))
		var group errgroup.Group
		for worker := range randomWorkers {
			random := rand.New(rand.NewPCG(soak.Seed, uint64(round*randomWorkers+worker)))
			group.Go(func() error {
				for left.Add(-1) >= 0 {
					if err := c.step(t.Context(), random); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	s.Proxy.Inject(tabletest.Faults{})
	c.faulty = false
	s.checkTable(t)
	sent, random := randomMutations, rand.New(rand.NewPCG(soak.Seed, 2*randomWorkers))
	// A rare outcome came about a few times, or by chance not yet.
	for ; c.missing() != "" && sent < 10*randomMutations; sent++ {
		fatal.If(t, c.step(t.Context(), random))
	}
	s.sweep(t)
	s.checkTable(t)
	if outcome := c.missing(); outcome != "" {
		t.Errorf("%q never came about: %v", outcome, c.outcomes)
	}
	known := 0
	for _, n := range c.outcomes {
		known += n
	}
	if known != sent {
		t.Errorf("%d of %d mutations were answered", known, sent)
	}
}

// missing returns an outcome that has not come about; "" if all have.
func (c *crowd) missing() string {
	for _, outcome := range []string{
		"create", "create TAKEN", "update", "update TAKEN", "update CONFLICT", "follow", "follow ALREADY", "follow INVALID",
		"unfollow", "unfollow NOT_FOUND", "delete", "delete CONFLICT", "delete NOT_FOUND",
		"place", "place KEY_REUSED", "move", "move CONFLICT", "move ILLEGAL_TRANSITION", "cancel", "cancel NOT_FOUND",
	} {
		if c.outcomes[outcome] == 0 {
			return outcome
		}
	}
	return ""
}

// pick returns a random object, with a version that it has had.
func (c *crowd) pick(random *rand.Rand, from *[]payload) payload {
	c.mu.Lock()
	defer c.mu.Unlock()
	return (*from)[random.IntN(len(*from))]
}

// pickDeleted returns a random user that was deleted, or before the first deletion the given one.
func (c *crowd) pickDeleted(random *rand.Rand, user payload) payload {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.deleted) == 0 {
		return user
	}
	return c.deleted[random.IntN(len(c.deleted))]
}

func (c *crowd) step(ctx context.Context, random *rand.Rand) error {
	user, other, order := c.pick(random, &c.users), c.pick(random, &c.users), c.pick(random, &c.orders)
	email := fmt.Sprintf("user%d@example.org", random.IntN(100))
	var name, mutation string
	var in input
	switch random.IntN(10) {
	case 0:
		name, mutation, in = "create", createUser, input{"name": "New", "email": email}
		if random.IntN(3) == 0 {
			if random.IntN(3) == 0 {
				user = c.pickDeleted(random, user)
			}
			name, mutation, in = "delete", deleteUser, input{"userId": user.id, "version": user.version}
		}
	case 1, 2:
		name, mutation, in = "update", updateUser, input{"userId": user.id, "version": user.version, "name": "Changed"}
		if random.IntN(2) == 0 {
			in["email"] = email
		}
	case 3, 4:
		name, mutation, in = "follow", followUser, input{"userId": user.id, "followeeId": other.id}
	case 5:
		name, mutation, in = "unfollow", unfollowUser, input{"userId": user.id, "followeeId": other.id}
	case 6, 7:
		key := fmt.Sprintf("key%d", random.IntN(30))
		name, mutation, in = "place", placeOrder, input{"userId": user.id, "idempotencyKey": key, "currency": "EUR",
			"lines": lines(1 + random.IntN(4))}
	case 8:
		status := []string{"PAID", "SHIPPED", "DELIVERED", "CANCELLED"}[random.IntN(4)]
		name, mutation, in = "move", updateOrderStatus, input{"orderId": order.id, "version": order.version, "status": status}
	default:
		c.mu.Lock()
		customer := c.owners[order.id]
		c.mu.Unlock()
		if random.IntN(4) == 0 {
			customer = other.id
		}
		name, mutation, in = "cancel", cancelOrder, input{"userId": customer, "orderId": order.id, "version": order.version}
	}
	p, err := c.attempt(ctx, mutation, in)
	switch {
	case c.faulty && isUnavailable(err):
		p.codes = loaders.CodeUnavailable
	case err != nil:
		return fmt.Errorf("%s %v: %w", name, in, err)
	}
	c.note(name, in, p)
	return nil
}

func (c *crowd) note(name string, in input, p payload) {
	c.mu.Lock()
	defer c.mu.Unlock()
	outcome := name
	if p.codes != "" {
		outcome += " " + p.codes
	}
	c.outcomes[outcome]++
	if outcome == "delete" {
		c.deleted = append(c.deleted, payload{id: in["userId"].(string), version: in["version"].(int)})
	}
	if p.id == "" {
		return
	}
	switch name {
	case "create", "update":
		c.users = append(c.users, p)
	case "place":
		c.owners[p.id] = in["userId"].(string)
		c.orders = append(c.orders, p)
	case "move", "cancel":
		c.orders = append(c.orders, p)
	}
}
