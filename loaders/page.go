package loaders

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
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
	// total is how many items of a filtered collection fulfil the filters.
	total int
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

// AppendCursor appends what Cursor returns.
func (p *Page) AppendCursor(b []byte, i int) []byte {
	at := p.at(i)
	return p.condition.AppendCursor(b, at.partition, at.item)
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

// replace replaces each item. Those of a Read are shared with other pages, and remain.
func (p *Page) replace(with func(item.Item) item.Item) {
	items := make([]item.Item, len(p.Items))
	for i, it := range p.Items {
		items[i] = with(it)
	}
	p.Items = items
}

// keepFirst omits all items but the first one, and reports whether there is one. The others have been read because the
// items of the first entries are missing.
func (p *Page) keepFirst() bool {
	p.Items = p.Items[:min(1, len(p.Items))]
	return len(p.Items) > 0
}
