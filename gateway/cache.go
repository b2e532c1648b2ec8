package gateway

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/plan"
)

// A document is a valid document with its plans.
type document struct {
	source string
	ast    *ast.QueryDocument
	plans  *plan.Document
	// charged is how many bytes of the cache it takes.
	charged atomic.Int64
}

func (d *document) size() int64 { return int64(len(d.source) + d.plans.Bytes()) }

// documentCache has the documents that were used last, with their plans. It is limited in bytes, as plan.Document
// estimates them, because one document may have a hundred times the size of another.
type documentCache struct {
	mu      sync.Mutex
	recent  *simplelru.LRU[string, *document]
	bytes   int64
	maximum int64
}

// largestShare is the part of the cache that one document may take.
const largestShare = 8

func newDocumentCache(maximum int64) *documentCache {
	c := &documentCache{maximum: maximum}
	recent, err := simplelru.NewLRU(math.MaxInt, func(_ string, d *document) { c.bytes -= d.charged.Load() })
	if err != nil {
		panic(err) // the size above is not positive
	}
	c.recent = recent
	return c
}

// get returns a document that was added before, or nil.
func (c *documentCache) get(source string) *document {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, _ := c.recent.Get(source)
	return d
}

// keep adds a document, or updates its size if it has more plans than before. It removes the documents that were not
// used for longest until the cache is within its limit.
func (c *documentCache) keep(d *document) {
	size := d.size()
	if size == d.charged.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch kept, _ := c.recent.Peek(d.source); {
	case kept != nil && kept != d: // another request has added the same document
		return
	case size > c.maximum/largestShare:
		c.recent.Remove(d.source)
		return
	case kept == nil:
		d.charged.Store(0)
		c.recent.Add(d.source, d)
	}
	c.bytes += size - d.charged.Swap(size)
	for c.bytes > c.maximum {
		c.recent.RemoveOldest()
	}
}
