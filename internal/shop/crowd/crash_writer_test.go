package crowd

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/keys"
)

// The mutations as writers send them.
const (
	sendCreateUser = `mutation($input: CreateUserInput!) {
		m: createUser(input: $input) { user { id version } userErrors { code } } }`
	sendUpdateUser = `mutation($input: UpdateUserInput!) {
		m: updateUser(input: $input) { user { id version } userErrors { code } } }`
	sendDeleteUser = `mutation($input: DeleteUserInput!) { m: deleteUser(input: $input) { userErrors { code } } }`
	sendFollowUser = `mutation($input: FollowUserInput!) {
		m: followUser(input: $input) { follow { followedAt } userErrors { code } } }`
	sendUnfollowUser = `mutation($input: UnfollowUserInput!) { m: unfollowUser(input: $input) { userErrors { code } } }`
	sendPlaceOrder   = `mutation($input: PlaceOrderInput!) {
		m: placeOrder(input: $input) { order { id version } userErrors { code } } }`
	sendMoveOrder = `mutation($input: UpdateOrderStatusInput!) {
		m: updateOrderStatus(input: $input) { order { id version } userErrors { code } } }`
	sendCancelOrder = `mutation($input: CancelOrderInput!) {
		m: cancelOrder(input: $input) { order { id version } userErrors { code } } }`
)

// popularUsers is the number of users that all writers follow and unfollow.
const popularUsers = 10

// crowd is a number of writers, each with a user of its own.
type crowd struct {
	writers []*writer
	// popular are the users that all writers follow and none changes.
	popular []*account
	stopped atomic.Bool
	// pause is between the mutations of a writer, in tests that wait for something else than their number.
	pause time.Duration
	// history has what was written, if a test needs more than the ledger.
	history *history
}

func newCrowd(ctx context.Context, s *crowdtest.Service, writers int) (*crowd, error) {
	c := &crowd{}
	for _, sender := range crowdtest.NewSenders(writers, s) {
		c.writers = append(c.writers, &writer{
			Sender: sender, crowd: c,
			orders:  map[string]*purchase{},
			follows: map[*account]bool{},
		})
	}
	// The first of them, before anything is killed.
	for len(c.popular) < popularUsers {
		a, err := c.writers[0].createUser(ctx)
		if err != nil {
			return nil, err
		}
		c.popular = append(c.popular, a)
	}
	return c, nil
}

// stop lets each writer finish its current mutation.
func (c *crowd) stop() { c.stopped.Store(true) }

// writer sends mutations. The ledger is what the table must contain afterwards.
type writer struct {
	*crowdtest.Sender
	crowd *crowd

	// The ledger. own is the one of the users who orders and follows.
	own     *account
	guest   *account // one of the users, who is followed and goes again
	users   []*account
	orders  map[string]*purchase // by idempotency key
	follows map[*account]bool    // by own
}

// account is a user in the ledger. The id is "" when only attempts without an
// answer can have made it.
type account struct {
	id, name, email string
	version         int
}

// raw returns the id as it is stored.
func (a *account) raw() string {
	id, _ := keys.ParseID(a.id)
	return id.Value()
}

// purchase is an order in the ledger.
type purchase struct {
	id, status     string
	lines, version int
}

func (w *writer) run(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	for !w.crowd.stopped.Load() {
		if err := w.step(ctx); err != nil {
			return err
		}
		time.Sleep(w.crowd.pause)
	}
	return nil
}

