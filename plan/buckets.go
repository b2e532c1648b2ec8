package plan

import (
	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/keys/design"
)

// InOrder reports whether the Reads of a condition are sent in their order until the page is full: those of time
// buckets, unless the field returns the whole collection.
func InOrder(c *design.Condition) bool { return isReadInOrder(c.Field) }

func isReadInOrder(f *design.Field) bool { return f.Bucketed() != "" && f.Result != design.Many }

// partitions returns the maximum number of partitions that a page of a field reads. The error is a keys.InputError.
func (b *Bound) partitions(f *Field) (int, error) {
	n, hasNoBeginning, err := f.Read.PartitionCount(b.values(f, nil), b.Now)
	a := b.Arguments(f)
	if err == nil && hasNoBeginning && !a.Paging.hasCursor() && f.Read.Descending == a.Window.Backward {
		return 0, f.Read.NeedsFrom()
	}
	return n, err
}

// NextBuckets returns how many time buckets the next wave of a page reads. read are the numbers of items of the
// buckets that have been read, and missing is how many items the page lacks.
//
// The first wave reads one bucket. The next ones read as many as contain the missing items if the others are as full as
// those before, and at least as many as have been read so far, so that a gap in time needs few waves. They read at most
// design.BucketsAtOnce, because all of them may have all that is missing.
func NextBuckets(w Window, read []int, missing int) int {
	n := max(1, len(read))
	if w.Cursor != nil && len(read) > 0 {
		read = read[1:] // A page before this one has items of that bucket.
	}
	items := 0
	for _, found := range read {
		items += found
	}
	if items > 0 {
		n = max(n, (missing*len(read)+items-1)/items)
	}
	return min(n, design.BucketsAtOnce)
}

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
