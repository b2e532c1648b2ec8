package checks

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
)

// checkShapes finds two stored keys with the same pair of templates: items of the table would replace each other.
// Entries of several types in an index do not, and what a field reads of them is checked with the field. In shards,
// entries with equal keys would have no order.
func checkShapes(r *checker) {
	storedKeys := r.WrittenKeys()
	for i, f := range storedKeys {
		for _, first := range storedKeys[:i] {
			areEntries := f.Index != "" && f.Of != first.Of && !f.IsSpread() && !first.IsSpread()
			if !reading.SameShape(f, first) || areEntries || r.IsApart(f.Of.Type, first.Of.Type) {
				continue
			}
			r.find(f.Position(), f.Of.Name,
				fmt.Sprintf("pk %q, sk %q is the key shape of %s already (%s)", f.PK, f.SK, first.Of.Name,
					place(first)),
				fixes.OwnSortKeys(r.Design, f, first))
			break
		}
	}
}
