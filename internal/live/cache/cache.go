package cache

import (
	"cmp"
	"hash/maphash"
	"sync/atomic"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Settings say what operations share. The tags are for kong: a command embeds the struct.
type Settings struct {
	SharedReads string `name:"shared-reads" env:"SHARED_READS" default:"on" enum:"on,off" help:"on: equal Reads of operations that are answered at the same time are sent once; off: each operation sends its own."`

	Bytes int64 `name:"cache-bytes" env:"CACHE_BYTES" default:"0" range:"0..1099511627776" help:"Memory for items that were read by their keys, in bytes; 0 keeps none. Changes in the stream of the table evict them."`
	// MaxAge is how long ago an item may have been read, 30 s by default. Changes evict items; this is for what no stream
	// has, such as an item that has expired.
	MaxAge time.Duration `kong:"-"`
}

// KeepsItems reports whether items are kept.
func (s Settings) KeepsItems() bool { return s.Bytes > 0 }

// Options of a Cache. The zero value of a field is its default.
type Options struct {
	Settings
	// Settle is how long eventually consistent reads may return an item as it was before a change: usually within a
	// second, so 2 s by default.
	//
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
	Settle time.Duration
	// MaxLag is how old the time may be up to which the stream has been read, for items to be returned; 3 s by default.
	MaxLag time.Duration
}

// Cache shares Reads between operations: see the package. It is a live.Sink, and its methods may be called
// concurrently. Sinks whose events read from it get changes after it.
type Cache struct {
	options Options
	// start is an hour before the Cache was made. Times are nanoseconds since then, so that 0 is long ago.
	start time.Time

	gets    *flights[getID]
	queries *flights[queryID]
	changes changes
	items   *items // nil if none are kept
	// current is up to when the stream has been read; 0 if it is not known.
	current atomic.Int64
	// sources is how many Reads have been made.
	sources atomic.Uint64
	counts  counts
}

var _ live.Sink = (*Cache)(nil)

// New returns a Cache that has nothing yet.
func New(o Options) *Cache {
	o.MaxAge = cmp.Or(o.MaxAge, 30*time.Second)
	o.Settle, o.MaxLag = cmp.Or(o.Settle, 2*time.Second), cmp.Or(o.MaxLag, 3*time.Second)
	c := &Cache{
		options: o, start: time.Now().Add(-time.Hour),
		changes: changes{seed: maphash.MakeSeed()},
	}
	c.gets = newFlights[getID](0, c.now, &c.counts.joined)
	c.queries = newFlights[queryID](0, c.now, &c.counts.joined)
	if o.KeepsItems() {
		c.items = newItems(o.Bytes, &c.counts)
	}
	return c
}

// now returns the time.
func (c *Cache) now() int64 { return int64(time.Since(c.start)) }

// isCurrent reports whether the stream has been read up to a short time ago.
func (c *Cache) isCurrent(now int64) bool {
	current := c.current.Load()
	return current > 0 && now-current <= int64(c.options.MaxLag)
}

// wrote evicts what a transaction changes, and lets no operation join what began before.
func (c *Cache) wrote(tenant string, actions []write.Action) {
	now := c.now()
	for i := range actions {
		if a := &actions[i]; a.Kind != write.ActionCheck {
			c.changed(itemID{tenant, a.Key}, now, &c.counts.written)
		}
	}
	set(c.changes.indexes(tenant), now)
}

// changed notes that an item has changed, and then evicts it.
func (c *Cache) changed(id itemID, now int64, evicted *atomic.Int64) {
	set(c.changes.item(id), now)
	set(c.changes.partition(id.tenant, id.key.PK), now)
	c.items.evict(id, evicted)
}

// changes have when items and partitions were last changed, as far as the process knows. Several may be at one place:
// the latest time is that of all of them, which keeps some more Reads from being shared.
type changes struct {
	seed  maphash.Seed
	times [1 << 16]atomic.Int64
}

// item is when an item changed.
func (c *changes) item(id itemID) *atomic.Int64 {
	return &c.times[maphash.Comparable(c.seed, id)%uint64(len(c.times))]
}

// partition is when something in a partition of the table changed.
func (c *changes) partition(tenant string, pk keys.PK) *atomic.Int64 {
	return c.item(itemID{tenant: tenant, key: keys.Key{PK: pk}})
}

// indexes is when something of the tenant was written: a write does not say in which partitions of indexes the item was
// before.
func (c *changes) indexes(tenant string) *atomic.Int64 { return c.item(itemID{tenant: tenant}) }

// set sets a time unless a later one is set.
func set(t *atomic.Int64, now int64) {
	for {
		before := t.Load()
		if before >= now || t.CompareAndSwap(before, now) {
			return
		}
	}
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

// Deliver implements live.Sink: it evicts the items of the changes. It needs only their keys.
func (c *Cache) Deliver(delivered []*live.Change) (needed []*live.Change) {
	now := c.now()
	for _, change := range delivered {
		c.changed(itemID{change.Tenant, change.Key}, now, &c.counts.changed)
	}
	return nil
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
