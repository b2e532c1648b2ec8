package importer

import (
	"maps"
	"slices"
	"strings"
)

// other is in the place of the label of items without one.
const other = "\x00"

// divide splits a group until each part of the keys from the i-th is either a literal or a variable.
func divide(t *layout, g group, i int) []group {
	for ; i < g.parts(); i++ {
		if byPrefix := prefixes(t, g, i); len(byPrefix) > 1 {
			var all []group
			for _, prefix := range slices.Sorted(maps.Keys(byPrefix)) {
				byPrefix[prefix].begin(i, prefix)
				all = append(all, divide(t, byPrefix[prefix], i)...)
			}
			return all
		}
		texts := g.texts(i)
		if _, ok := explain(t, g, texts, &naming{}); ok && !areEqual(texts) {
			continue
		}
		if most, odd := outliers(t, g, i); len(odd) > 0 {
			return append(divide(t, most, i), divide(t, odd, i)...)
		}
		if labels := labels(t, g, i); len(labels) > 0 {
			byLabel := groupBy(g, func(e *entry) string { return labelAt(e, i, labels) })
			if len(byLabel) == 1 {
				continue
			}
			var all []group
			for _, label := range slices.Sorted(maps.Keys(byLabel)) {
				all = append(all, divide(t, byLabel[label], i)...)
			}
			return all
		}
	}
	return []group{g}
}

// labelAt returns the i-th part of an entry's key, or other if it is none of the labels.
func labelAt(e *entry, i int, labels []string) string {
	if text := e.text(i); slices.Contains(labels, text) {
		return text
	}
	return other
}

// outliers returns the items whose i-th part of the key is not what it is of nearly all: one word, or the value of an
// attribute. There are none if that is not so.
func outliers(t *layout, g group, i int) (most, odd group) {
	split := func(fits func(*entry) bool) bool {
		most, odd = nil, nil
		for _, e := range g {
			if fits(e) {
				most = append(most, e)
			} else {
				odd = append(odd, e)
			}
		}
		return len(odd) > 0 && isMost(len(most), len(g))
	}
	for word, n := range wordsOf(g, i) {
		if isMost(n, len(g)) && split(func(e *entry) bool { return e.text(i) == word }) {
			return most, odd
		}
	}
	for _, name := range candidates(t, g, "") {
		fits := func(e *entry) bool {
			v, ok := e.value(name)
			text := e.text(i)
			return !ok || strings.HasSuffix(text, v.Text) || strings.HasPrefix(v.Text, text)
		}
		if !split(fits) {
			continue
		}
		if _, ok := explain(t, most, most.texts(i), &naming{}); ok && !areEqual(most.texts(i)) {
			return most, odd
		}
	}
	return g, nil
}

// wordsOf returns how many items have each word as the i-th part of their key.
func wordsOf(g group, i int) map[string]int {
	words := map[string]int{}
	for _, e := range g {
		if text := e.text(i); isWord(text) || text == "" { // A variable cannot be empty.
			words[text]++
		}
	}
	if len(words) > 0 {
		return words
	}
	for _, e := range g {
		if text := e.text(i); isNumbered(text) {
			words[text]++
		}
	}
	return words
}

// maxLabels is how many literals there may be in one place of the keys of a table.
const maxLabels = 64

// fewLabels is how many words in capitals, behind the beginning of a key, are literals even if items with them have the
// same attributes. More are probably values.
const fewLabels = 4

// labels returns the words in the i-th part of the keys that are literals, and not values of a variable.
func labels(t *layout, g group, i int) []string {
	if t.isValue(g) {
		return nil
	}
	words := wordsOf(g, i)
	labels := slices.Sorted(maps.Keys(words))
	others := len(g)
	for _, n := range words {
		others -= n
	}
	if len(labels) == 0 || len(labels) > maxLabels {
		return nil
	}
	if len(labels) == 1 && others == 0 {
		return labels
	}
	constant := every(labels, isConstant)
	if others > 0 && constant {
		return labels
	}
	subgroups := groupBy(g, func(e *entry) string { return labelAt(e, i, labels) })
	groups := slices.Collect(maps.Values(subgroups))
	differs := slices.ContainsFunc(groups[1:], func(other group) bool { return differ(t, groups[0], other) })
	switch {
	case slices.ContainsFunc(labels, isNumbered):
		if others == 0 && isFollowed(g, i) && (allDiffer(t, groups) || areTwice(groups, i)) {
			return labels
		}
		return nil
	case differs && (constant || len(groups) <= 8 && others == 0 && i%len(g[0].pk) == 0):
		return labels
	case constant && others == 0 && (isFollowed(g, i) && (i == 0 || len(labels) <= fewLabels) || areAllOf(subgroups)):
		return labels
	}
	return nil
}

// areTwice reports whether the i-th part is the first one of both keys of all items, with several values behind it in
// each group: F0#17, F0#17 and F1#4, F1#4 are the objects of two types.
func areTwice(groups []group, i int) bool {
	isSame := func(e *entry) bool { return len(e.sk) > 0 && e.sk[0] == e.pk[0] }
	return i == 0 && len(groups) <= fewLabels && every(groups, func(g group) bool {
		return isNumberedLiteral(g, i) && every(g, isSame)
	})
}

// areAllOf reports whether most partitions have an item with each label.
func areAllOf(subgroups map[string]group) bool {
	partitions := map[string]int{}
	for _, g := range subgroups {
		for key := range groupBy(g, func(e *entry) string { return strings.Join(e.pk, "\x00") }) {
			partitions[key]++
		}
	}
	complete := 0
	for _, n := range partitions {
		if n == len(subgroups) {
			complete++
		}
	}
	return complete*5 >= len(partitions)*4
}
