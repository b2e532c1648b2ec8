package directives

import (
	"cmp"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// placeTypes are the types that variables should have. Fields and arguments whose values are in one place of the same
// key have one type: that of an id of Relay, which cannot change, or else that which most of them have.
type placeTypes struct {
	r *access
	// groups has another member of the group for each field and argument, or itself.
	groups map[string]string
	// types are those that fields and arguments have, by coordinate. fixed are those that cannot change.
	types map[string]string
	fixed map[string]bool
}

// readPlaceTypes finds the groups.
func (r *access) readPlaceTypes() *placeTypes {
	p := &placeTypes{r, map[string]string{}, map[string]string{}, map[string]bool{}}
	for _, rd := range r.reads {
		if rd.directive == nil {
			continue
		}
		for _, m := range rd.matches {
			for _, variable := range rd.variables() {
				source, typ := r.sourceOf(rd, variable)
				stored := r.types[m.Type.Name].def.Fields.ForName(attribute(m, variable))
				if typ == nil || stored == nil {
					continue
				}
				p.add(source, typ.Name(), rd.parent, variable)
				target := m.Type.Name + "." + stored.Name
				p.add(target, stored.Type.Name(), r.types[m.Type.Name], stored.Name)
				p.groups[p.find(source)] = p.find(target)
			}
		}
	}
	return p
}

// sourceOf returns where a read has the value of a variable from, and its type: for a range that of both ends. It is
// nil if the value is from nowhere.
func (r *access) sourceOf(rd *read, variable string) (coordinate string, typ *ast.Type) {
	switch argument, attr := rd.source(variable); {
	case argument != nil:
		return rd.Coordinate() + "(" + variable + ")", cmp.Or(r.rangeEnd(argument.Type), argument.Type)
	case attr != nil:
		return rd.Parent + "." + attr.Name, rd.parent.def.Fields.ForName(attr.Name).Type
	}
	return "", nil
}

func (p *placeTypes) add(coordinate, typ string, of *storedType, name string) {
	if p.types[coordinate] != "" {
		return
	}
	p.groups[coordinate], p.types[coordinate] = coordinate, typ
	p.fixed[coordinate] = of != nil && coordinate == of.Name+".id" && slices.Contains(of.def.Interfaces, "Node") &&
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
	return hasText(p.r.kind(ast.NamedType(typ, nil)))
}
