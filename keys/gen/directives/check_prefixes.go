package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkPrefixes finds sort keys of one partition that begin alike: begins_with would select both.
func (r *reader) checkPrefixes() {
	storedKeys := r.writtenKeys()
	for i, f := range storedKeys {
		if slices.ContainsFunc(storedKeys[:i], func(first *storedKey) bool { return sameShape(f, first) }) {
			continue // checkShapes finds this.
		}
		for _, first := range storedKeys[:i] {
			if f.index != first.index || !keys.SamePartition(f.partition(), first.partition()) {
				continue
			}
			short, long := first, f
			if len(short.SK.Leading()) > len(long.SK.Leading()) {
				short, long = f, first
			}
			if !strings.HasPrefix(long.SK.Leading(), short.SK.Leading()) {
				continue
			}
			r.find(f.position(), f.of.Name,
				fmt.Sprintf("begins_with %q, for %s %q (%s), also selects %s %q in partition %q",
					short.SK.Leading(), short.of.Name, short.SK, place(short), long.of.Name, long.SK, f.PK),
				ownSortKeys(f, first))
			break
		}
	}
}

func sortByPlace(storedKeys []*storedKey) {
	slices.SortStableFunc(storedKeys, func(a, b *storedKey) int {
		x, y := a.position(), b.position()
		return cmp.Or(cmp.Compare(x.Src.Name, y.Src.Name), cmp.Compare(x.Start, y.Start))
	})
}
