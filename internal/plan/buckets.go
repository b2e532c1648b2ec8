package plan

import "github.com/partita/partita/keys/design"

// InOrder reports whether the Reads of a field are sent in their order until the page is full: those of time buckets,
// unless the field returns the whole collection.
func InOrder(f *design.Field) bool { return f.Bucketed() != "" && f.Result != design.Many }

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
