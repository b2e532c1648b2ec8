// Package capacity computes the capacity units that DynamoDB requests consume.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
//
// It is the only place with these rules: the generated documents and the estimates must not disagree.
package capacity

const (
	// readBlock is the bytes that one strongly consistent read unit reads.
	readBlock = 4096
	// writeBlock is the bytes that one write unit writes.
	writeBlock = 1024
	// queryBytes is the maximum of bytes that one Query request reads.
	queryBytes = 1 << 20
)

// Get returns the read units of a Get, or of one key of a BatchGetItem, for an item of at most
// maxBytes. An item that does not exist counts as one block.
func Get(maxBytes int, consistent bool) float64 {
	return readUnits(blocks(maxBytes, readBlock), consistent)
}

// Query returns the requests and read units at worst of a Query for at most n items of at most
// maxBytes in one partition. The sizes of the items are added up and rounded up once for each
// request. A request ends at 1 MB, at the latest if one more item would not fit.
func Query(n, maxBytes int, consistent bool) (requests int, units float64) {
	size := n * maxBytes
	requests = 1 + size/(queryBytes-maxBytes)
	return requests, readUnits(blocks(size, readBlock)+requests-1, consistent)
}

// Spread returns the requests and read units at worst of Queries of several partitions, one for each, that find at most
// n items of at most maxBytes together. They cost most if one partition has all items: of the others, each rounds up
// once more.
func Spread(partitions, n, maxBytes int, consistent bool) (requests int, units float64) {
	requests, units = Query(n, maxBytes, consistent)
	return requests + partitions - 1, units + float64(partitions-1)*readUnits(1, consistent)
}

// InOrder returns what Queries of several partitions consume at worst if they are sent in order, at most atOnce at a
// time, until they have n items, and each asks for the items that are still missing. units is what one Query for all n
// items consumes. Only the last Queries can have found more than n items together: at worst, each of them has found n,
// and those before them nothing. full is the number of these last Queries.
func InOrder(partitions, atOnce int, units float64, consistent bool) (full int, total float64) {
	full = min(atOnce, max(1, partitions-1))
	least := readUnits(1, consistent)
	return full, float64(full)*units + float64(partitions-full)*least
}

// Write returns the write units of one write of at most maxBytes to an item or to an entry in an
// index. In a transaction, the write of an item counts twice.
func Write(maxBytes int) int { return blocks(maxBytes, writeBlock) }

// blocks returns the number of blocks for so many bytes, at least 1.
func blocks(bytes, block int) int { return max(1, (bytes+block-1)/block) }

// readUnits returns the units to read so many blocks. An eventually consistent read uses half.
func readUnits(blocks int, consistent bool) float64 {
	if consistent {
		return float64(blocks)
	}
	return float64(blocks) / 2
}
