package importer

import "slices"

// wholeKey returns the key attribute of the table that is the value of a variable in all items of a type, "" for none.
// The usual names of keys are no names of values.
func (m *model) wholeKey(t *typ, v *variable) string {
	isWhole := func(parts []part) bool {
		return len(parts) == 1 && parts[0].literal == "" && parts[0].variable != nil &&
			parts[0].variable.name() == v.name() && format(parts[0].variable) == ""
	}
	isValue := func(attribute string, usual []string, key func(*storedType) []part) bool {
		isOther := func(s *storedType) bool { return !isWhole(key(s)) }
		return (m.numbers[attribute] || !slices.Contains(usual, attribute)) && !slices.ContainsFunc(t.stored, isOther)
	}
	switch pk, sk := m.PK.String(), m.SK.String(); {
	case isValue(pk, usualPK, func(s *storedType) []part { return s.pk }):
		return pk
	case isValue(sk, usualSK, func(s *storedType) []part { return s.sk }):
		return sk
	}
	return ""
}

// isText reports whether a sort key has a variable as a text that is not padded: the order is not that of numbers.
func (m *model) isText(t *typ, variable string) bool {
	isBare := func(p part) bool {
		v := p.variable
		return v != nil && v.name() == variable && v.width == 0 && v.bucket == ""
	}
	isInIndex := func(ix *index) bool { return !ix.isNumber && slices.ContainsFunc(ix.sk, isBare) }
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		isInKey := !m.numbers[m.SK.String()] && slices.ContainsFunc(s.sk, isBare)
		return isInKey || slices.ContainsFunc(s.indexes, isInIndex)
	})
}
