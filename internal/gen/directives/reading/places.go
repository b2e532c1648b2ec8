package reading

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// placesOf returns the places of the values of an enum in keys.
func placesOf(def *ast.Definition) keys.Places {
	names := make([]string, len(def.EnumValues))
	for i, v := range def.EnumValues {
		names[i] = v.Name
	}
	return keys.PlacesOf(names)
}

// hasWidth reports whether a stored key of the type has a width for a variable.
func (t *Type) hasWidth(variable string) bool {
	return slices.ContainsFunc(t.StoredKeys, func(k *Key) bool {
		return slices.ContainsFunc(slices.Concat(k.PK.Segments(), k.SK.Segments()), func(s keys.Segment) bool {
			return s.Variable == variable && s.Width > 0
		})
	})
}
