package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/bench/internal/service"
)

// noErrors are the user errors of a mutation that succeeds. Mistakes of a person are errors of the request here.
var noErrors = []string{}

func parse(r *http.Request, in any) error {
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(in); err != nil {
		return errInput
	}
	return nil
}

// createUser opens an account: a TransactWriteItems of the user and the claim of the address.
func (h handlers) createUser(r *http.Request) (any, error) {
	var in struct{ Name, Email string }
	if err := parse(r, &in); err != nil {
		return nil, err
	}
	name, email := strings.TrimSpace(in.Name), strings.ToLower(strings.TrimSpace(in.Email))
	if !isText(name, 100) || !isText(email, 254) {
		return nil, errInput
	}
	value := newID()
	claim := key{"EMAIL#" + email, "EMAIL#" + email}
	writes := append(create(values{
		"entityType": "User", "id": value, "name": name, "email": email, "createdAt": now(), "version": 1,
		"orderCount": 0, "followerCount": 0, "followingCount": 0, "GSI1PK": claim.pk, "GSI1SK": "USER#" + value,
	}, userKey(value)), create(values{"userId": value}, claim)...)
	if err := h.table.transact(r.Context(), writes); err != nil {
		return nil, err
	}
	type user struct {
		Name    string `json:"name"`
		Version int    `json:"version"`
	}
	type payload struct {
		User       user     `json:"user"`
		UserErrors []string `json:"userErrors"`
	}
	return struct {
		CreateUser payload `json:"createUser"`
	}{payload{user{name, 1}, noErrors}}, nil
}

// rename changes the caller's name: an UpdateItem.
func (h handlers) rename(r *http.Request) (any, error) {
	var in struct {
		Name    string
		Version int
	}
	if err := parse(r, &in); err != nil {
		return nil, err
	}
	name := strings.TrimSpace(in.Name)
	if !isText(name, 100) {
		return nil, errInput
	}
	u, err := h.table.update(r.Context(), write{
		key: userKey(service.ViewerOf(r.Context()).ID), update: "SET #name = :name, #version = :next",
		condition: "#version = :version", values: values{":name": name, ":version": in.Version, ":next": in.Version + 1},
	})
	if err != nil {
		return nil, err
	}
	type user struct {
		Name    string `json:"name"`
		Version int    `json:"version"`
	}
	type payload struct {
		User       user     `json:"user"`
		UserErrors []string `json:"userErrors"`
	}
	return struct {
		UpdateUser payload `json:"updateUser"`
	}{payload{user{u.Text("name"), u.Int("version")}, noErrors}}, nil
}

