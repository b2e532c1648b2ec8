package importer

import (
	"maps"
	"slices"
)

// group is entries whose keys have equally many parts.
type group []*entry

// parts returns how many parts the keys have.
func (g group) parts() int { return len(g[0].pk) + len(g[0].sk) }

func (g group) texts(i int) []string {
	texts := make([]string, len(g))
	for j, e := range g {
		texts[j] = e.text(i)
	}
	return texts
}

// begin makes a prefix of the i-th part of the keys a literal.
func (g group) begin(i int, prefix string) {
	for _, e := range g {
		if e.prefixes = maps.Clone(e.prefixes); e.prefixes == nil {
			e.prefixes = map[int]string{}
		}
		e.prefixes[i] = prefix
	}
}

// few is how many different values may be equal to others by chance.
const few = 2

// A few items in a table of many are damaged, of a retired format, or tests: of a group with at least minGroup items,
// at most one of tolerated.
const (
	minGroup  = 20
	tolerated = 20
)

// isMost reports whether n of total items are so many that the others are accidents.
func isMost(n, total int) bool {
	return n == total || total >= minGroup && (total-n)*tolerated <= total
}

func areEqual(texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] })
}

// different returns how many different texts there are.
func different(texts []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(texts))))
}

// isFollowed reports whether the i-th part of the keys has a part of the same key behind it.
func isFollowed(g group, i int) bool { return i+1 < g.parts() && i+1 != len(g[0].pk) }

// candidates returns the names of the values that nearly all entries have and that the key in an attribute can consist
// of. Where one is missing, it is read from the key.
func candidates(t *layout, g group, key string) []string {
	count := map[string]int{}
	for _, e := range g {
		for _, a := range e.Item {
			if _, ok := e.value(a.Name); ok && a.Name != t.Type && t.isSource(a.Name, key) {
				count[a.Name]++
			}
		}
		for label := range e.hidden {
			count[hiddenPrefix+label]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return !isMost(n, len(g)) })
	return slices.Sorted(maps.Keys(count))
}

// differ reports whether the items of two groups have other attributes: one that nearly all of the one group have,
// and nearly none of the other.
func differ(t *layout, a, b group) bool {
	count := func(g group) map[string]int {
		n := map[string]int{}
		for _, e := range g {
			for _, attribute := range e.Item {
				n[attribute.Name]++
			}
		}
		return n
	}
	inA, inB := count(a), count(b)
	only := func(x, y map[string]int, g, h group) bool {
		for name, n := range x {
			if n*10 >= len(g)*9 && y[name]*10 <= len(h) && !t.isIndexKey(name) {
				return true
			}
		}
		return false
	}
	return only(inA, inB, a, b) || only(inB, inA, b, a)
}

// allDiffer reports whether the items of each group differ from those of each other one.
func allDiffer(t *layout, groups []group) bool {
	for i, g := range groups {
		if slices.ContainsFunc(groups[:i], func(other group) bool { return !differ(t, g, other) }) {
			return false
		}
	}
	return true
}

// isValue reports whether the whole key of each entry is a value: the table has no sort key, so that no two items have
// the same word.
func (t *layout) isValue(g group) bool { return !t.HasSortKey() && len(g[0].pk) == 1 }
