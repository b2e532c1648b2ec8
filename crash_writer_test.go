package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// The mutations as writers send them.
const (
	sendCreateUser = `mutation($input: CreateUserInput!) {
		m: createUser(input: $input) { user { id version } userErrors { code } } }`
	sendUpdateUser = `mutation($input: UpdateUserInput!) {
		m: updateUser(input: $input) { user { id version } userErrors { code } } }`
	sendDeleteUser   = `mutation($input: DeleteUserInput!) { m: deleteUser(input: $input) { userErrors { code } } }`
	sendFollowUser   = `mutation($input: FollowUserInput!) { m: followUser(input: $input) { userErrors { code } } }`
	sendUnfollowUser = `mutation($input: UnfollowUserInput!) { m: unfollowUser(input: $input) { userErrors { code } } }`
	sendPlaceOrder   = `mutation($input: PlaceOrderInput!) {
		m: placeOrder(input: $input) { order { id version } userErrors { code } } }`
	sendMoveOrder = `mutation($input: UpdateOrderStatusInput!) {
		m: updateOrderStatus(input: $input) { order { id version } userErrors { code } } }`
	sendCancelOrder = `mutation($input: CancelOrderInput!) {
		m: cancelOrder(input: $input) { order { id version } userErrors { code } } }`
)

type input map[string]any

// object is a user or an order in a payload.
type object struct {
	ID      string
	Version int
}

