package importer

import (
	"slices"
	"strings"
)

// naming is what the name of a hidden value can follow from.
type naming struct {
	// attribute has the key.
	attribute string
	// literal is the last one before the value.
	literal string
	// prefixes are the literals that the parts of the key begin with, nil for none.
	prefixes []string
	// used are the literals before the attributes that the keys have already.
	used map[string]string
	// hidden are the variables that the items have already.
	hidden map[string]*hidden
}

// names reports whether the literal before a value is the beginning of an attribute's name.
func (n *naming) names(attribute string) bool {
	length := len(n.literal)
	return length > 0 && len(attribute) >= length && strings.EqualFold(attribute[:length], n.literal)
}

// label returns the name for a hidden value behind a literal, which no other one has.
func (n *naming) label(literal, typ string) string {
	base := n.literal
	if word := strings.TrimRight(literal, signs); base == "" && len(word) > 2 {
		base = word
	} else if base == "" && word == "v" {
		return n.unused("version")
	}
	if base == "" && !slices.Contains(usualPK, n.attribute) && !slices.Contains(usualSK, n.attribute) {
		base = n.attribute
	}
	if base = camel(base); base == "" && n.hidden["id"] != nil || base == "id" {
		base = "part" // Not id, which is that of the object.
	}
	suffix := map[string]string{"Time": "At", "Date": "On", "Int": "Number", "Int64": "Number"}[typ]
	if suffix == "" && !isIDName(base) {
		suffix = "Id"
	}
	return n.unused(lowerFirst(base + suffix))
}

// unused returns a label, with a number if another hidden value has it.
func (n *naming) unused(name string) string {
	return unused(name, func(name string) bool { return n.hidden[name] != nil })
}

// hidden is what is known of a value that is only in keys.
type hidden struct {
	scalar
	// after is the literal before the value.
	after string
	// key is the attribute with the key that has the value first.
	key string
	// width is to how many digits a number is padded.
	width int
	// note is a comment for the person who reads the schema.
	note string
}

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
