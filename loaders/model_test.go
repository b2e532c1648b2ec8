package loaders

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// stocks is a design with each kind of collection: one partition, shards with sort keys that need not be unique,
// time buckets; in both orders.
var stocks = design.MustDesign(
	nil,
	[]*design.Type{
		{
			Name: "Order", Identity: []string{"id"}, Expires: "ttl",
			Item: keys.Shape{PK: keys.MustTemplate("SHOP"), SK: keys.MustTemplate("ORDER#{at:02}#{id}")},
			Copies: []design.Copy{{Shape: keys.Shape{PK: keys.MustTemplate("DAY#{at:day}"),
				SK: keys.MustTemplate("{at}#{id}")}}},
			Indexes: []design.Index{{
				Name: "GSI1", Shards: 3,
				Shape: keys.Shape{PK: keys.MustTemplate("SHOP"), SK: keys.MustTemplate("{at:02}")},
			}},
		},
	},
	[]*design.Field{
		collection("ordersOf", "", "SHOP", "ORDER#", false),
		collection("ordersDown", "", "SHOP", "ORDER#", true),
		collection("byShop", "GSI1", "SHOP", "", false),
		collection("byShopDown", "GSI1", "SHOP", "", true),
		collection("byDay", "", "DAY#{at:day}", "", false),
		collection("byDayDown", "", "DAY#{at:day}", "", true),
	},
)

func collection(name, index, pk, sk string, descending bool) *design.Field {
	kind := keys.Int
	if strings.HasPrefix(name, "byDay") {
		kind = keys.Time
	}
	return &design.Field{
		Parent: "Query", Name: name, Kind: design.Query, Result: design.Connection,
		Index: index, PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk), Descending: descending,
		Arguments: []keys.Argument{{Name: "at", Kind: kind, Range: true}},
	}
}

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// orders returns the condition of a field over all items of the model.
func orders(t failer, field string) *design.Condition {
	return span(t, field, 0, 99)
}

// span returns the condition of a field over the times between from and to.
func span(t failer, field string, from, to int) *design.Condition {
	t.Helper()
	f := stocks.MustField("Query", field)
	ends := map[string]any{"from": int64(from), "to": int64(to)}
	switch {
	case f.Arguments[0].Kind == keys.Time:
		ends = map[string]any{"from": instant(from), "to": instant(min(to, maxTime))}
	case from == 0 && to > maxTime:
		ends = nil
	}
	c, err := f.Bind(func(string) keys.Value { return keys.ArgumentValue(f.Arguments[0], ends) }).Condition()
	fatal.If(t, err)
	return &c
}

// maxTime is the last time of the model's items. Four of them make a day.
const maxTime = 11

func instant(at int) string { return fmt.Sprintf("2026-01-%02dT%02d:00:00.000Z", 1+at/4, at%4) }

// stock returns an item of the model that has the keys of the table and of the index.
func stock(shard, at, id int) item.Item {
	return item.Item{
		text("PK", "SHOP"), text("SK", fmt.Sprintf("ORDER#%02d#%d", at, id)),
		text("GSI1PK", fmt.Sprint("SHOP#", shard)), text("GSI1SK", fmt.Sprintf("%02d", at)),
	}
}

// model is a table in a slice. It models the order, the bounds and the positions of a Query, with pages of at most
// cut items.
type model struct {
	items []item.Item
	cut   int
	// waves and requests are how many have been sent.
	waves, requests int
}

func (m *model) GetItem(context.Context, request.GetItem) (request.Result, error) {
	panic("the model has only Query")
}

func (m *model) BatchGetItem(context.Context, request.BatchGetItem) (request.Result, error) {
	panic("the model has only Query")
}

func (m *model) TransactWriteItems(context.Context, write.Transaction) (request.Result, error) {
	panic("the model has only Query")
}

// Now implements Source.
func (m *model) Now() time.Time { return modelTime }

// modelTime is the time by the clock of the model.
var modelTime = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)

func (m *model) Query(_ context.Context, q request.Query) (request.Result, error) {
	m.requests++
	at := func(it item.Item) keys.Position {
		key := keys.Key{PK: keys.PK(it.Text("PK")), SK: keys.SK(it.Text("SK"))}
		if q.Index == "" {
			return keys.Position{SK: key.SK}
		}
		return keys.Position{SK: keys.SK(it.Text(keys.IndexSK(q.Index))), Base: key}
	}
	compare := func(a, b keys.Position) int {
		order := cmp.Or(cmp.Compare(a.SK, b.SK), cmp.Compare(a.Base.PK, b.Base.PK), cmp.Compare(a.Base.SK, b.Base.SK))
		if q.Descending {
			return -order
		}
		return order
	}
	from, to := q.Bounds()
	var found []item.Item
	for _, it := range m.items {
		p := at(it)
		switch {
		case it.Text(keys.IndexPK(q.Index)) != string(q.PK):
		case to != "" && (p.SK < from || p.SK > to):
		case !q.Start.IsZero() && compare(p, q.Start) <= 0:
		default:
			found = append(found, it)
		}
	}
	slices.SortFunc(found, func(a, b item.Item) int { return compare(at(a), at(b)) })
	if n := min(q.Limit, m.cut); len(found) > n {
		return request.Result{Items: found[:n], Last: at(found[n-1])}, nil
	}
	return request.Result{Items: found}, nil
}

