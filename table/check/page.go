package check

import (
	"iter"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// page is what the inspections of the items of one page of a Scan can use without
// further reads.
type page struct {
	// items are those of the page, and those that were read for it: nil if there is
	// no item with that key.
	items map[keys.Key]item.Item
	// whole are the partitions that are entirely in the page.
	whole map[keys.PK][]item.Item
	// earlier are items of other pages.
	earlier earlier
}

// newPage sorts the items of a page. The partitions at its ends may extend into the
// pages before and after.
func newPage(items []item.Item, start, last keys.Key) *page {
	p := &page{items: make(map[keys.Key]item.Item, len(items)), whole: map[keys.PK][]item.Item{}}
	for _, it := range items {
		key := keys.KeyOf(it)
		p.items[key] = it
		p.whole[key.PK] = append(p.whole[key.PK], it)
	}
	delete(p.whole, start.PK)
	delete(p.whole, last.PK)
	return p
}

// pageReader is the Reader of one inspection of a page.
type pageReader struct {
	*page
	// missing are the keys of items that must be read first.
	missing []keys.Key
	// apart is set if the inspection needs a partition that is not entirely in the
	// page.
	apart bool
}

func (r *pageReader) Get(key keys.Key) item.Item {
	it, ok := r.items[key]
	if !ok {
		it, ok = r.earlier.Get(key)
	}
	if !ok {
		r.missing = append(r.missing, key)
	}
	return it
}

func (r *pageReader) isIncomplete() bool { return len(r.missing) > 0 }

func (r *pageReader) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		items, ok := r.whole[pk]
		if index != "" || !ok {
			r.apart = true
			return
		}
		for _, it := range items {
			if strings.HasPrefix(it.Text(keys.AttributeSK), string(prefix)) && !yield(it) {
				return
			}
		}
	}
}
