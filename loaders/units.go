package loaders

import (
	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/loaders/request"
)

// readCapacity is what the reads of one wave send and consume. The numbers are floating point,
// because they are multiplied at each level of an operation, before it is known to be too large.
type readCapacity struct {
	queries, gets, units float64
}

func (c readCapacity) plus(d readCapacity, times float64) readCapacity {
	return readCapacity{
		queries: bounded(c.queries + times*d.queries),
		gets:    bounded(c.gets + times*d.gets),
		units:   bounded(c.units + times*d.units),
	}
}

func (c readCapacity) max(d readCapacity) readCapacity {
	return readCapacity{max(c.queries, d.queries), max(c.gets, d.gets), max(c.units, d.units)}
}

// bounded keeps products along a deep operation from becoming infinite.
func bounded(n float64) float64 { return min(n, 1e200) }

// queryCapacity returns what a Query of one partition for at most n items of at most maxBytes
// consumes.
func queryCapacity(n, maxBytes int, strong bool) readCapacity {
	requests, units := capacity.Query(n, maxBytes, strong)
	return readCapacity{queries: float64(requests), units: units}
}

// getCapacity returns what n Gets of items of at most maxBytes consume.
func getCapacity(n, maxBytes int, strong bool) readCapacity {
	return readCapacity{gets: float64(n), units: float64(n) * capacity.Get(maxBytes, strong)}
}

// requests returns how many DynamoDB requests a wave sends: all its Gets share BatchGetItems.
func (c readCapacity) requests() float64 {
	batches := float64(int64(min(c.gets, 1e15)+request.MaxBatchKeys-1) / request.MaxBatchKeys)
	return c.queries + batches
}
