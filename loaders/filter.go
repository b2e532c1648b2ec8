package loaders

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// selection returns a text that differs for values of one field with equal Reads that have other objects, or that other
// members decide about.
func (op *Operation) selection(c *design.Condition, w plan.Window) string {
	text := op.bound.SubjectOf(c)
	if !c.IsFiltered() {
		return text
	}
	text += fmt.Sprintf("\x00%q %d %t", c.Filters(), w.Count, w.Backward)
	if at := w.Cursor; at != nil {
		text += fmt.Sprintf(" %d %q %q %q", at.Partition, at.SK, at.Base.PK, at.Base.SK)
	}
	return text
}

// keptBy returns the items that fulfil the filters of a condition.
func keptBy(c *design.Condition, items []item.Item) []item.Item {
	if !c.IsFiltered() {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(it item.Item) bool { return !c.Keeps(it) })
}

// filtered returns the page that is shown of a whole collection, if the value has filters, and otherwise the page.
func (v *Value) filtered(whole *Page) *Page {
	if !v.condition.IsFiltered() {
		return whole
	}
	p := &Page{condition: whole.condition, partition: whole.partition}
	var before, after []int
	isAfter := v.shown.Cursor == nil
	for i, it := range whole.Items {
		isBefore, isAt := false, false
		if c := v.shown.Cursor; c != nil {
			isBefore, isAt = v.condition.IsBefore(whole.at(i).partition, it, *c)
		}
		isAfter = isAfter || !isBefore && !isAt
		switch {
		case !v.condition.Keeps(it):
			continue
		case isAfter:
			after = append(after, i)
		case isBefore:
			before = append(before, i)
		}
		p.total++
	}
	p.cut(whole, v.shown, before, after)
	return p
}

// cut sets the items of a page, some of those of the whole collection before or after the cursor.
func (p *Page) cut(whole *Page, w plan.Window, before, after []int) {
	shown := after
	if w.Backward && w.Cursor != nil {
		shown = before
	}
	more := len(shown) > w.Count
	p.HasNextPage, p.HasPreviousPage = more, w.Cursor != nil
	if w.Backward {
		p.HasNextPage, p.HasPreviousPage = w.Cursor != nil, more
		shown = shown[max(0, len(shown)-w.Count):]
	}
	for _, i := range shown[:min(len(shown), w.Count)] {
		p.Items = append(p.Items, whole.Items[i])
		if whole.partitions != nil {
			p.partitions = append(p.partitions, whole.partitions[i])
		}
	}
}

// IsFiltered reports whether filters select among the items of the collection.
func (p *Page) IsFiltered() bool { return p.condition.IsFiltered() }

// Total returns the number of objects in the collection: the parent's count, or of a filtered one how many fulfil the
// filters.
func (p *Page) Total(count int) int {
	if p.IsFiltered() {
		return p.total
	}
	return count
}
