package importer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// buildTypes makes a type of the shapes whose items are the same objects.
func (m *model) buildTypes(shapes []*shape) {
	byValue := map[string][]*shape{}
	for _, s := range shapes {
		byValue[s.typ] = append(byValue[s.typ], s)
	}
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		left := byValue[value]
		slices.SortStableFunc(left, preferBase)
		var types []*typ
		for len(left) > 0 {
			t := m.typeOf(left)
			types = append(types, t)
			left = slices.DeleteFunc(left, func(s *shape) bool {
				return slices.ContainsFunc(t.stored, func(x *storedType) bool { return x.shape == s })
			})
		}
		m.types = append(m.types, m.largest(value, types)...)
	}
	slices.SortStableFunc(m.types, func(a, b *typ) int {
		return cmp.Or(
			slices.Compare(literals(a.item().pk), literals(b.item().pk)),
			cmp.Compare(len(a.item().identity()), len(b.item().identity())),
			cmp.Compare(isDetail(a), isDetail(b)),
		)
	})
}

// isDetail is 1 for a type whose sort key names something else than the object of its partition.
func isDetail(t *typ) int {
	item := t.item()
	literal := literalOf(item.sk)
	if literal == literalOf(item.pk) || slices.Contains(about, strings.ToUpper(literal)) {
		return 0
	}
	return 1
}
