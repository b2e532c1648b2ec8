package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkPrefixes: in one partition no sort key may begin like those of another
// form, or begins_with would take in both.
func (r *reader) checkPrefixes() {
	forms := r.forms()
	for i, f := range forms {
		if slices.ContainsFunc(forms[:i], func(first *form) bool { return sameShape(f, first) }) {
			continue // checkShapes says so.
		}
		for _, first := range forms[:i] {
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
				fmt.Sprintf("begins_with %q, for %s %q (%s), also takes in the %s %q in partition %q",
					short.SK.Leading(), short.of.Name, short.SK, place(short), long.of.Name, long.SK, f.PK),
				fmt.Sprintf("begin one of them with another literal, as in sk: %q", ownSortKey(f)))
			break
		}
	}
}

func sortByPlace(forms []*form) {
	slices.SortStableFunc(forms, func(a, b *form) int {
		x, y := a.position(), b.position()
		return cmp.Or(cmp.Compare(x.Src.Name, y.Src.Name), cmp.Compare(x.Start, y.Start))
	})
}