// page reads one page as an operation would. It returns how many damaged items were omitted.
func (m *model) page(t failer, c *design.Condition, paging Paging) (*Page, int) {
	w, err := paging.Window(c)
	fatal.If(t, err)
	v := &Value{condition: c, window: w}
	v.reads, v.partitions = plan.Reads(c, w)
	for n := v.next(); n > 0; n = v.next() {
		before := len(v.states)
		v.add(n, stateOf)
		x := executorOf(m, 1, places(1))
		x.expiry = stocks.ExpiryAt(m.Now())
		x.run(context.Background(), wave(stocks, v.states[before:]))
		m.waves++
	}
	p := &Page{}
	fatal.If(t, v.assemble(p))
	return p, len(p.omit(func(it item.Item) bool { return it.Text("damaged") != "" }))
}

// TestPagesMakeTheWhole pages through any collection with each size from 1 to 7, in both directions, and compares
// the sequence with that of the model: no gap, no repeat, no tombstone, no expired item, no damaged item.
func TestPagesMakeTheWhole(t *testing.T) {
	type place struct {
		shard, at, id int
		deleted       bool
		expires       int64
		damaged       bool
	}
	now := modelTime.Unix()
	anyPlace := rapid.Custom(func(t *rapid.T) place {
		return place{
			shard:   rapid.IntRange(0, 2).Draw(t, "shard"),
			at:      rapid.IntRange(0, maxTime).Draw(t, "at"),
			id:      rapid.IntRange(0, 30).Draw(t, "id"),
			deleted: rapid.Bool().Draw(t, "deleted"),
			expires: rapid.SampledFrom([]int64{0, now - 1, now, now + 1}).Draw(t, "expires"),
			damaged: rapid.Bool().Draw(t, "damaged"),
		}
	})
	anyPlaces := rapid.SliceOfNDistinct(anyPlace, 0, 30, func(p place) int { return p.id })
	for _, f := range stocks.Fields {
		t.Run(f.Name, rapid.MakeCheck(func(t *rapid.T) {
			m := &model{cut: rapid.IntRange(1, 9).Draw(t, "cut")}
			places := anyPlaces.Draw(t, "items")
			from := rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "from")
			to := rapid.SampledFrom([]int{99, 99, 6}).Draw(t, "to")

			slices.SortFunc(places, func(a, b place) int {
				shards := 0
				if f.Index != "" {
					shards = cmp.Compare(a.shard, b.shard)
				}
				return cmp.Or(cmp.Compare(a.at, b.at), shards, cmp.Compare(fmt.Sprint(a.id), fmt.Sprint(b.id)))
			})
			var want []string
			for _, p := range places {
				it := stock(p.shard, p.at, p.id)
				if f.Arguments[0].Kind == keys.Time {
					it = item.Item{
						text("PK", "DAY#"+instant(p.at)[:10]), text("SK", fmt.Sprintf("%s#%d", instant(p.at), p.id)),
					}
				}
				if p.deleted {
					it = append(it, text(keys.AttributeDeletedAt, instant(0)))
				}
				if p.expires > 0 {
					it = append(it, item.Attribute{Name: "ttl", Value: item.IntValue(p.expires)})
				}
				expired := p.expires > 0 && p.expires <= now
				if p.damaged {
					it = append(it, text("damaged", "yes"))
				}
				m.items = append(m.items, it)
				if p.at >= from && p.at <= to && !p.deleted && !expired && !p.damaged {
					want = append(want, it.Text("SK"))
				}
			}
			if f.Descending {
				slices.Reverse(want)
			}
			c := span(t, f.Name, from, to)
			for size := 1; size <= 7; size++ {
				if got := m.forward(t, c, size); !slices.Equal(got, want) {
					t.Fatalf("forwards by %d:\n got %v\nwant %v", size, got, want)
				}
				if got := m.backward(t, c, size); !slices.Equal(got, want) {
					t.Fatalf("backwards by %d:\n got %v\nwant %v", size, got, want)
				}
			}
		}))
	}
}

func (m *model) forward(t failer, c *design.Condition, size int) []string {
	var all []string
	paging := Paging{First: &size}
	for range len(m.items) + 1 {
		p, omitted := m.page(t, c, paging)
		all = append(all, sortKeys(p)...)
		if p.HasPreviousPage != (paging.After != nil) || p.HasNextPage && !isFull(c, p, omitted, size) {
			t.Fatalf("a page of %d, next %v, previous %v", len(p.Items), p.HasNextPage, p.HasPreviousPage)
		}
		if !p.HasNextPage {
			return all
		}
		paging.After = p.EndCursor()
	}
	t.Fatalf("forwards by %d there is no end: %v", size, all)
	return nil
}

func (m *model) backward(t failer, c *design.Condition, size int) []string {
	var all []string
	paging := Paging{Last: &size}
	for range len(m.items) + 1 {
		p, omitted := m.page(t, c, paging)
		all = append(sortKeys(p), all...)
		if p.HasNextPage != (paging.Before != nil) || p.HasPreviousPage && !isFull(c, p, omitted, size) {
			t.Fatalf("a page of %d, next %v, previous %v", len(p.Items), p.HasNextPage, p.HasPreviousPage)
		}
		if !p.HasPreviousPage {
			return all
		}
		paging.Before = p.StartCursor()
	}
	t.Fatalf("backwards by %d there is no end: %v", size, all)
	return nil
}

// isFull reports whether a page has all items that it can have. One of a range without a lower end may end at its last
// bucket.
func isFull(c *design.Condition, p *Page, omitted, size int) bool {
	return len(p.Items)+omitted == size || c.HasNoBeginning() && len(p.Items) > 0
}

func sortKeys(p *Page) []string {
	sks := make([]string, len(p.Items))
	for i, it := range p.Items {
		sks[i] = it.Text("SK")
	}
	return sks
}
