package reading

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// objectOf returns the name of the object type of the values of a field if they are stored within its attribute; "" for
// a field of another type.
func (r *Source) objectOf(t *ast.Type) string {
	def := r.Schema.Types[t.Name()]
	if def == nil || def.Kind != ast.Object || def.Directives.ForName("item") != nil {
		return ""
	}
	return def.Name
}

// objectsIn returns the object types inside of attributes, at any depth. One may contain itself.
func (r *Storage) objectsIn(attributes []design.Attribute) []design.Object {
	var found []design.Object
	var visit func([]design.Attribute)
	visit = func(attributes []design.Attribute) {
		for _, a := range attributes {
			isFound := func(o design.Object) bool { return o.Name == a.Object }
			if a.Object == "" || slices.ContainsFunc(found, isFound) {
				continue
			}
			o := r.object(a.Object)
			found = append(found, o)
			visit(o.Attributes)
		}
	}
	visit(attributes)
	slices.SortFunc(found, func(a, b design.Object) int { return cmp.Compare(a.Name, b.Name) })
	return found
}

// object returns an object type that is stored within attributes. It is read once, so that its faults are found once.
func (r *Storage) object(name string) design.Object {
	if o, known := r.Nested[name]; known {
		return o
	}
	o, def := design.Object{Name: name}, r.Schema.Types[name]
	for _, f := range def.Fields {
		if sdl.IsAttribute(f) {
			o.Attributes = append(o.Attributes, r.attribute(f))
		}
	}
	r.Nested[name] = o
	return o
}
