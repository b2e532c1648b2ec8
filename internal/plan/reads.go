package plan

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// ReadKind is Get or Range.
type ReadKind uint8

// A Get reads one item by its primary key, a Range items of a collection in the order of their sort
// keys.
const (
	Get ReadKind = iota
	Range
)

// Read is what a field reads from the table. Equal Reads are the same Read.
type Read struct {
	Kind ReadKind
	// Key is the primary key of a Get.
	Key keys.Key
	// Query is the Query of a Range: its condition as in design.Condition; Limit is the number of items,
	// including the extra one for hasNextPage.
	request.Query
	// Skip is a sort key whose items a Range omits: they come before a cursor in another shard. Only
	// the first items of a Range can have it.
	Skip keys.SK
	// Children begins the sort keys of a tree's Range other than Prefix; "" for other Ranges. See design.Condition.
	Children keys.SK
	// AtMost is the maximum size of the collection; 0 if it is unknown.
	AtMost int
	// Excluding is what a Range omits, and for which equal Gets have other objects.
	Excluding design.Exclusion
}

// IsBetween reports whether an item with the sort key is in the Query of a tree's Range but not in the tree.
func (r *Read) IsBetween(sk keys.SK) bool {
	return r.Children != "" && !keys.InTree(sk, r.Prefix, r.Children)
}

// Reads returns the Reads of a condition: the Get, or one Range for each partition that can have items of the window,
// and the indexes of these partitions. Time buckets are in the order of reading.
func Reads(c *design.Condition, w Window) (reads []Read, partitions []int) {
	switch {
	case c.IsEmpty():
		return nil, nil
	case c.Field.Kind != design.Query:
		return []Read{{Kind: Get, Key: c.Key, Excluding: c.Exclusion()}}, []int{0}
	case c.Field.Result == design.One:
		w.Count-- // Only the first item of each partition is needed.
	}
	return rangesOf(c, w)
}

// ListWindow returns the window of a field without pages: one item for an object, the maximum size of the collection
// for a list.
func ListWindow(f *design.Field) Window {
	if f.Kind == design.Query && f.Result == design.Many {
		return Window{Count: f.AtMost}
	}
	return Window{Count: 1}
}

// ReadWindow returns the window in which a condition is read: the whole collection if filters select among its items.
func ReadWindow(c *design.Condition, w Window) Window {
	if c.IsFiltered() {
		return Window{Count: c.Field.AtMost}
	}
	return w
}

// rangesOf returns the Reads of a page: one for each partition that can have items of it, and the indexes of these
// partitions.
func rangesOf(c *design.Condition, w Window) (reads []Read, partitions []int) {
	descending := c.Field.Descending != w.Backward
	for i := range c.Partitions {
		if descending && c.Chronological() {
			i = len(c.Partitions) - 1 - i
		}
		r := Read{Kind: Range, AtMost: c.Field.AtMost, Children: c.Children, Query: request.Query{
			Index:      c.Field.Index,
			PK:         c.Partitions[i].PK,
			Prefix:     c.Prefix,
			From:       c.From,
			To:         c.To,
			Limit:      w.Count + 1,
			Descending: descending,
		}}
		r.Excluding = c.Exclusion()
		if w.Cursor != nil && !r.startAfter(c, *w.Cursor, i) {
			continue
		}
		reads = append(reads, r)
		partitions = append(partitions, i)
	}
	return reads, partitions
}

// lowestText sorts below every other key. DynamoDB rejects an empty one.
const lowestText = "\x00"

// startAfter starts the Range of partition i after the cursor in the merged order: by sort key, then
// by partition. It reports whether the partition can have items there.
func (r *Read) startAfter(c *design.Condition, cursor design.CursorPosition, i int) bool {
	if i == cursor.Partition {
		r.Start = cursor.Position
		return true
	}
	// later: with equal sort keys, this partition's items come after the cursor's.
	later := (i > cursor.Partition) != r.Descending
	if c.Chronological() {
		return later
	}
	r.From, r.To = c.Bounds()
	if r.Descending {
		if r.To = cursor.SK; c.From == "" && c.Prefix == "" {
			r.From = lowestText // items that are not in the design may be below all of its keys
		}
	} else {
		r.From = cursor.SK
	}
	if !later {
		r.Skip = cursor.SK
	}
	return true
}
