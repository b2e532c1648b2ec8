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
