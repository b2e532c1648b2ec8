package check

import (
	lru "github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/item"
)

const (
	// parallel is how many requests run at once within a page.
	parallel = 4
	// remembered is how many items of earlier pages are kept, so that an item and its copies are not each read again for
	// the other. They use some 30 MB.
	remembered = 1 << 14
)

// pass is one Scan of the table.
type pass struct {
	Options
	meter     *meter
	inspector *inspector
	// repairs reports whether this pass repairs the violation; nil for none.
	repairs func(Violation) bool
	earlier *memory
}

func newPass(source Source, o Options, spent Cost) (*pass, error) {
	earlier, err := lru.NewLRU[place, item.Item](remembered, nil)
	return &pass{
		Options:   o,
		meter:     newMeter(source, o.ReadUnits, spent),
		inspector: newInspector(o, source.Now),
		earlier:   earlier,
	}, err
}
