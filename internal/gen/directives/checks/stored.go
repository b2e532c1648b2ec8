package checks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	isNumber := as == keys.Number && (&design.Attribute{Kind: r.Kind(f.Type)}).IsNumber()
	if r.Layout != nil && as != keys.Set && !isNumber { // It is stored as it is.
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

// checkConstants finds constants of an @item that cannot be constants.
func checkConstants(r *checker) {
	for _, t := range r.SortedTypes() {
		item := t.Def.Directives.ForName("item")
		if item == nil {
			continue
		}
		var faults []string
		valid, seen := &ast.Value{Kind: ast.ListValue}, map[string]bool{}
		for _, v := range reading.ConstantValues(item) {
			name := v.Children.ForName("name").Raw
			switch _, ok := reading.ConstantOf(v); {
			case !ok:
				faults = append(faults, fmt.Sprintf("the value of constant %s is no String, number or Boolean", name))
			case seen[name]:
				faults = append(faults, fmt.Sprintf("%s is a constant of %s already", name, t.Name))
			case r.IsKeyAttribute(name):
				faults = append(faults, fmt.Sprintf("constant %s is an attribute that the table itself needs", name))
			default:
				seen[name] = true
				valid.Children = append(valid.Children, &ast.ChildValue{Value: v})
			}
		}
		if len(faults) > 0 {
			r.find(item.Position, t.Name, strings.Join(faults, "; "), "write constants: "+valid.String())
		}
	}
}

// checkConstantFields finds fields that have the attribute of a constant.
func checkConstantFields(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, a := range t.Attributes {
			if a.InKeys || !t.IsConstant(a.StoredName()) {
				continue
			}
			f := t.Def.Fields.ForName(a.Name)
			at, fix := f.Position, fmt.Sprintf("rename %s to %s in type %s", f.Name, sdl.Renamed(t.Def, f.Name), t.Name)
			if d := f.Directives.ForName("stored"); a.Stored != "" {
				at, fix = d.Position, fmt.Sprintf("write name: %q", a.Stored+"Value")
			}
			r.find(at, t.Name+"."+f.Name, fmt.Sprintf("attribute %s is a constant of %s", a.StoredName(), t.Name), fix)
		}
	}
}
