package rest

import (
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/bench/internal/service"
)

type money struct {
	Amount   int    `json:"amount"`
	Currency string `json:"currency"`
}

func newMoney(a attributes, name string) money {
	amount, currency := a.Money(name)
	return money{amount, currency}
}

// order answers with an order and its lines, which are one partition: a Query.
func (h handlers) order(r *http.Request) (any, error) {
	value, err := parseID("Order", r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	// ITEM# sorts before ORDER#, and an order has 96 lines at most.
	items, err := h.table.query(r.Context(), query{pk: "ORDER#" + value, sk: "ITEM#", from: true, limit: 100})
	if err != nil {
		return nil, err
	}
	if len(items) == 0 || items[len(items)-1].Text("SK") != "ORDER#"+value {
		return nil, errNotFound
	}
	o, lines := items[len(items)-1], items[:len(items)-1]
	if !service.ViewerOf(r.Context()).MayRead(o.Text("userId")) {
		return nil, errForbidden
	}
	type line struct {
		Line     int    `json:"line"`
		Sku      string `json:"sku"`
		Name     string `json:"name"`
		Quantity int    `json:"quantity"`
		Price    money  `json:"price"`
	}
	type connection struct {
		Nodes []line `json:"nodes"`
	}
	type order struct {
		ID        string     `json:"id"`
		Status    string     `json:"status"`
		CreatedAt time.Time  `json:"createdAt"`
		Total     money      `json:"total"`
		Items     connection `json:"items"`
	}
	nodes := make([]line, len(lines))
	for i, l := range lines {
		nodes[i] = line{l.Int("line"), l.Text("sku"), l.Text("name"), l.Int("quantity"), newMoney(l, "price")}
	}
	return struct {
		Order order `json:"order"`
	}{order{
		id("Order", value), o.Text("status"), service.ParseTime(o.Text("createdAt")), newMoney(o, "total"),
		connection{nodes},
	}}, nil
}

// orders answers with a user's newest orders and their first lines: a Query for the user and the orders, which sort
// before the user, then one for the lines of each order.
func (h handlers) orders(r *http.Request) (any, error) {
	value, err := parseID("User", r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if !service.ViewerOf(r.Context()).MayRead(value) {
		return nil, errForbidden
	}
	first, err := pageSize(r, "first")
	if err != nil {
		return nil, err
	}
	items, err := h.table.query(r.Context(),
		query{pk: "USER#" + value, sk: "ORDER#", from: true, descending: true, limit: first + 1})
	if err != nil {
		return nil, err
	}
	if len(items) == 0 || items[0].Text("SK") != "USER#"+value {
		return nil, errNotFound
	}
	u, orders := items[0], items[1:]
	lines, err := h.linesOf(r, orders)
	if err != nil {
		return nil, err
	}
	return userWithOrders(u, orders, lines), nil
}

func userWithOrders(u attributes, orders []attributes, lines [][]attributes) any {
	type line struct {
		Sku      string `json:"sku"`
		Quantity int    `json:"quantity"`
	}
	type itemConnection struct {
		Nodes []line `json:"nodes"`
	}
	type order struct {
		ID     string         `json:"id"`
		Status string         `json:"status"`
		Items  itemConnection `json:"items"`
	}
	type orderConnection struct {
		Nodes []order `json:"nodes"`
	}
	type user struct {
		Name   string          `json:"name"`
		Orders orderConnection `json:"orders"`
	}
	nodes := make([]order, len(orders))
	for i, o := range orders {
		its := make([]line, len(lines[i]))
		for j, l := range lines[i] {
			its[j] = line{l.Text("sku"), l.Int("quantity")}
		}
		nodes[i] = order{id("Order", o.Text("id")), o.Text("status"), itemConnection{its}}
	}
	return struct {
		User user `json:"user"`
	}{user{u.Text("name"), orderConnection{nodes}}}
}

// statusShards is over how many partitions the orders in a state are spread.
const statusShards = 4

// ordersByStatus answers with the oldest orders in a state and their customers: a Query for each shard, then a
// BatchGetItem.
func (h handlers) ordersByStatus(r *http.Request) (any, error) {
	orders, more, err := h.oldest(r)
	if err != nil {
		return nil, err
	}
	keys := make([]key, len(orders))
	for i, o := range orders {
		keys[i] = userKey(o.Text("userId"))
	}
	customers, err := getAll(r.Context(), h.table, distinct(keys))
	if err != nil {
		return nil, err
	}
	type customer struct {
		Name string `json:"name"`
	}
	type order struct {
		ID        string    `json:"id"`
		CreatedAt time.Time `json:"createdAt"`
		Total     money     `json:"total"`
		Customer  *customer `json:"customer"`
	}
	type edge struct {
		Cursor string `json:"cursor"`
		Node   order  `json:"node"`
	}
	type pageInfo struct {
		HasNextPage bool `json:"hasNextPage"`
	}
	type connection struct {
		Edges    []edge   `json:"edges"`
		PageInfo pageInfo `json:"pageInfo"`
	}
	edges := make([]edge, len(orders))
	for i, o := range orders {
		edges[i] = edge{cursor(o.Text("GSI1SK")), order{
			ID: id("Order", o.Text("id")), CreatedAt: service.ParseTime(o.Text("createdAt")), Total: newMoney(o, "total"),
		}}
		if c := customers[keys[i]]; c != nil {
			edges[i].Node.Customer = &customer{c.Text("name")}
		}
	}
	return struct {
		Orders connection `json:"ordersByStatus"`
	}{connection{edges, pageInfo{more}}}, nil
}

// ordersWithItems answers with the oldest orders in a state and their first lines: a Query for each shard, then one for
// the lines of each order.
func (h handlers) ordersWithItems(r *http.Request) (any, error) {
	orders, _, err := h.oldest(r)
	if err != nil {
		return nil, err
	}
	lines, err := h.linesOf(r, orders)
	if err != nil {
		return nil, err
	}
	type line struct {
		Sku      string `json:"sku"`
		Quantity int    `json:"quantity"`
	}
	type itemConnection struct {
		Nodes []line `json:"nodes"`
	}
	type order struct {
		ID    string         `json:"id"`
		Items itemConnection `json:"items"`
	}
	type connection struct {
		Nodes []order `json:"nodes"`
	}
	nodes := make([]order, len(orders))
	for i, o := range orders {
		its := make([]line, len(lines[i]))
		for j, l := range lines[i] {
			its[j] = line{l.Text("sku"), l.Int("quantity")}
		}
		nodes[i] = order{id("Order", o.Text("id")), itemConnection{its}}
	}
	return struct {
		Orders connection `json:"ordersByStatus"`
	}{connection{nodes}}, nil
}

// linesOf returns the first lines of each order: a Query for each.
func (h handlers) linesOf(r *http.Request, orders []attributes) ([][]attributes, error) {
	first, err := pageSize(r, "items")
	if err != nil {
		return nil, err
	}
	lines := make([][]attributes, len(orders))
	group, ctx := errgroup.WithContext(r.Context())
	for i, o := range orders {
		group.Go(func() (err error) {
			lines[i], err = h.table.query(ctx, query{pk: "ORDER#" + o.Text("id"), sk: "ITEM#", limit: first})
			return err
		})
	}
	return lines, group.Wait()
}

// oldest returns the oldest orders in a state, and whether there are more: a Query for each shard.
func (h handlers) oldest(r *http.Request) (orders []attributes, more bool, err error) {
	if !service.ViewerOf(r.Context()).IsAdmin() {
		return nil, false, errForbidden
	}
	first, err := pageSize(r, "first")
	if err != nil {
		return nil, false, err
	}
	status := r.URL.Query().Get("status")
	var shards [statusShards][]attributes
	group, ctx := errgroup.WithContext(r.Context())
	for i := range shards {
		group.Go(func() (err error) {
			// One more than the page, to know whether there is a next one.
			shards[i], err = h.table.query(ctx,
				query{index: "GSI1", pk: "STATUS#" + status + "#" + strconv.Itoa(i), limit: first + 1})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	orders = merge(shards[:], first+1)
	return orders[:min(len(orders), first)], len(orders) > first, nil
}

// merge returns the first n items of sorted lists.
func merge(lists [][]attributes, n int) []attributes {
	var merged []attributes
	for len(merged) < n {
		least := -1
		for i, list := range lists {
			if len(list) > 0 && (least < 0 || list[0].Text("GSI1SK") < lists[least][0].Text("GSI1SK")) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		merged = append(merged, lists[least][0])
		lists[least] = lists[least][1:]
	}
	return merged
}
