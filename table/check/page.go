package check

import (
	"iter"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// page is what is at hand when the items of one page of a Scan are inspected.
type page struct {
	// items are those of the page, and those that were read for it: nil for a key
	// under which there is none.
	items map[keys.Key]item.Item
	// whole are the partitions that the page holds all of.
	whole map[keys.PK][]item.Item
	// earlier are items of other pages.
	earlier interface {
		Get(keys.Key) (item.Item, bool)
	}
}

// newPage sorts the items of a page. The partitions at its ends may go on in the
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

// pageReader is the Reader of one inspection that takes what is at hand.
type pageReader struct {
	*page
	// missing are the keys that have to be read first.
	missing []keys.Key
	// apart is set when a partition is not at hand.
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
