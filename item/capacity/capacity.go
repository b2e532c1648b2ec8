// Package capacity computes the capacity units that DynamoDB requests consume.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
package capacity

const (
	// readBlock is how many bytes one strongly consistent read unit reads.
	readBlock = 4096
	// writeBlock is how many bytes one write unit writes.
	writeBlock = 1024
	// queryBytes is how many bytes one Query request reads at most.
	queryBytes = 1 << 20
)

// Get is the read units of a Get of an item of at most maxBytes, or of one key of a
// BatchGetItem. An item that does not exist counts as one block.
func Get(maxBytes int, consistent bool) float64 {
	return readUnits(blocks(maxBytes, readBlock), consistent)
}

// Query is what a Query for at most n items of at most maxBytes in one partition takes at
// worst. The sizes of the items are added up and rounded up once for each request. A
// request ends at 1 MB, at the latest when one more item would not fit.
func Query(n, maxBytes int, consistent bool) (requests int, units float64) {
	size := n * maxBytes
	requests = 1 + size/(queryBytes-maxBytes)
	return requests, readUnits(blocks(size, readBlock)+requests-1, consistent)
}

// Write is the write units of one write of an item, or of an entry in an index, of
// at most maxBytes. A transaction takes twice as many for each item.
func Write(maxBytes int) int { return blocks(maxBytes, writeBlock) }

// blocks is how many blocks hold so many bytes, at least 1.
func blocks(bytes, block int) int { return max(1, (bytes+block-1)/block) }

// readUnits are the units of reading so many blocks: an eventually consistent read takes
// half.
func readUnits(blocks int, consistent bool) float64 {
	if consistent {
		return float64(blocks)
	}
	return float64(blocks) / 2
}
