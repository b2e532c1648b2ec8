package cache

import (
	"time"

	"github.com/partita/partita/internal/live"
)

var _ live.Sink = (*Cache)(nil)

// Deliver implements live.Sink: it evicts the items of the changes.
func (c *Cache) Deliver(delivered []*live.Change) {
	now := c.now()
	for _, change := range delivered {
		c.changed(itemID{change.Tenant, change.Key}, now, &c.counts.changed)
	}
}

// Current implements live.Sink. Items that were read before the first call are not kept: what changed earlier may not
// be delivered.
func (c *Cache) Current(at time.Time) {
	now := c.now()
	current := now - max(0, int64(time.Since(at)))
	if c.current.Load() == 0 {
		c.items.reset(now)
	}
	set(&c.current, current)
}

// Lost implements live.Sink: it evicts all items.
func (c *Cache) Lost(error) {
	c.current.Store(0)
	c.items.reset(c.now())
}
