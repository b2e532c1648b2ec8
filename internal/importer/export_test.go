package importer

import (
	"iter"

	"github.com/partita/partita/item"
)

// MaxKept is how many items are kept.
const MaxKept = maxKept

// ImportCounting is Import that also returns how many items were kept.
func ImportCounting(items iter.Seq2[item.Item, error], o Options) (kept int, r *Result, err error) {
	_, entries, err := collect(items, o)
	if err != nil {
		return 0, nil, err
	}
	r, err = Import(items, o)
	return len(entries), r, err
}