// follow lets the caller follow another user: a TransactWriteItems of the edge, its copy and both counters.
func (h handlers) follow(r *http.Request) (any, error) {
	followee, err := parseID("User", r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	follower := service.ViewerOf(r.Context()).ID
	writes := append(create(
		values{"entityType": "Follow", "followerId": follower, "followeeId": followee, "followedAt": now()},
		key{"USER#" + follower, "FOLLOWS#" + followee}, key{"USER#" + followee, "FOLLOWED_BY#" + follower},
	), add(userKey(follower), "followingCount", 1), add(userKey(followee), "followerCount", 1))
	if err := h.table.transact(r.Context(), writes); err != nil {
		return nil, err
	}
	type edge struct {
		FolloweeID string `json:"followeeId"`
	}
	type payload struct {
		Follow     edge     `json:"follow"`
		UserErrors []string `json:"userErrors"`
	}
	return struct {
		FollowUser payload `json:"followUser"`
	}{payload{edge{id("User", followee)}, noErrors}}, nil
}

// placeOrder places an order of the caller: a TransactWriteItems of the order, its copy, its lines, the customer's
// counter and the claim of the idempotency key.
func (h handlers) placeOrder(r *http.Request) (any, error) {
	var in struct {
		IdempotencyKey, Currency string
		Lines                    []orderLine
	}
	if err := parse(r, &in); err != nil {
		return nil, err
	}
	total, err := sum(in.Lines)
	if err != nil || !isText(in.IdempotencyKey, 64) || len(in.Currency) != 3 {
		return nil, errInput
	}
	customer, value, at := service.ViewerOf(r.Context()).ID, newID(), now()
	own := key{"ORDER#" + value, "ORDER#" + value}
	attributes := values{
		"entityType": "Order", "id": value, "userId": customer, "status": "PENDING", "createdAt": at,
		"total": money{total, in.Currency}, "itemCount": len(in.Lines), "version": 1,
	}
	writes := create(attributes, key{"USER#" + customer, "ORDER#" + at + "#" + value})
	writes = append(writes, create(attributes.with(values{
		"GSI1PK": statusKey("PENDING", value), "GSI1SK": at + "#" + value,
	}), own)...)
	for i, l := range in.Lines {
		writes = append(writes, create(values{
			"entityType": "Item", "orderId": value, "userId": customer, "line": i + 1, "sku": l.Sku, "name": l.Name,
			"quantity": l.Quantity, "price": money{l.Price, in.Currency}, "createdAt": at,
			"GSI1PK": "PRODUCT#" + l.Sku, "GSI1SK": at + "#" + value,
		}, key{own.pk, fmt.Sprintf("ITEM#%04d", i+1)})...)
	}
	claim := "PLACED#" + customer + "#" + in.IdempotencyKey
	writes = append(writes, add(userKey(customer), "orderCount", 1))
	writes = append(writes, create(values{"orderId": value}, key{claim, claim})...)
	if err := h.table.transact(r.Context(), writes); err != nil {
		return nil, err
	}
	type order struct {
		Status    string `json:"status"`
		ItemCount int    `json:"itemCount"`
		Total     money  `json:"total"`
		Version   int    `json:"version"`
	}
	type payload struct {
		Order      order    `json:"order"`
		UserErrors []string `json:"userErrors"`
	}
	return struct {
		PlaceOrder payload `json:"placeOrder"`
	}{payload{order{"PENDING", len(in.Lines), money{total, in.Currency}, 1}, noErrors}}, nil
}

type orderLine struct {
	Sku, Name       string
	Quantity, Price int
}

// sum returns what the lines cost.
func sum(lines []orderLine) (total int, err error) {
	if len(lines) < 1 || len(lines) > 96 {
		return 0, errInput
	}
	for _, l := range lines {
		if !isText(l.Sku, 64) || !isText(l.Name, 200) || l.Quantity < 1 || l.Price < 0 {
			return 0, errInput
		}
		total += l.Quantity * l.Price
	}
	return total, nil
}

// before are the states that an order may be in before each.
var before = map[string]string{"PAID": "PENDING", "SHIPPED": "PAID", "DELIVERED": "SHIPPED"}

// move moves an order on: a GetItem, because the key of the copy has the customer and the time of the order, then a
// TransactWriteItems.
func (h handlers) move(r *http.Request) (any, error) {
	if !service.ViewerOf(r.Context()).IsAdmin() {
		return nil, errForbidden
	}
	var in struct {
		Status  string
		Version int
	}
	value, err := parseID("Order", r.PathValue("id"))
	if err == nil {
		err = parse(r, &in)
	}
	if err != nil {
		return nil, err
	}
	own := key{"ORDER#" + value, "ORDER#" + value}
	o, err := h.table.getItem(r.Context(), own)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, errNotFound
	case o.Text("status") != before[in.Status], o.Int("version") != in.Version:
		return nil, errCondition
	}
	const set = "SET #status = :status, #version = :next"
	next := values{":status": in.Status, ":version": in.Version, ":next": in.Version + 1}
	err = h.table.transact(r.Context(), []write{
		{
			key: own, update: set + ", GSI1PK = :pk", condition: "#version = :version",
			values: next.with(values{":pk": statusKey(in.Status, value)}),
		},
		{
			key: key{"USER#" + o.Text("userId"), "ORDER#" + o.Text("createdAt") + "#" + value}, update: set,
			condition: "#version = :version", values: next,
		},
	})
	if err != nil {
		return nil, err
	}
	type order struct {
		Status  string `json:"status"`
		Version int    `json:"version"`
	}
	type payload struct {
		Order      order    `json:"order"`
		UserErrors []string `json:"userErrors"`
	}
	return struct {
		UpdateOrderStatus payload `json:"updateOrderStatus"`
	}{payload{order{in.Status, in.Version + 1}, noErrors}}, nil
}

func isText(text string, most int) bool {
	return text != "" && len(text) <= most && !strings.ContainsAny(text, "#\n\r\t")
}

func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

func newID() string { return uuid.Must(uuid.NewV7()).String() }
