package testservice

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// Changes writes to a table and passes the changes to a hub, in the order of the writes and without the delay
// of a stream. Its methods may be called concurrently.
type Changes struct {
	Hub   *live.Hub
	table *table.Table
	// tenant is that of the items, "" in a table without tenants.
	tenant string

	mu     sync.Mutex
	items  map[keys.Key]item.Item
	number int
}

// NewChanges returns the Changes of a table that has the items.
func NewChanges(
	tb testing.TB, design *design.Design, engine *tabletest.Engine, items []item.Item, o live.Options,
) *Changes {
	tb.Helper()
	o.Patience = cmp.Or(o.Patience, time.Hour) // without changes, nobody calls Current
	c := &Changes{
		Hub: live.NewHub(design, o), table: engine.Again(tb).Table, items: make(map[keys.Key]item.Item, len(items)),
	}
	tb.Cleanup(c.Hub.Close)
	for _, it := range items {
		c.items[keys.KeyOf(it)] = it
	}
	c.Hub.Current(time.Now())
	return c
}

// OfTenant returns the Changes of a tenant without items, for the same hub. The engine's table has tenants.
func (c *Changes) OfTenant(tb testing.TB, engine *tabletest.Engine, tenant string) *Changes {
	tb.Helper()
	return &Changes{Hub: c.Hub, table: engine.Again(tb).Table, tenant: tenant, items: map[keys.Key]item.Item{}}
}

// Put puts items.
func (c *Changes) Put(tb testing.TB, items ...item.Item) {
	tb.Helper()
	for _, it := range items {
		c.write(tb, write.Action{Kind: write.ActionPut, Key: keys.KeyOf(it), Item: it}, it)
	}
}

// Delete deletes the items with the keys of items.
func (c *Changes) Delete(tb testing.TB, items ...item.Item) {
	tb.Helper()
	for _, it := range items {
		c.write(tb, write.Action{Kind: write.ActionDelete, Key: keys.KeyOf(it)}, nil)
	}
}

// Replace puts the items of an object, and deletes those that it had and has no longer.
func (c *Changes) Replace(tb testing.TB, old, items []item.Item) {
	tb.Helper()
	c.Put(tb, items...)
	for _, it := range old {
		key := keys.KeyOf(it)
		if !slices.ContainsFunc(items, func(o item.Item) bool { return keys.KeyOf(o) == key }) {
			c.Delete(tb, it)
		}
	}
}

func (c *Changes) write(tb testing.TB, a write.Action, item item.Item) {
	tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var w write.Transaction
	w.Add("change", a)
	ctx := request.WithTenant(tb.Context(), c.tenant)
	if _, err := c.table.TransactWriteItems(ctx, w); err != nil {
		tb.Error(err)
		return
	}
	c.number++
	change := &live.Change{
		Key: a.Key, Old: c.items[a.Key], New: item, At: time.Now(), Tenant: c.tenant,
		Shard: "shard" + c.tenant, Sequence: strconv.Itoa(c.number),
	}
	if item == nil {
		delete(c.items, a.Key)
	} else {
		c.items[a.Key] = item
	}
	c.Hub.Deliver([]*live.Change{change})
	c.Hub.Current(time.Now())
}

// Items returns the items that the table has, in no order.
func (c *Changes) Items() []item.Item {
	c.mu.Lock()
	defer c.mu.Unlock()
	items := make([]item.Item, 0, len(c.items))
	for _, it := range c.items {
		items = append(items, it)
	}
	return items
}
