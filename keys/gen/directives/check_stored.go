package directives

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkStored finds @stored on fields that are not stored, where it would say nothing, and fields of objects that share
// an attribute.
func (r *reader) checkStored() {
	for _, name := range slices.Sorted(maps.Keys(r.schema.Types)) {
		def := r.schema.Types[name]
		if def.BuiltIn || def.Kind != ast.Object && def.Kind != ast.Interface {
			continue
		}
		o, isNested := r.nested[name]
		for _, f := range def.Fields {
			d := f.Directives.ForName("stored")
			var what string
			switch {
			case d == nil:
				continue
			case def.Kind == ast.Interface:
				what = "@stored on a field of an interface: each object type says how it stores the field"
			case !r.isStored(def, f.Name):
				what = "@stored on a field that is not stored"
			case isNested && isNull(d, "name"):
				what = "the field is part of an attribute, and has no value in a key"
			default:
				continue
			}
			r.find(d.Position, name+"."+f.Name, what, fmt.Sprintf("remove @stored from field %s.%s", name, f.Name))
		}
		if isNested {
			r.checkNested(def, o)
		}
	}
}

// isStored reports whether a field is an attribute of an item, or of an object within one.
func (r *reader) isStored(def *ast.Definition, field string) bool {
	if t := r.types[def.Name]; t != nil {
		return t.Attribute(field) != nil
	}
	o, isNested := r.nested[def.Name]
	return isNested && o.Attribute(field) != nil
}

// checkNested finds two fields of an object with one attribute.
func (r *reader) checkNested(def *ast.Definition, o keys.Object) {
	by := map[string]string{}
	for _, a := range o.Attributes {
		name := a.StoredName()
		if other := by[name]; other != "" {
			f := def.Fields.ForName(a.Name)
			r.findStored(def.Name, f, fmt.Sprintf("%s and %s are stored in one attribute, %s", other, a.Name, name),
				a.Name+"Value")
		}
		by[name] = cmp.Or(by[name], a.Name)
	}
}
