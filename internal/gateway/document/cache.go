package document

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
)

// A Document is a valid document with its plans.
type Document struct {
	Source string
	AST    *ast.QueryDocument
	Plans  *plan.Document
	// charged is how many bytes of the cache it takes.
	charged atomic.Int64
}

// Size returns an upper estimate of the memory of the document with its plans, in bytes.
func (d *Document) Size() int64 { return int64(len(d.Source) + d.Plans.Bytes()) }

// documentCache has the documents that were used last, with their plans. It is limited in bytes, as plan.Document
// estimates them, because one document may have a hundred times the size of another.
type documentCache struct {
	mu      sync.Mutex
	recent  *simplelru.LRU[string, *Document]
	bytes   int64
	maximum int64
}

// largestShare is the part of the cache that one document may take.
const largestShare = 8

func newDocumentCache(maximum int64) *documentCache {
	c := &documentCache{maximum: maximum}
	recent, err := simplelru.NewLRU(math.MaxInt, func(_ string, d *Document) { c.bytes -= d.charged.Load() })
	if err != nil {
		panic(err) // the size above is not positive
	}
	c.recent = recent
	return c
}

// get returns a document that was added before, or nil.
func (c *documentCache) get(source string) *Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, _ := c.recent.Get(source)
	return d
}

// keep adds a document, or updates its size if it has more plans than before. It removes the documents that were not
// used for longest until the cache is within its limit.
func (c *documentCache) keep(d *Document) {
	size := d.Size()
	if size == d.charged.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch kept, _ := c.recent.Peek(d.Source); {
	case kept != nil && kept != d: // another request has added the same document
		return
	case size > c.maximum/largestShare:
		c.recent.Remove(d.Source)
		return
	case kept == nil:
		d.charged.Store(0)
		c.recent.Add(d.Source, d)
	}
	c.bytes += size - d.charged.Swap(size)
	for c.bytes > c.maximum {
		c.recent.RemoveOldest()
	}
}
