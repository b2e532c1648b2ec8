package write

import (
	"slices"

	"github.com/partita/partita/internal/capacity"
)

// Companion is what else a mutation does to keep another form of its objects in the same transaction.
type Companion struct {
	// Writes are the items of the other form that are written, after they have been read.
	Writes []ItemWrite
	// Reads are further items that are read, and Requests how many requests all that is read needs.
	Reads    []ItemWrite
	Requests int
	// IsRead reports whether an item that the mutation itself writes is read for its other form.
	IsRead func(own ItemWrite) bool
	// Shares reports whether an item of the other form is one that the mutation itself writes, and how many bytes that
	// form adds to it at most.
	Shares func(own, other ItemWrite) (more int, shares bool)
}

// With returns the workload with that of a companion.
func (w Workload) With(c Companion) Workload {
	all := Workload{Reads: w.Reads + c.Requests, ReadUnits: w.ReadUnits, Writes: slices.Clone(w.Writes)}
	all.isTransaction = w.isTransaction
	isRead, isShared := make([]bool, len(w.Writes)), make([]bool, len(w.Writes))
	for i, own := range w.Writes {
		isRead[i] = c.IsRead(own)
	}
	for _, other := range c.Writes {
		at, more := c.shared(w.Writes, other, isShared)
		if at < 0 {
			all.Writes, isRead = append(all.Writes, other), append(isRead, true)
			continue
		}
		all.Writes[at].share(other, more)
		isRead[at], isShared[at] = true, true
	}
	times := 2
	if all.IsSingle() {
		times = 1
	}
	for i := range all.Writes {
		one := &all.Writes[i]
		n := max(1, one.Times)
		one.Units = n * (times + one.entries) * capacity.Write(one.bytes)
		if isRead[i] {
			all.ReadUnits += float64(n) * capacity.Get(one.bytes, true)
		}
	}
	for _, one := range c.Reads {
		all.ReadUnits += capacity.Get(one.bytes, true)
	}
	return all
}

// shared returns which of the mutation's own items is one of the other form, -1 for none, and what that adds to it.
func (c *Companion) shared(own []ItemWrite, other ItemWrite, isShared []bool) (at, more int) {
	for i := range own {
		if more, shares := c.Shares(own[i], other); shares && !isShared[i] {
			return i, more
		}
	}
	return -1, 0
}

// share makes the item one of both forms.
func (w *ItemWrite) share(other ItemWrite, more int) {
	w.bytes = min(max(w.bytes, other.bytes)+more, w.bytes+other.bytes)
	isOwn := true
	for _, index := range other.Indexes {
		if !slices.Contains(w.Indexes, index) {
			w.Indexes, isOwn = append(slices.Clip(w.Indexes), index), false
		}
	}
	if isOwn {
		w.entries = max(w.entries, other.entries)
	} else {
		w.entries += other.entries
	}
}
