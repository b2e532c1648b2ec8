package cache

import "sync/atomic"

// counts are sums since the start.
type counts struct {
	// joined are Reads that were answered by the request of another operation, scoped those of the same scope.
	joined, scoped atomic.Int64
	// hits are Reads that were answered with an item that is kept; misses are the others of items.
	hits, misses atomic.Int64
	// changed, written, aged and displaced are items that were evicted, by cause: the stream, own writes, their age, and
	// the bytes of others.
	changed, written, aged, displaced atomic.Int64
}

// Reused returns how many Reads were answered without a request of their own, by what: the request of another
// operation, a Read of the same scope, or an item that is kept.
func (c *Cache) Reused() map[string]int64 {
	return map[string]int64{
		"request": c.counts.joined.Load(), "scope": c.counts.scoped.Load(), "item": c.counts.hits.Load(),
	}
}

// Misses returns how many Reads by key were not answered with an item that is kept; 0 if none are kept.
func (c *Cache) Misses() int64 { return c.counts.misses.Load() }

// Evictions returns how many items were evicted, by cause: a change in the stream, an own write, Settings.MaxAge or
// Settings.Bytes.
func (c *Cache) Evictions() map[string]int64 {
	return map[string]int64{
		"change": c.counts.changed.Load(), "write": c.counts.written.Load(),
		"age": c.counts.aged.Load(), "space": c.counts.displaced.Load(),
	}
}

// IsUsed reports whether Reads are answered with items that are kept: the stream has been read up to a short time ago.
func (c *Cache) IsUsed() bool { return c.items != nil && c.isCurrent(c.now()) }

// Size returns how many items are kept, and how many bytes they use.
func (c *Cache) Size() (items int, bytes int64) { return c.items.size() }
