package checks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkStored finds @stored on fields that are not stored, where it would say nothing, and fields of objects that share
// an attribute.
func checkStored(r *checker) {
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		def := r.Schema.Types[name]
		if def.BuiltIn || def.Kind != ast.Object && def.Kind != ast.Interface {
			continue
		}
		o, isNested := r.Nested[name]
		for _, f := range def.Fields {
			d := f.Directives.ForName("stored")
			var what string
			switch {
			case d == nil:
				continue
			case def.Kind == ast.Interface:
				what = "@stored on a field of an interface: each object type says how it stores the field"
			case !isStored(r, def, f.Name):
				what = "@stored on a field that is not stored"
			case isNested && sdl.IsNull(d, "name"):
				what = "the field is part of an attribute, and has no value in a key"
			default:
				continue
			}
			r.find(d.Position, name+"."+f.Name, what, fmt.Sprintf("remove @stored from field %s.%s", name, f.Name))
		}
		if isNested {
			checkNested(r, def, o)
		}
	}
}

// isStored reports whether a field is an attribute of an item, or of an object within one.
func isStored(r *checker, def *ast.Definition, field string) bool {
	if t := r.Types[def.Name]; t != nil {
		return t.Attribute(field) != nil
	}
	o, isNested := r.Nested[def.Name]
	return isNested && o.Attribute(field) != nil
}

// checkNested finds two fields of an object with one attribute.
func checkNested(r *checker, def *ast.Definition, o design.Object) {
	by := map[string]string{}
	for _, a := range o.Attributes {
		name := a.StoredName()
		if other := by[name]; other != "" {
			f := def.Fields.ForName(a.Name)
			findStored(r, def.Name, f, fmt.Sprintf("%s and %s are stored in one attribute, %s", other, a.Name, name),
				a.Name+"Value")
		}
		by[name] = cmp.Or(by[name], a.Name)
	}
}

// checkFormat finds a format of @stored that values of the field's type cannot have.
func checkFormat(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	as := keys.FormatOf(sdl.Text(d, "as"))
	if r.Fits(as, f.Type) {
		return
	}
	fix := "remove as from @stored"
	if d.Arguments.ForName("name") == nil {
		fix = fmt.Sprintf("remove @stored from field %s.%s", def.Name, f.Name)
	}
	fix += ", or make its type " + kindsOf(as)
	if r.Layout != nil && as != keys.Set { // It is stored as it is.
		fix = sdl.Retype(def.Name, f, sdl.WithNullability(reading.KindOf(as).String(), f.Type))
	}
	r.find(d.Position, def.Name+"."+f.Name,
		fmt.Sprintf("%s is a format of %s, but the field has the type %s", as, kindsOf(as), f.Type), fix)
}

func kindsOf(f keys.Format) string {
	switch f {
	case keys.Set:
		return "a list of String, ID, Int, Int64, Float, Time, Date or an enum"
	case keys.NumberText:
		return keys.Int.String() + " or " + keys.Int64.String()
	case keys.Number:
		return keys.String.String() + " or " + keys.IDKind.String()
	case keys.EpochSeconds, keys.EpochMillis, keys.EpochSecondsText:
		return keys.Time.String() + " or " + keys.Date.String()
	default:
		return keys.Time.String()
	}
}

// checkStoredFormats finds formats of @stored on fields that are stored.
func checkStoredFormats(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("stored"); d != nil && isStored(r, def, f.Name) {
				checkFormat(r, def, f, d)
			}
		}
	}
}
