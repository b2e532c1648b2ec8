package price

import (
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// reader computes what the Reads of a field consume.
type reader struct {
	// Bound is for any viewer.
	*plan.Bound
}

// maxBytes returns the size of the largest item of the types.
func (r reader) maxBytes(types ...string) int {
	size := 1
	for _, name := range types {
		size = max(size, r.Schema.Design.Type(name).MaxBytes)
	}
	return size
}

// resize sets what the Queries of a collection consume, and of how many items there is something below them, for a page
// of this size.
func (r reader) resize(n *field, page int) {
	items, limit := 1, 1
	switch n.read.Result {
	case design.Many:
		items, limit = n.read.AtMost, n.read.AtMost+1
	case design.Connection:
		items, limit = page, page+1
		if r.Arguments(n.Field).IsFiltered(n.read) {
			limit = n.read.AtMost + 1
		}
	}
	n.limit = limit
	if n.read.AtMost > 0 {
		items, limit = min(items, n.read.AtMost), min(limit, n.read.AtMost)
	}
	r.partitioned(n, limit)
	n.setItems(items)
}

// partitioned sets what the Queries of a collection consume that request limit items in each partition. If the
// collection has an atMost, all of them together find no more.
func (r reader) partitioned(n *field, limit int) {
	each, consistent := r.queries(n, 1, limit), r.IsConsistent(n.Field) && n.read.CanBeConsistent()
	inOrder := n.partitions > 1 && plan.InOrder(n.read)
	if n.own = (wave{}).plus(each, float64(n.partitions)); inOrder {
		n.own = inOrderWave(n.partitions, each, consistent)
	}
	if n.partitions > 1 && n.read.AtMost > 0 {
		all := r.queries(n, n.partitions, n.read.AtMost)
		n.own.queries, n.own.units = min(n.own.queries, all.queries), min(n.own.units, all.units)
	}
	if inOrder {
		n.inOrder(n.own, consistent)
	}
}

// queries returns what the Queries of so many partitions consume that find at most limit items together.
func (r reader) queries(n *field, partitions, limit int) wave {
	read, size := n.read, r.maxBytes(n.read.Types...)
	consistent := r.IsConsistent(n.Field) && read.CanBeConsistent()
	w := spreadWave(partitions, limit, size, consistent)
	if r.Arguments(n.Field).Paging.HasCursor() && len(read.Shards()) > 1 && !sortsUniquely(read) {
		// Entries with the cursor's own sort key are skipped, and as many more requested.
		w = w.plus(w, 1)
	}
	if read.Index == "" {
		w = r.joined(n, w, spreadWave(partitions, limit+1, size, consistent), limit)
	}
	if read.HasGap() {
		w = w.plus(w, 1) // The first request may read only items that are not part of the tree.
	}
	return w
}

// joined returns what a Query, which consumes w without a Get, consumes if one joins it. This raises the limit by one,
// with which it consumes more. The Get is priced by itself.
//
// If the Get's item is missing, the Query reads one more item of the collection, which may be larger. If the item comes
// after a collection that is larger than the page, the Query is full without it, and the Get is sent as well. An item
// on the near side, or after a collection that the page covers, is always read by the Query alone.
func (r reader) joined(n *field, w, more wave, limit int) wave {
	read := n.read
	far := design.Above
	if n.isDescending() {
		far = design.Below
	}
	if limit < read.AtMost && plan.JoinsFar(limit, read.AtMost) {
		if _, found := r.Schema.Design.SmallestBeside(read.SK.Leading(), far); found {
			return more
		}
	}
	smallest, found := r.Schema.Design.SmallestBeside(read.SK.Leading())
	saved := capacity.Get(smallest, r.Consistent)
	if found && capacity.Get(r.maxBytes(read.Types...), r.Consistent) > saved {
		w.queries = more.queries
		w.units = max(w.units, more.units-saved)
	}
	return w
}

// inOrder spreads the price of a page of time buckets over its waves. The last wave has what the price has beyond an
// empty Query for each bucket.
func (n *field) inOrder(left wave, consistent bool) {
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

// sortsUniquely reports whether no two items of the collection have equal sort keys, in the same shard or in different
// ones.
func sortsUniquely(read *design.Field) bool {
	for _, m := range read.Matches() {
		variables := append(m.Shape.PK.Variables(), m.Shape.SK.Variables()...)
		for _, name := range m.Type.Identity {
			if !slices.Contains(variables, name) {
				return false
			}
		}
	}
	return true
}
