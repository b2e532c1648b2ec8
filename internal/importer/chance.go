package importer

import (
	"strings"
)

// isChance reports whether values are equal to those of a key by chance: the few orders of an export have the same
// numbers as their customers, or a short value is that of an attribute that means something else.
func isChance(t *layout, name string, texts []string, n *naming) bool {
	if different(texts) > few {
		return false
	}
	if label, hidden := strings.CutPrefix(name, hiddenPrefix); hidden {
		v := n.hidden[label]
		return v != nil && n.literal != v.after && t.partitions[n.literal]
	}
	return n.literal != "" && len(texts[0]) <= few && !isIDName(name) && !n.names(name)
}

// isOfOtherPart reports whether the few values of an attribute are behind another literal of the keys that names it: in
// ORDER#17, CUSTOMER#17, the attribute customerId is that of the customer.
func isOfOtherPart(g group, name string, n *naming) bool {
	if n.names(name) {
		return false
	}
	for i := range g.parts() - 1 {
		other := naming{literal: g[0].text(i)}
		if i+1 != len(g[0].pk) && other.literal != n.literal && other.names(name) && areFewOf(g, name, i) {
			return true
		}
	}
	return false
}

// areFewOf reports whether the entries have the same literal as the i-th part of their keys, and behind it the value of
// an attribute that has few.
func areFewOf(g group, name string, i int) bool {
	texts := g.texts(i + 1)
	for j, e := range g {
		if v, ok := e.value(name); ok && v.Text != texts[j] || e.text(i) != g[0].text(i) {
			return false
		}
	}
	return different(texts) <= few
}

// isOtherID reports whether an attribute is the id of another type already: partitions of several types begin with the
// literals before its values, as in USER#1, ORDER#1, and the ids of an object and its owner are equal by chance.
func isOtherID(t *layout, name string, n *naming) bool {
	literal := n.used[name]
	return literal != "" && n.literal != literal && t.partitions[literal] && t.partitions[n.literal]
}
