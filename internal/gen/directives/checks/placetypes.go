package checks

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
)

// placeTypes are the types that variables should have. Fields and arguments whose values are in one place of the same
// key have one type: that of an id of Relay, which cannot change, or else that which most of them have.
type placeTypes struct {
	r *reading.Access
	// groups has another member of the group for each field and argument, or itself.
	groups map[string]string
	// types are those that fields and arguments have, by coordinate. fixed are those that cannot change.
	types map[string]string
	fixed map[string]bool
}

// readPlaceTypes finds the groups by what fields read.
func readPlaceTypes(r *reading.Access) *placeTypes { return groupPlaces(r, r.Reads) }

func groupPlaces(r *reading.Access, reads []*reading.Read) *placeTypes {
	p := &placeTypes{r, map[string]string{}, map[string]string{}, map[string]bool{}}
	for _, rd := range reads {
		if rd.Directive == nil {
			continue
		}
		for _, m := range rd.Matches {
			for _, variable := range rd.Variables() {
				source, typ := r.SourceOf(rd, variable)
				stored := r.Types[m.Type.Name].Def.Fields.ForName(reading.Attribute(m, variable))
				if typ == nil || stored == nil {
					continue
				}
				p.add(source, typ.Name(), rd.ParentType, variable)
				target := m.Type.Name + "." + stored.Name
				p.add(target, stored.Type.Name(), r.Types[m.Type.Name], stored.Name)
				p.groups[p.find(source)] = p.find(target)
			}
		}
	}
	return p
}

func (p *placeTypes) add(coordinate, typ string, of *reading.Type, name string) {
	if p.types[coordinate] != "" {
		return
	}
	p.groups[coordinate], p.types[coordinate] = coordinate, typ
	p.fixed[coordinate] = of != nil && coordinate == of.Name+".id" && slices.Contains(of.Def.Interfaces, "Node") &&
		name == "id"
}

func (p *placeTypes) find(coordinate string) string {
	for p.groups[coordinate] != coordinate {
		coordinate = p.groups[coordinate]
	}
	return coordinate
}

// right returns the type that the members of the group of a stored field should have: of two that equally many have,
// that of the field.
func (p *placeTypes) right(stored string) string {
	count, group := map[string]int{}, p.find(stored)
	for _, c := range slices.Sorted(maps.Keys(p.types)) {
		if p.find(c) != group || !p.canBeInKey(p.types[c]) {
			continue
		}
		if p.fixed[c] {
			return p.types[c]
		}
		count[p.types[c]]++
	}
	right := p.types[stored]
	for _, typ := range slices.Sorted(maps.Keys(count)) {
		if count[typ] > count[right] {
			right = typ
		}
	}
	return right
}

func (p *placeTypes) canBeInKey(typ string) bool {
	return reading.HasText(p.r.Kind(ast.NamedType(typ, nil)))
}
