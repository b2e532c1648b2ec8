package run

import (
	"cmp"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// HotKey is a partition key that many items have.
type HotKey struct {
	// Index is that of the key; "" for the table itself.
	Index string `json:"index,omitempty"`
	// Key is the partition key, and Items how many items of the sample have it with the new design.
	Key   string `json:"key"`
	Items int    `json:"items"`
	// Share is its part of all items of the index, and Before the same with the former design.
	Share  float64 `json:"share"`
	Before float64 `json:"before"`
}

const (
	// hotShare is which part of all items makes a key hot, and hotItems how many there must be.
	hotShare, hotItems = 0.1, 20
	// mostHot is how many keys are listed.
	mostHot = 10
)

// partition is a partition of the table, or of an index.
type partition struct{ index, key string }

// partitions counts the items of partitions with the former and with the later design.
type partitions map[partition][2]int

// add counts the items of an object with a design.
func (p partitions) add(d *design.Design, t *design.Type, object item.Item, isLater bool) {
	items, err := write.ItemsOf(d, t, object)
	if err != nil {
		return
	}
	count := func(index, key string) {
		for _, at := range []partition{{index, key}, {index: index}} { // the latter for all
			n := p[at]
			if isLater {
				n[1]++
			} else {
				n[0]++
			}
			p[at] = n
		}
	}
	for _, it := range items {
		count("", string(keys.KeyOf(it).PK))
		for _, index := range d.IndexNames() {
			if key := it.Text(keys.IndexPK(index)); key != "" {
				count(index, key)
			}
		}
	}
}

// hot returns the keys that many items have with the later design, and a greater part than with the former one.
func (p partitions) hot() []HotKey {
	share := func(n, all int) float64 {
		if all == 0 {
			return 0
		}
		return float64(n) / float64(all)
	}
	var hot []HotKey
	for at, n := range p {
		all := p[partition{index: at.index}]
		k := HotKey{Index: at.index, Key: at.key, Items: n[1], Share: share(n[1], all[1]), Before: share(n[0], all[0])}
		if at.key != "" && k.Items >= hotItems && k.Share >= hotShare && k.Share > k.Before {
			hot = append(hot, k)
		}
	}
	slices.SortFunc(hot, func(a, b HotKey) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Key, b.Key))
	})
	return hot[:min(len(hot), mostHot)]
}
