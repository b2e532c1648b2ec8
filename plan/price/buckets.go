package price

import (
	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/keys/design"
)

// bucketWaves returns how many time buckets each wave of a page reads that reads so many in as many waves as possible.
func bucketWaves(buckets int) []int {
	var waves []int
	for read := 0; read < buckets; {
		n := min(max(1, read), design.BucketsAtOnce, buckets-read)
		waves = append(waves, n)
		read += n
	}
	return waves
}

// inOrderWave returns what the Queries of a page of time buckets consume in all of their waves. each is what the Query
// of one full bucket consumes.
func inOrderWave(buckets int, each wave, consistent bool) wave {
	full, units := capacity.InOrder(buckets, design.BucketsAtOnce, each.units, consistent)
	return wave{queries: float64(buckets-full) + float64(full)*each.queries, units: units}
}

// inOrder spreads the price of a page of time buckets over its waves. The last wave has what the price has beyond an
// empty Query for each bucket.
func (n *pricedField) inOrder(left wave, consistent bool) {
	n.buckets = bucketWaves(n.partitions)
	waves := make([]wave, len(n.buckets))
	for i, buckets := range n.buckets {
		least := wave{}.plus(queryWave(0, 0, consistent), float64(buckets))
		waves[i], left = least, left.plus(least, -1)
	}
	last := &waves[len(waves)-1]
	*last = last.plus(left, 1)
	n.own, n.rest = waves[0], waves[1:]
}
