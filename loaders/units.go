package loaders

import "github.com/partita/partita/loaders/request"

// The rules of consumed capacity.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
const (
	// readBlock is what one strongly consistent read unit reads, in bytes.
	readBlock = 4096
	// queryBytes is how much one Query request reads at most, in bytes.
	queryBytes = 1 << 20
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

// blocks is the size in units of a strongly consistent read.
func blocks(bytes int) int { return (bytes + readBlock - 1) / readBlock }

// unitsOf are the read units of that many blocks: an eventually consistent read
// takes half.
func unitsOf(blocks int, strong bool) float64 {
	if strong {
		return float64(blocks)
	}
	return float64(blocks) / 2
}

// queryTally is what a Query for at most n items of at most maxBytes takes in
// one partition: the sum of its items is rounded up once for each request, and a
// request ends at 1 MB, at the latest when one more item would not fit.
func queryTally(n, maxBytes int, strong bool) tally {
	size := n * maxBytes
	requests := 1 + size/(queryBytes-maxBytes)
	return tally{queries: float64(requests), units: unitsOf(max(1, blocks(size))+requests-1, strong)}
}

// getTally is what n Gets take: each is rounded up, one that finds nothing too.
func getTally(n, maxBytes int, strong bool) tally {
	return tally{gets: float64(n), units: float64(n) * unitsOf(blocks(maxBytes), strong)}
}

// requests is how many DynamoDB requests a wave sends: all its Gets share
// BatchGetItems.
func (t tally) requests() float64 {
	batches := float64(int64(min(t.gets, 1e15)+request.MaxBatchKeys-1) / request.MaxBatchKeys)
	return t.queries + batches
}
