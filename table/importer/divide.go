package importer

import (
	"maps"
	"slices"
	"strings"
)

// divide splits a group until each part of the keys from the i-th is either a literal or a variable.
func (t *layout) divide(g group, i int) []group {
	for ; i < g.parts(); i++ {
		texts := g.texts(i)
		if _, ok := t.explain(g, texts, &naming{}); ok && !areEqual(texts) {
			continue
		}
		if labels := t.labels(g, i); len(labels) > 0 {
			byLabel := map[string]group{}
			for _, e := range g {
				label := e.text(i)
				if !slices.Contains(labels, label) {
					label = ""
				}
				byLabel[label] = append(byLabel[label], e)
			}
			if len(byLabel) == 1 {
				continue
			}
			var all []group
			for _, label := range slices.Sorted(maps.Keys(byLabel)) {
				all = append(all, t.divide(byLabel[label], i)...)
			}
			return all
		}
	}
	return []group{g}
}

// wordsOf returns how many items have each word as the i-th part of their key.
func (t *layout) wordsOf(g group, i int) map[string]int {
	words := map[string]int{}
	for _, e := range g {
		if text := e.text(i); isWord(text) {
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
func (t *layout) labels(g group, i int) []string {
	words := t.wordsOf(g, i)
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
	constant := !slices.ContainsFunc(labels, func(w string) bool { return !isConstant(w) })
	if others > 0 && constant {
		return labels
	}
	subgroups := make(map[string]group, len(labels))
	for _, e := range g {
		label := e.text(i)
		if !isWord(label) {
			label = ""
		}
		subgroups[label] = append(subgroups[label], e)
	}
	differs := false
	groups := slices.Collect(maps.Values(subgroups))
	for _, other := range groups[1:] {
		differs = differs || t.differ(groups[0], other)
	}
	switch {
	case differs && (constant || len(groups) <= 8 && others == 0 && i%len(g[0].pk) == 0):
		return labels
	case constant && others == 0 && (isFollowed(g, i) && (i == 0 || len(labels) <= fewLabels) || areAllOf(subgroups)):
		return labels
	}
	return nil
}

// isFollowed reports whether the i-th part of the keys has a part of the same key behind it.
func isFollowed(g group, i int) bool { return i+1 < g.parts() && i+1 != len(g[0].pk) }

// isConstant reports whether a word is in capitals, as literals of keys often are.
func isConstant(w string) bool { return len(w) > 1 && w == strings.ToUpper(w) }

// areAllOf reports whether most partitions have an item with each label.
func areAllOf(subgroups map[string]group) bool {
	partitions := map[string]int{}
	for _, g := range subgroups {
		seen := map[string]bool{}
		for _, e := range g {
			if key := strings.Join(e.pk, "\x00"); !seen[key] {
				seen[key] = true
				partitions[key]++
			}
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

// differ reports whether the items of two groups have other attributes: one that nearly all of the one group have,
// and nearly none of the other.
func (t *layout) differ(a, b group) bool {
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
