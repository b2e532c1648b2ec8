package designpage

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// kind is one of the shapes under which objects of a type are stored.
type kind struct {
	of *design.Type
	// index is the name of the index, "" for the table. place is which of the items it is: 0 for the base item, then the
	// copies; of an entry, the item that it belongs to.
	index string
	place int
	shape keys.Shape
	// shards is how many partitions one value of the partition key is spread over, 1 if it is not.
	shards int
	// latest is that of a copy.
	latest string
}

// kindsOf returns the kinds of a type: the base item, the copies, the entries in indexes.
func kindsOf(t *design.Type) []kind {
	all := []kind{{of: t, shape: t.Item, shards: max(1, t.Shards)}}
	for n, c := range t.Copies {
		all = append(all, kind{of: t, place: n + 1, shape: c.Shape, shards: 1, latest: c.Latest})
	}
	seen := map[string]int{}
	for _, ix := range t.Indexes {
		all = append(all, kind{of: t, index: ix.Name, place: seen[ix.Name], shape: ix.Shape, shards: max(1, ix.Shards)})
		seen[ix.Name]++
	}
	return all
}

// id is what links to the kind on the page.
func (k kind) id() string {
	switch {
	case k.index != "":
		return fmt.Sprintf("%s-%s-%d", k.of.Name, k.index, k.place+1)
	case k.place > 0:
		return fmt.Sprintf("%s-copy-%d", k.of.Name, k.place)
	}
	return k.of.Name + "-item"
}

// String returns what the kind is in the picture.
func (k kind) String() string {
	switch {
	case k.index != "" && k.place > 0:
		return "entry of the copy of " + k.of.Name
	case k.index != "":
		return "entry of " + k.of.Name
	case k.latest != "":
		return "copy of the greatest " + k.latest + " of " + k.of.Name
	case k.place > 0:
		return "copy of " + k.of.Name
	}
	return k.of.Name
}

// directive is the name of the directive that declares the kind.
func (k kind) directive() string {
	switch {
	case k.index != "":
		return "index"
	case k.place > 0:
		return "copy"
	}
	return "item"
}

// position returns that of the directive, or of the type for an entry without one.
func (k kind) position(s *directives.Schema) *ast.Position {
	def, n := s.TypeDef(k.of.Name), k.place
	for _, d := range def.Directives.ForNames(k.directive()) {
		switch {
		case k.index != "" && d.ArgumentMap(nil)["name"] != k.index:
		case n == 0 || k.index == "" && n == 1:
			return d.Position
		default:
			n--
		}
	}
	return def.Position
}

// matchOf returns how a field's condition selects items of the kind.
func (k kind) matchOf(f *design.Field) (design.Match, bool) {
	if f.Index == k.index && !f.Kind.IsByID() {
		for _, m := range f.Matches() {
			if m.Type.Name == k.of.Name && m.Shape.PK.String() == k.shape.PK.String() &&
				m.Shape.SK.String() == k.shape.SK.String() {
				return m, true
			}
		}
	}
	return design.Match{}, false
}

// isReadBy reports whether a field reads items of the kind.
func (k kind) isReadBy(f *design.Field) bool {
	if f.Kind.IsByID() {
		return k.index == "" && k.place == 0 && (len(f.Types) == 0 || slices.Contains(f.Types, k.of.Name))
	}
	_, is := k.matchOf(f)
	return is
}
