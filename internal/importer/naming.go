package importer

import (
	"slices"
	"strconv"
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
	label := name
	for i := 2; n.hidden[label] != nil; i++ {
		label = name + strconv.Itoa(i)
	}
	return label
}