// reply is the answer to a mutation.
type reply struct {
	Data struct {
		M *struct {
			User, Order object
			UserErrors  []struct{ Code string }
		}
	}
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// codes are those of the user errors, "" for success.
func (r reply) codes() string {
	var codes []string
	for _, e := range r.Data.M.UserErrors {
		codes = append(codes, e.Code)
	}
	return strings.Join(codes, " ")
}

// popularUsers is the number of users that all writers follow and unfollow.
const popularUsers = 10

// crowd is a number of writers, each with a user of its own.
type crowd struct {
	writers []*writer
	// popular are the users that all writers follow and none changes.
	popular []*account
	stopped atomic.Bool
}

func newCrowd(ctx context.Context, s *service, seed uint64, writers int) (*crowd, error) {
	c := &crowd{}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: writers}}
	for i := range writers {
		c.writers = append(c.writers, &writer{
			service: s, client: client, crowd: c,
			name:    fmt.Sprintf("writer%d", i),
			random:  rand.New(rand.NewPCG(seed, uint64(i)+1)),
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

// writer sends mutations one after the other. An attempt without an answer may have been carried out, so each is sent
// again until there is one. The ledger is what the table must contain afterwards.
type writer struct {
	*service
	client *http.Client
	crowd  *crowd
	name   string
	random *rand.Rand
	serial int

	// The ledger. own is the one of the users who orders and follows.
	own     *account
	guest   *account // one of the users, who is followed and goes again
	users   []*account
	orders  map[string]*purchase // by idempotency key
	follows map[*account]bool    // by own

	// answered and again count mutations, and attempts beyond one of each.
	answered, again int
}

// account is a user in the ledger. The id is "" when only attempts without an
// answer can have made it.
type account struct {
	id, name, email string
	version         int
}

// purchase is an order in the ledger.
type purchase struct {
	id, status     string
	lines, version int
}

func (w *writer) run(ctx context.Context) error {
	for w.own == nil || w.own.id == "" {
		var err error
		if w.own, err = w.createUser(ctx); err != nil {
			return err
		}
	}
	for !w.crowd.stopped.Load() {
		if err := w.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step is one random mutation.
func (w *writer) step(ctx context.Context) error {
	switch n := w.random.IntN(20); {
	case n == 0:
		_, err := w.createUser(ctx)
		return err
	case n == 1:
		return w.welcome(ctx)
	case n < 4:
		return w.updateUser(ctx, w.own)
	case n < 10:
		return w.follow(ctx, w.crowd.popular[w.random.IntN(popularUsers)])
	case n < 15 || len(w.orders) == 0:
		return w.placeOrder(ctx, w.next("key"), 1+w.random.IntN(5))
	case n < 17:
		return w.repeatOrder(ctx)
	default:
		return w.moveOrder(ctx)
	}
}

// next returns a name that no writer has used.
func (w *writer) next(what string) string {
	w.serial++
	return fmt.Sprintf("%s-%s%d", w.name, what, w.serial)
}

// mutate sends the mutation until there is an answer. If doubt is true, an earlier attempt had none and may have been
// carried out.
func (w *writer) mutate(ctx context.Context, mutation string, in input) (r reply, doubt bool, err error) {
	for {
		r, err = w.send(ctx, mutation, in)
		var lost *lostError
		if !errors.As(err, &lost) {
			w.answered++
			return r, doubt, err
		}
		doubt = true
		w.again++
	}
}

// actor returns the input without its userId and the viewer who sends it: that user, or an ADMIN if there is none.
func (in input) actor() (input, viewer.Viewer) {
	text, isUser := in["userId"].(string)
	if !isUser {
		return in, viewer.Viewer{ID: "admin", Roles: []string{"ADMIN"}}
	}
	sent := maps.Clone(in)
	delete(sent, "userId")
	id, _ := keys.ParseID(text)
	return sent, viewer.Viewer{ID: id.Value()}
}

// lostError means that there is no answer.
type lostError struct{ error }

func (w *writer) send(ctx context.Context, mutation string, in input) (r reply, err error) {
	in, as := in.actor()
	body, err := json.Marshal(map[string]any{"query": mutation, "variables": map[string]any{"input": in}})
	if err != nil {
		return r, err
	}
	url, err := w.attempt(ctx)
	if err != nil {
		return r, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return r, err
	}
	request.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(request, as); err != nil {
		return r, err
	}
	response, err := w.client.Do(request)
	if err != nil {
		return r, lost(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
		return r, lost(ctx, err)
	}
	for _, e := range r.Errors {
		if e.Extensions.Code != "UNAVAILABLE" {
			return r, fmt.Errorf("%v: %s: %s", in, e.Extensions.Code, e.Message)
		}
		err = lost(ctx, errors.New(e.Message))
	}
	if err == nil && r.Data.M == nil {
		err = fmt.Errorf("%v: no payload", in)
	}
	return r, err
}

func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &lostError{err}
}

// expect checks the answer against what can be: success, or that an attempt
// before was one, when there is doubt about that.
func expect(r reply, doubt bool, already string) error {
	switch codes := r.codes(); {
	case codes == "", doubt && codes == already:
		return nil
	case codes == already:
		return fmt.Errorf("%s, although no attempt was without an answer", codes)
	default:
		return errors.New(codes)
	}
}

func (w *writer) createUser(ctx context.Context) (*account, error) {
	name := w.next("user")
	a := &account{name: name, email: name + "@example.org", version: 1}
	r, doubt, err := w.mutate(ctx, sendCreateUser, input{"name": a.name, "email": a.email})
	if err == nil {
		err = expect(r, doubt, "TAKEN")
	}
	if err != nil {
		return nil, fmt.Errorf("createUser %s: %w", name, err)
	}
	a.id = r.Data.M.User.ID
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
	r, doubt, err := w.mutate(ctx, sendDeleteUser, input{"userId": w.guest.id, "version": w.guest.version})
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
	in := input{"userId": a.id, "version": a.version, "name": w.next("name")}
	email := a.email
	if w.random.IntN(2) == 0 {
		email = w.next("mail") + "@example.org"
		in["email"] = email
	}
	r, doubt, err := w.mutate(ctx, sendUpdateUser, in)
	if err == nil {
		err = expect(r, doubt, "CONFLICT")
	}
	if err == nil && r.Data.M.User.Version != a.version+1 {
		err = fmt.Errorf("version %d", r.Data.M.User.Version)
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
	mutation, already := sendFollowUser, "ALREADY"
	if w.follows[other] {
		mutation, already = sendUnfollowUser, "NOT_FOUND"
	}
	r, doubt, err := w.mutate(ctx, mutation, in)
	if err == nil {
		err = expect(r, doubt, already)
	}
	if err != nil {
		return fmt.Errorf("follow or unfollow %v: %w", in, err)
	}
	w.follows[other] = !w.follows[other]
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
	r, _, err := w.mutate(ctx, sendPlaceOrder, w.order(key, lines))
	if err == nil {
		err = expect(r, false, "")
	}
	if err != nil {
		return fmt.Errorf("placeOrder %s: %w", key, err)
	}
	w.orders[key] = &purchase{id: r.Data.M.Order.ID, status: "PENDING", lines: lines, version: 1}
	return nil
}

// pick is a random order of the writer's.
func (w *writer) pick() (key string, o *purchase) {
	// Of a map's keys the order differs from run to run; serials do not.
	for {
		key = fmt.Sprintf("%s-key%d", w.name, 1+w.random.IntN(w.serial))
		if o = w.orders[key]; o != nil {
			return key, o
		}
	}
}

// repeatOrder sends a key again: with the same input, or with another one.
func (w *writer) repeatOrder(ctx context.Context) error {
	key, o := w.pick()
	more := w.random.IntN(2)
	r, _, err := w.mutate(ctx, sendPlaceOrder, w.order(key, o.lines+more))
	switch {
	case err != nil:
	case more == 1 && r.codes() != "KEY_REUSED":
		err = fmt.Errorf("another order under the key gave %q", r.codes())
	case more == 0 && r.Data.M.Order.ID != o.id:
		err = fmt.Errorf("the key gave %q and then %q %s", o.id, r.Data.M.Order.ID, r.codes())
	}
	if err != nil {
		return fmt.Errorf("placeOrder %s again: %w", key, err)
	}
	return nil
}

// moveOrder moves an order to a state that may come next.
func (w *writer) moveOrder(ctx context.Context) error {
	key, o := w.pick()
	mutation, in := sendMoveOrder, input{"orderId": o.id, "version": o.version}
	next := map[string]string{"PENDING": "PAID", "PAID": "SHIPPED", "SHIPPED": "DELIVERED"}[o.status]
	switch {
	case next == "":
		return nil // at its end
	case next != "DELIVERED" && w.random.IntN(3) == 0:
		next, mutation, in["userId"] = "CANCELLED", sendCancelOrder, w.own.id
	default:
		in["status"] = next
	}
	r, doubt, err := w.mutate(ctx, mutation, in)
	if err == nil {
		err = expect(r, doubt, "CONFLICT")
	}
	if err == nil && r.Data.M.Order.Version != o.version+1 {
		err = fmt.Errorf("version %d", r.Data.M.Order.Version)
	}
	if err != nil {
		return fmt.Errorf("%s to %s: %w", key, next, err)
	}
	o.status, o.version = next, o.version+1
	return nil
}

// summary returns how much the crowd has done.
func (c *crowd) summary() string {
	answered, again := 0, 0
	for _, w := range c.writers {
		answered += w.answered
		again += w.again
	}
	return fmt.Sprintf("%d mutations were answered; %d attempts had no answer", answered, again)
}
