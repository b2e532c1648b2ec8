package cache

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// kept returns the item of a Get if it is kept: none if it is known that there is none.
func (r *Reads) kept(id getID, now int64) (found []item.Item, isKept bool) {
	c := r.cache
	if c.items == nil {
		return nil, false
	}
	var it item.Item
	if c.isCurrent(now) {
		it, isKept = c.items.find(id, now-int64(c.options.MaxAge))
	}
	if !isKept {
		c.counts.misses.Add(1)
		return nil, false
	}
	c.counts.hits.Add(1)
	if it != nil {
		found = []item.Item{it}
	}
	return found, true
}

// allKept returns what is kept of a BatchGetItem, and the other keys.
func (r *Reads) allKept(tenant string, wanted []keys.Key) (res request.Result, missed []keys.Key) {
	if r.cache.items == nil {
		return res, wanted
	}
	now := r.cache.now()
	for _, key := range wanted {
		found, isKept := r.kept(r.getID(tenant, key), now)
		if !isKept {
			missed = append(missed, key)
			continue
		}
		res.Items = append(res.Items, found...)
		res.ReusedKeys = append(res.ReusedKeys, key)
	}
	res.Reused, res.Unsent = len(res.ReusedKeys), true
	return res, missed
}

// keeps reports whether items are kept: there is room, and a stream that evicts them.
func (c *Cache) keeps() bool { return c.items != nil && c.current.Load() > 0 }

// keep keeps what a Get has returned that began at a time.
func (r *Reads) keep(id getID, found []item.Item, began int64) {
	if !r.cache.keeps() {
		return
	}
	var it item.Item
	if len(found) > 0 {
		it = found[0]
	}
	settled := began - int64(r.cache.options.Settle)
	r.cache.items.add(id, it, began, settled, r.cache.changes.item(id.itemID))
}

// keepAll keeps what a BatchGetItem has returned that began at a time.
func (r *Reads) keepAll(tenant string, wanted []keys.Key, res request.Result, began int64) {
	if !r.cache.keeps() {
		return
	}
	outcomes := outcomesOf(res)
	for _, key := range wanted {
		if o := outcomes[key]; !o.unprocessed {
			r.keep(r.getID(tenant, key), o.items, began)
		}
	}
}
