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

// Read is what a field reads from the table. Equal Reads are the same Read.
type Read struct {
	Kind ReadKind
	// Key is the primary key of a Get.
	Key keys.Key
	// Query is the Query of a Range: its condition as in keys.Condition, and as
	// Limit the number of items wanted, the extra one for hasNextPage included.
	request.Query
	// Skip is a sort key whose items a Range leaves out: another shard's cursor is
	// past them. Only the first items of a Range can have it.
	Skip keys.SK
	// AtMost is the maximum size of the collection, 0 if unknown.
	AtMost int
}

func getOf(c keys.Condition) Read { return Read{Kind: Get, Key: c.Key} }

// rangesOf are the Reads of a page: one for each partition that can still hold
// items of it. The n-th Read belongs to the partition at the n-th index.
func rangesOf(c keys.Condition, w window) (reads []Read, partitions []int) {
	descending := c.Field.Descending != w.backward
	for i, part := range c.Partitions {
		r := Read{Kind: Range, AtMost: c.Field.AtMost, Query: request.Query{
			Index:      c.Field.Index,
			PK:         part.PK,
			Prefix:     c.Prefix,
			From:       c.From,
			To:         c.To,
			Limit:      w.count + 1,
			Descending: descending,
		}}
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
func (r *Read) startAfter(c keys.Condition, cursor keys.CursorPosition, i int) bool {
	if i == cursor.Partition {
		r.Start = cursor.Position
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
