package loaders

import (
	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/loaders/request"
)

// tally is what is sent in one wave. It counts in floating point, because it is
// multiplied at each level of an operation that may be refused for it.
type tally struct {
	queries, gets, units float64
}

func (t tally) plus(u tally, times float64) tally {
	return tally{bounded(t.queries + times*u.queries), bounded(t.gets + times*u.gets), bounded(t.units + times*u.units)}
}

// bounded keeps products along a deep operation from becoming infinite.
func bounded(n float64) float64 { return min(n, 1e200) }

// queryTally is what a Query for at most n items of at most maxBytes takes in one
// partition.
func queryTally(n, maxBytes int, strong bool) tally {
	requests, units := capacity.Query(n, maxBytes, strong)
	return tally{queries: float64(requests), units: units}
}

// getTally is what n Gets take.
func getTally(n, maxBytes int, strong bool) tally {
	return tally{gets: float64(n), units: float64(n) * capacity.Get(maxBytes, strong)}
}

// requests is how many DynamoDB requests a wave sends: all its Gets share
// BatchGetItems.
func (t tally) requests() float64 {
	batches := float64(int64(min(t.gets, 1e15)+request.MaxBatchKeys-1) / request.MaxBatchKeys)
	return t.queries + batches
}
