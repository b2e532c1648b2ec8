package importer

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxPrefixes is how many prefixes there may be in one place of the keys of a table.
const maxPrefixes = 8

// prefixes divides a group by what the i-th part of the keys begins with, if that is the first part of a key and the
// items with each prefix have other attributes, or ids behind it: cus_17 and inv_4 are keys of two types.
func prefixes(t *layout, g group, i int) map[string]group {
	if g[0].typ != "" || g[0].prefixes[i] != "" || i != 0 && i != len(g[0].pk) {
		return nil
	}
	byPrefix := groupBy(g, func(e *entry) string {
		if prefix := literalBefore(prefixed, e.text(i)); prefix != e.text(i) {
			return prefix
		}
		return ""
	})
	if len(byPrefix) > maxPrefixes || !allDiffer(t, slices.Collect(maps.Values(byPrefix))) && !areBeforeIDs(byPrefix, i) {
		return nil
	}
	return byPrefix
}

// beforeID matches a word before a number or a generated id, unlike that of eu-west-1.
var beforeID = regexp.MustCompile(`^\pL{3,}[^\pL\pN{}]+([0-9]+|[0-9A-Za-z]{8,}|[0-9a-f]{8}-[0-9a-f-]{27})$`)

// areBeforeIDs reports whether several items have each of the prefixes of the i-th part of the keys, with different ids
// behind it.
func areBeforeIDs(byPrefix map[string]group, i int) bool {
	for _, g := range byPrefix {
		isID := func(text string) bool {
			return beforeID.MatchString(text) && strings.ContainsAny(text, "0123456789")
		}
		if texts := g.texts(i); !every(texts, isID) || different(texts) <= few {
			return false
		}
	}
	return true
}

// isNumberedLiteral reports whether the i-th part of the keys is a literal with a number: all keys have it, whatever
// value is behind it, and in a sort key whatever the partition is.
func isNumberedLiteral(g group, i int) bool {
	if !isFollowed(g, i) {
		return false
	}
	var values []string
	for _, e := range g {
		if e.text(i) != g[0].text(i) || !isNumbered(e.text(i)) {
			return false
		}
		if values = append(values, e.text(i+1)); i >= len(e.pk) {
			values[len(values)-1] = strings.Join(e.pk, "\x00")
		}
	}
	return different(values) > few
}
