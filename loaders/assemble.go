package loaders

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// assemble merges the outcomes of the partitions into an empty page: time buckets one after the other, shards by sort
// key in the direction of reading, and by partition if sort keys are equal. The partitions after those with a state are
// not part of the page.
func (p *Page) assemble(c *design.Condition, w plan.Window, partitions []int, states []*state) error {
	n := 0
	for _, s := range states {
		if s.err != nil {
			return s.err
		}
		n += len(s.items)
	}
	p.condition = c
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
	return nil
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

// assemble merges the outcomes of a value's Reads into an empty page. That of a list has all items that were read: one
// more than the window if there are more.
func (v *Value) assemble(p *Page) error {
	window := v.window
	switch {
	case v.isWhole():
		window.Count++
	case v.condition.Field.Kind != design.Query && len(v.states) == 1 && len(v.states[0].items) == 1 &&
		v.condition.Excludes(v.states[0].items[0]):
		p.condition = v.condition
		return nil
	}
	return p.assemble(v.condition, window, v.partitions, v.states)
}

// isList reports whether the value is a plain list that a Query reads.
func (v *Value) isList() bool {
	return v.condition.Field.Kind == design.Query && v.condition.Field.Result == design.Many
}

// isWhole reports whether the value needs a whole collection.
func (v *Value) isWhole() bool { return v.isList() || v.condition.IsFiltered() }

func (v *Value) state() State {
	s := State{Err: v.Err}
	if len(v.states) == 0 { // an error, or a condition that selects nothing
		return s
	}
	var page Page
	if err := v.assemble(&page); err != nil {
		return State{Err: err}
	}
	s.Items = page.Items
	for i := range page.Items {
		s.Partitions = append(s.Partitions, page.at(i).partition)
	}
	s.Before, s.After = page.HasPreviousPage, page.HasNextPage
	if v.condition.Field.Kind == design.Query && v.condition.Field.Result == design.One {
		s.After = len(page.Items) > 0
	}
	return s
}

// connectionOf returns the connection of an event whose page has been read: its aliases are one Read. It is nil if
// there is none.
func connectionOf(event *Value) *Value {
	for _, v := range event.Objects[0].Values {
		if v != nil && (v.Err != nil || len(v.states) > 0) {
			return v
		}
	}
	return nil
}

// State is what a CurrentEvent has read of the range of a subscription.
type State struct {
	// Items are in the order of the field, damaged ones included.
	Items []item.Item
	// Partitions are the indexes of their partitions in those of the condition.
	Partitions []int
	// Before and After report whether the range may have more items before and after them.
	Before, After bool
	// Err is why the state could not be read; nil if it could.
	Err error
}

// isEntryOf reports whether an entry that the condition selects is that of the item. `table repair` may have moved the
// entry to another shard since, where it has the same place in the collection.
func isEntryOf(c *design.Condition, entry, it item.Item) bool {
	pk, sk := keys.IndexPK(c.Field.Index), keys.IndexSK(c.Field.Index)
	at := keys.Key{PK: keys.PK(it.Text(pk)), SK: keys.SK(it.Text(sk))}
	return entry.Text(sk) == string(at.SK) && (entry.Text(pk) == string(at.PK) || !c.Chronological() && c.Find(at) >= 0)
}
