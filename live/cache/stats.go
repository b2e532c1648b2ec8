package cache

// Joined returns how many Reads were answered by the request of another operation.
func (c *Cache) Joined() int64 { return c.counts.joined.Load() }

// Scoped returns how many Reads were answered by another operation of their scope.
func (c *Cache) Scoped() int64 { return c.counts.scoped.Load() }

// Hits returns how many Reads were answered with an item that is kept.
func (c *Cache) Hits() int64 { return c.counts.hits.Load() }

// Misses returns how many Reads by key no kept item has answered.
func (c *Cache) Misses() int64 { return c.counts.misses.Load() }

// Evictions returns how many items were evicted, by cause: change is one in the stream, write one of this process, age
// is Options.MaxAge, and space Options.Bytes.
func (c *Cache) Evictions() map[string]int64 {
	return map[string]int64{
		"change": c.counts.changed.Load(), "write": c.counts.written.Load(),
		"age": c.counts.aged.Load(), "space": c.counts.displaced.Load(),
	}
}

// KeepsItems reports whether the Cache may keep items.
func (c *Cache) KeepsItems() bool { return c.items != nil }

// IsUsed reports whether Reads are answered with items that are kept: the stream has been read up to a short time ago.
func (c *Cache) IsUsed() bool { return c.items != nil && c.isCurrent(c.now()) }

// Size returns how many items are kept, and the bytes that they use.
func (c *Cache) Size() (items int, bytes int64) { return c.items.size() }