// begin creates the writer's own user.
func (w *writer) begin(ctx context.Context) (err error) {
	for w.own == nil || w.own.id == "" {
		if w.own, err = w.createUser(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step is one random mutation.
func (w *writer) step(ctx context.Context) error {
	switch n := w.Random.IntN(20); {
	case n == 0:
		_, err := w.createUser(ctx)
		return err
	case n == 1:
		return w.welcome(ctx)
	case n < 4:
		return w.updateUser(ctx, w.own)
	case n < 10:
		return w.follow(ctx, w.crowd.popular[w.Random.IntN(popularUsers)])
	case n < 15 || len(w.orders) == 0:
		return w.placeOrder(ctx, w.Next("key"), 1+w.Random.IntN(5))
	case n < 17:
		return w.repeatOrder(ctx)
	default:
		return w.moveOrder(ctx)
	}
}

func (w *writer) createUser(ctx context.Context) (*account, error) {
	name := w.Next("user")
	a := &account{name: name, email: name + "@example.org", version: 1}
	r, doubt, err := mutate(ctx, w.Sender, sendCreateUser, input{"name": a.name, "email": a.email})
	if err == nil {
		err = expect(r, doubt, "TAKEN")
	}
	if err != nil {
		return nil, fmt.Errorf("createUser %s: %w", name, err)
	}
	a.id = r.User.ID
	w.users = append(w.users, a)
	return a, nil
}

// welcome makes a user and follows it, or deletes it.
func (w *writer) welcome(ctx context.Context) error {
	if w.guest == nil {
		guest, err := w.createUser(ctx)
		if err != nil || guest.id == "" {
			return err
		}
		w.guest = guest
		return w.follow(ctx, guest)
	}
	r, doubt, err := mutate(ctx, w.Sender, sendDeleteUser, input{"userId": w.guest.id, "version": w.guest.version})
	if err == nil {
		err = expect(r, doubt, "NOT_FOUND")
	}
	if err != nil {
		return fmt.Errorf("deleteUser %s: %w", w.guest.name, err)
	}
	w.users = slices.DeleteFunc(w.users, func(a *account) bool { return a == w.guest })
	delete(w.follows, w.guest)
	w.guest = nil
	return nil
}

func (w *writer) updateUser(ctx context.Context, a *account) error {
	in := input{"userId": a.id, "version": a.version, "name": w.Next("name")}
	email := a.email
	if w.Random.IntN(2) == 0 {
		email = w.Next("mail") + "@example.org"
		in["email"] = email
	}
	r, doubt, err := mutate(ctx, w.Sender, sendUpdateUser, in)
	if err == nil {
		err = expect(r, doubt, "CONFLICT")
	}
	if err == nil && r.User.Version != a.version+1 {
		err = fmt.Errorf("version %d", r.User.Version)
	}
	if err != nil {
		return fmt.Errorf("updateUser %v: %w", in, err)
	}
	a.name, a.email, a.version = in["name"].(string), email, a.version+1
	return nil
}

// follow follows the other user, or no longer.
func (w *writer) follow(ctx context.Context, other *account) error {
	in := input{"userId": w.own.id, "followeeId": other.id}
	document, already, sent := sendFollowUser, "ALREADY", time.Now()
	if w.follows[other] {
		document, already = sendUnfollowUser, "NOT_FOUND"
	}
	r, doubt, err := mutate(ctx, w.Sender, document, in)
	if err == nil {
		err = expect(r, doubt, already)
	}
	if err != nil {
		return fmt.Errorf("follow or unfollow %v: %w", in, err)
	}
	w.follows[other] = !w.follows[other]
	w.crowd.history.follow(w.own.id, other.id, r.Follow, sent)
	return nil
}

func (w *writer) order(key string, lines int) input {
	in := make([]input, lines)
	for i := range in {
		in[i] = input{"sku": fmt.Sprintf("SKU-%d", i), "name": "Tea", "quantity": 2, "price": 50}
	}
	return input{"userId": w.own.id, "idempotencyKey": key, "currency": "EUR", "lines": in}
}

func (w *writer) placeOrder(ctx context.Context, key string, lines int) error {
	sent := time.Now()
	r, _, err := mutate(ctx, w.Sender, sendPlaceOrder, w.order(key, lines))
	if err == nil {
		err = expect(r, false, "")
	}
	if err != nil {
		return fmt.Errorf("placeOrder %s: %w", key, err)
	}
	o := &purchase{id: r.Order.ID, status: "PENDING", lines: lines, version: 1}
	w.orders[key] = o
	w.crowd.history.order(w.own.id, o, sent)
	return nil
}

// pick is a random order of the writer's.
func (w *writer) pick() (key string, o *purchase) {
	// Of a map's keys the order differs from run to run; serials do not.
	for {
		key = fmt.Sprintf("%s-key%d", w.Name, 1+w.Random.IntN(w.Serial))
		if o = w.orders[key]; o != nil {
			return key, o
		}
	}
}

// repeatOrder sends a key again: with the same input, or with another one.
func (w *writer) repeatOrder(ctx context.Context) error {
	key, o := w.pick()
	more := w.Random.IntN(2)
	r, _, err := mutate(ctx, w.Sender, sendPlaceOrder, w.order(key, o.lines+more))
	switch {
	case err != nil:
	case more == 1 && r.codes() != "KEY_REUSED":
		err = fmt.Errorf("another order under the key gave %q", r.codes())
	case more == 0 && r.Order.ID != o.id:
		err = fmt.Errorf("the key gave %q and then %q %s", o.id, r.Order.ID, r.codes())
	}
	if err != nil {
		return fmt.Errorf("placeOrder %s again: %w", key, err)
	}
	return nil
}

// moveOrder moves an order to a state that may come next.
func (w *writer) moveOrder(ctx context.Context) error {
	key, o := w.pick()
	sent := time.Now()
	document, in := sendMoveOrder, input{"orderId": o.id, "version": o.version}
	next := map[string]string{"PENDING": "PAID", "PAID": "SHIPPED", "SHIPPED": "DELIVERED"}[o.status]
	switch {
	case next == "":
		return nil // at its end
	case next != "DELIVERED" && w.Random.IntN(3) == 0:
		next, document, in["userId"] = "CANCELLED", sendCancelOrder, w.own.id
	default:
		in["status"] = next
	}
	r, doubt, err := mutate(ctx, w.Sender, document, in)
	if err == nil {
		err = expect(r, doubt, "CONFLICT")
	}
	if err == nil && r.Order.Version != o.version+1 {
		err = fmt.Errorf("version %d", r.Order.Version)
	}
	if err != nil {
		return fmt.Errorf("%s to %s: %w", key, next, err)
	}
	o.status, o.version = next, o.version+1
	w.crowd.history.order(w.own.id, o, sent)
	return nil
}

// summary returns how much the crowd has done.
func (c *crowd) summary() string {
	var all []*crowdtest.Sender
	for _, w := range c.writers {
		all = append(all, w.Sender)
	}
	return crowdtest.Summary(all)
}
