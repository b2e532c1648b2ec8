package cache

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/item"
)

// items are those that are kept. Those of a nil pointer are none.
type items struct {
	most   int64
	counts *counts

	mu sync.Mutex
	// byID never has as many items as it could have: bytes are the limit.
	byID  *simplelru.LRU[itemID, kept]
	bytes int64
	// source is the number of the Reads whose items are kept, and since is when the first of them may have begun.
	source uint64
	since  int64
}

// kept is an item, nil if there is none in the table, and when its Read began.
type kept struct {
	item  item.Item
	began int64
	bytes int64
}

func newItems(most int64, counts *counts) *items {
	s := &items{most: most, counts: counts}
	// The only error is that of a size that is not positive.
	s.byID, _ = simplelru.NewLRU(math.MaxInt, func(_ itemID, k kept) { s.bytes -= k.bytes })
	return s
}

// find returns the item of a Read, nil if there is none in the table. It reports whether that is known from a Read of
// the same source that began after a time.
func (s *items) find(id getID, after int64) (it item.Item, isKnown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id.of != s.source {
		return nil, false
	}
	k, isKnown := s.byID.Get(id.itemID)
	if isKnown && k.began <= after {
		s.byID.Remove(id.itemID)
		s.counts.aged.Add(1)
		return nil, false
	}
	return k.item, isKnown
}

// add keeps the item of a Read that began at a time, nil for none, unless the Read may have returned what was there
// before a change: settled is that time without the one in which reads settle.
func (s *items) add(id getID, it item.Item, began, settled int64, changed *atomic.Int64) {
	owned, k := id.itemID, kept{began: began}
	owned, k.item, k.bytes = own(owned, it)
	if k.bytes > s.most {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// An item is evicted after its change has been noted, so that it is not added afterwards.
	if id.of != s.source || settled < s.since || settled < changed.Load() {
		return
	}
	s.byID.Remove(owned)
	s.byID.Add(owned, k)
	s.bytes += k.bytes
	for s.bytes > s.most {
		s.byID.RemoveOldest()
		s.counts.displaced.Add(1)
	}
}

// evict removes an item that has changed.
func (s *items) evict(id itemID, count *atomic.Int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID.Remove(id) {
		count.Add(1)
	}
}

// reset removes all items, and those of Reads that begin before a time are not added.
func (s *items) reset(since int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID.Purge()
	s.since = since
}

// use makes the Reads with the number the source of items, and removes those of others.
func (s *items) use(source uint64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID.Purge()
	s.source = source
}

// size returns how many items there are, and their bytes.
func (s *items) size() (count int, bytes int64) {
	if s == nil {
		return 0, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID.Len(), s.bytes
}
