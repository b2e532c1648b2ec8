package loaders

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// ReadKind tells a Get from a Range.
type ReadKind uint8

// A Get is one item by its primary key, a Range some items of a collection in
// the order of their sort keys.
const (
	Get ReadKind = iota
	Range
)

// Read is what a field wants from the table. Equal Reads are the same Read.
type Read struct {
	Kind  ReadKind
	Index string
	PK    keys.PK
	// SK is the sort key of a Get.
	SK keys.SK
	// Prefix, From, To are a Range's condition, as in keys.Condition.
	Prefix   keys.SK
	From, To keys.SK
	// After is where a Range starts, exclusive; the zero value is its beginning.
	After request.Position
	// Skip is a sort key whose items are left out: those that another shard's
	// cursor has passed already. Only the first items of a Range can have it.
	Skip keys.SK
	// Limit is how many items a Range wants, the extra one for hasNextPage
	// included.
	Limit int
	// AtMost is the bound of the collection, 0 for none.
	AtMost     int
	Descending bool
}

func getOf(c keys.Condition) Read {
	return Read{Kind: Get, PK: c.Key.PK, SK: c.Key.SK}
}

func (r Read) key() keys.Key { return keys.Key{PK: r.PK, SK: r.SK} }

// rangesOf are the Reads of a page: one for each partition that can still hold
// items of it. The n-th Read belongs to the partition at the n-th index.
func rangesOf(c keys.Condition, w window) (reads []Read, partitions []int) {
	descending := c.Field.Descending != w.backward
	for i, part := range c.Partitions {
		r := Read{
			Kind:       Range,
			Index:      c.Field.Index,
			PK:         part.PK,
			Prefix:     c.Prefix,
			From:       c.From,
			To:         c.To,
			Limit:      w.count + 1,
			AtMost:     c.Field.AtMost,
			Descending: descending,
		}
		if w.cursor != nil && !r.startAfter(c, *w.cursor, i) {
			continue
		}
		reads = append(reads, r)
		partitions = append(partitions, i)
	}
	return reads, partitions
}

// startAfter moves the Range of partition i behind the cursor in the merged
// order: by sort key, then by partition. It reports whether anything can be
// left there.
func (r *Read) startAfter(c keys.Condition, cursor keys.Position, i int) bool {
	if i == cursor.Partition {
		r.After = request.Position{SK: cursor.SK, Base: cursor.Base}
		return true
	}
	// later: this partition's items come after the cursor's where sort keys are
	// equal.
	later := (i > cursor.Partition) != r.Descending
	if c.Chronological() {
		return later
	}
	r.From, r.To = c.Bounds()
	if r.Descending {
		r.To = cursor.SK
	} else {
		r.From = cursor.SK
	}
	if !later {
		r.Skip = cursor.SK
	}
	return true
}
