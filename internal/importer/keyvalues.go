package importer

import (
	"slices"

	"github.com/partita/partita/keys"
)

// wholeKey returns the key attribute of the table that is the value of a variable in all items of a type, "" for none.
// The usual names of keys are no names of values.
func (m *model) wholeKey(t *typ, variable string) string {
	isWhole := func(parts template) bool {
		return len(parts) == 1 && parts[0] == keys.Segment{Variable: variable}
	}
	isValue := func(attribute string, usual []string, key func(*storedType) template) bool {
		isOther := func(s *storedType) bool { return !isWhole(key(s)) }
		return (m.numbers[attribute] || !slices.Contains(usual, attribute)) && !slices.ContainsFunc(t.stored, isOther)
	}
	switch pk, sk := m.PK.String(), m.SK.String(); {
	case isValue(pk, usualPK, func(s *storedType) template { return s.pk }):
		return pk
	case isValue(sk, usualSK, func(s *storedType) template { return s.sk }):
		return sk
	}
	return ""
}

// isText reports whether a sort key has a variable as a text that is not padded: the order is not that of numbers.
func (m *model) isText(t *typ, variable string) bool {
	isBare := func(p keys.Segment) bool {
		return p.Variable == variable && p.Width == 0 && p.Bucket == 0
	}
	isInIndex := func(ix *index) bool { return !ix.isNumber && slices.ContainsFunc(ix.sk, isBare) }
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		isInKey := !m.numbers[m.SK.String()] && slices.ContainsFunc(s.sk, isBare)
		return isInKey || slices.ContainsFunc(s.indexes, isInIndex)
	})
}
