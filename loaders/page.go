package loaders

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
)

// Page is one page of a connection.
type Page struct {
	// Items are in the order of the field, in both directions of paging.
	Items                        []item.Item
	HasNextPage, HasPreviousPage bool

	condition *design.Condition
	// partitions are those of the items; nil if all of them are from one.
	partitions []int
	partition  int
	// read are the first and the last item that was read, if the page lacks damaged items; otherwise nil.
	read *[2]placed
}

// placed is an item with its partition.
type placed struct {
	item      item.Item
	partition int
}

// Field returns the field that has the connection.
func (p *Page) Field() *design.Field { return p.condition.Field }

// Cursor returns the cursor of the item at index i.
func (p *Page) Cursor(i int) string {
	at := p.at(i)
	return p.condition.Cursor(at.partition, at.item)
}

func (p *Page) at(i int) placed {
	if p.partitions != nil {
		return placed{p.Items[i], p.partitions[i]}
	}
	return placed{p.Items[i], p.partition}
}

// StartCursor returns the cursor of the first item that was read, or nil for an empty range. The page lacks the item if
// it is damaged, but the cursor leads to the items before it.
func (p *Page) StartCursor() *string {
	switch {
	case p.read != nil:
		return p.cursorOf(p.read[0])
	case len(p.Items) == 0:
		return nil
	default:
		return p.cursorOf(p.at(0))
	}
}

// EndCursor returns the cursor of the last item that was read, as StartCursor does.
func (p *Page) EndCursor() *string {
	switch n := len(p.Items); {
	case p.read != nil:
		return p.cursorOf(p.read[1])
	case n == 0:
		return nil
	default:
		return p.cursorOf(p.at(n - 1))
	}
}

func (p *Page) cursorOf(at placed) *string {
	c := p.condition.Cursor(at.partition, at.item)
	return &c
}

// assemble merges the outcomes of the partitions into a page: time buckets one after the other, shards by sort key in
// the direction of reading, and by partition if sort keys are equal. The partitions after those with a state are not
// part of the page.
func assemble(c *design.Condition, w plan.Window, partitions []int, states []*state) (*Page, error) {
	if c.Field.IsMoving() {
		states = withoutRepeats(states)
	}
	n := 0
	for _, s := range states {
		if s.err != nil {
			return nil, s.err
		}
		n += len(s.items)
	}
	p := &Page{condition: c}
	switch {
	case len(states) == 1:
		p.Items, p.partition = states[0].items, partitions[0]
		if w.Backward {
			p.Items = slices.Clone(p.Items)
		}
	case c.Chronological():
		p.concat(partitions, states, n)
	case n > 0:
		p.merge(w, partitions, states, min(n, w.Count))
	}
	more := n > w.Count || goesOn(c, w, partitions, states)
	if len(p.Items) > w.Count {
		p.Items = p.Items[:w.Count]
	}
	p.HasNextPage, p.HasPreviousPage = more, w.Cursor != nil
	if w.Backward {
		p.HasNextPage, p.HasPreviousPage = w.Cursor != nil, more
		slices.Reverse(p.Items)
	}
	if p.partitions != nil {
		p.partitions = p.partitions[:len(p.Items)]
		if w.Backward {
			slices.Reverse(p.partitions)
		}
	}
	return p, nil
}

// goesOn reports whether there may be another page behind one that all time buckets of its own do not fill, because the
// range has further buckets: unless so many at the end are empty that the collection seems to have no more.
func goesOn(c *design.Condition, w plan.Window, partitions []int, states []*state) bool {
	if len(states) < len(partitions) || !c.IsCut(c.Field.Descending != w.Backward) {
		return false
	}
	empty := 0
	for _, s := range slices.Backward(states) {
		if len(s.items) > 0 {
			return empty < keys.MaxBuckets/2
		}
		empty++
	}
	return false
}

// withoutRepeats returns the outcomes without items that an earlier one has as well. Each partition was read for the
// whole page, so enough items remain.
func withoutRepeats(states []*state) []*state {
	seen := map[keys.Key]bool{}
	distinct := make([]*state, len(states))
	for i, s := range states {
		distinct[i] = &state{err: s.err}
		for _, it := range s.items {
			if key := keys.KeyOf(it); !seen[key] {
				seen[key] = true
				distinct[i].items = append(distinct[i].items, it)
			}
		}
	}
	return distinct
}

// omit removes the items that damaged returns true for, and returns them. The items of a Read are shared with other
// pages, so those that remain are copied.
func (p *Page) omit(damaged func(item.Item) bool) []item.Item {
	items := p.Items
	return p.without(func(i int) bool { return damaged(items[i]) })
}

// without is omit for the items at some indexes.
func (p *Page) without(isOmitted func(i int) bool) []item.Item {
	first := 0
	for first < len(p.Items) && !isOmitted(first) {
		first++
	}
	if first == len(p.Items) {
		return nil
	}
	read := *p
	if p.read == nil {
		p.read = &[2]placed{read.at(0), read.at(len(read.Items) - 1)}
	}
	omitted := []item.Item{read.Items[first]}
	p.Items = slices.Clone(read.Items[:first])
	p.partitions = slices.Clone(read.partitions[:min(first, len(read.partitions))])
	for i := first + 1; i < len(read.Items); i++ {
		if isOmitted(i) {
			omitted = append(omitted, read.Items[i])
			continue
		}
		p.Items = append(p.Items, read.Items[i])
		if read.partitions != nil {
			p.partitions = append(p.partitions, read.partitions[i])
		}
	}
	return omitted
}

// reconcile replaces the items with some keys. Those of a Read are shared with other pages, and remain.
func (p *Page) reconcile(shown map[keys.Key]item.Item) {
	p.replace(func(it item.Item) item.Item {
		if other := shown[keys.KeyOf(it)]; other != nil {
			return other
		}
		return it
	})
}

// concat sets the n items of several time buckets, which are in the order of reading.
func (p *Page) concat(partitions []int, states []*state, n int) {
	p.Items, p.partitions = make([]item.Item, 0, n), make([]int, 0, n)
	for i, s := range states {
		p.Items = append(p.Items, s.items...)
		for range s.items {
			p.partitions = append(p.partitions, partitions[i])
		}
	}
}

// merge sets the first count items of several partitions.
func (p *Page) merge(w plan.Window, partitions []int, states []*state, count int) {
	f := p.condition.Field
	attribute, descending := keys.IndexSK(f.Index), f.Descending != w.Backward
	p.Items, p.partitions = make([]item.Item, count), make([]int, count)
	read := make([]int, len(states)) // how many items of each partition are merged
	for n := range p.Items {
		first, least := -1, ""
		for i, s := range states {
			if read[i] == len(s.items) {
				continue
			}
			sk := s.items[read[i]].Text(attribute)
			// Of equal sort keys, that of the lower partition is first, or in the other direction last.
			if first < 0 || descending && sk >= least || !descending && sk < least {
				first, least = i, sk
			}
		}
		p.Items[n], p.partitions[n] = states[first].items[read[first]], partitions[first]
		read[first]++
	}
}
