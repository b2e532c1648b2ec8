package plan

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Price is the worst-case cost of an operation, computed before anything is read.
//
// ReadUnits is an upper bound of what the operation consumes if the table fits the design: all items are within their
// type's maxBytes and all collections within their atMost. It does not include tombstones that a Query reads until they
// are removed, nor the entries of a sharded index with the same sort key as a cursor, beyond one page of them. A field
// without @get and @query is assumed to read each stored object that it returns by a Get, unless it has a @cost.
//
// Units are capacity units as DynamoDB counts them:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
type Price struct {
	// ReadUnits and WriteUnits are capacity units, at most 1e12.
	ReadUnits, WriteUnits float64
	// Objects, at most 1e12, is an upper bound of the objects in the answer, counted at each place and including its
	// root. One with more than fieldsPerObject fields counts as several.
	Objects float64
	// Introspected is how many of the Objects are what __schema and __type return: fieldsPerObject of its fields count as
	// one. It is exact.
	Introspected float64
	// Requests, at most 1e12, and Waves are those of the plan. Waves is no upper bound: a Get that has joined a Query with
	// a Likely chance may wait for the next wave.
	Requests, Waves int
}

// maxPrices limits the prices that a plan keeps.
const maxPrices = 16

// priceCache has the prices of a plan by the sizes that they depend on. Reading it takes no lock.
type priceCache struct {
	mu     sync.Mutex
	prices atomic.Pointer[map[string]Price]
}

func (c *priceCache) get(sizes []byte) (price Price, known bool) {
	if prices := c.prices.Load(); prices != nil {
		price, known = (*prices)[string(sizes)]
	}
	return price, known
}

// put replaces all prices if there are too many: the ones that are still in use are soon there again.
func (c *priceCache) put(sizes []byte, price Price) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prices := map[string]Price{}
	if old := c.prices.Load(); old != nil && len(*old) < maxPrices {
		prices = maps.Clone(*old)
	}
	prices[string(sizes)] = price
	c.prices.Store(&prices)
}
