package directives

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// attribute returns the attribute of a stored field of an object type, with the name and the format of its @stored.
func (r *reader) attribute(def *ast.Definition, f *ast.FieldDefinition) keys.Attribute {
	a := keys.Attribute{Name: f.Name, Kind: r.kind(f.Type), NonNull: f.Type.NonNull, Object: r.objectOf(f.Type)}
	d := f.Directives.ForName("stored")
	if d == nil {
		return a
	}
	switch name := textArgument(d, "name"); {
	case isNull(d, "name"):
		a.InKeys = true
	case name != f.Name:
		a.Stored = name
	}
	as := keys.FormatOf(textArgument(d, "as"))
	if r.fits(as, f.Type) {
		a.As = as
		return a
	}
	fix := "remove as from @stored"
	if d.Arguments.ForName("name") == nil {
		fix = fmt.Sprintf("remove @stored from field %s.%s", def.Name, f.Name)
	}
	fix += ", or make its type " + kindsOf(as)
	if r.layout != nil && as != keys.Set { // It is stored as it is.
		fix = retype(def.Name, f, withNullability(kindOf(as).String(), f.Type))
	}
	r.find(d.Position, def.Name+"."+f.Name,
		fmt.Sprintf("%s is a format of %s, but the field has the type %s", as, kindsOf(as), f.Type), fix)
	return a
}

// fits reports whether values of the type can have the format.
func (r *reader) fits(as keys.Format, t *ast.Type) bool {
	if as != keys.Set {
		return fits(as, r.kind(t))
	}
	if t.Elem == nil || t.Elem.Elem != nil {
		return false
	}
	def := r.schema.Types[t.Name()]
	return t.Name() != "Boolean" && def != nil && (def.Kind == ast.Enum || def.Kind == ast.Scalar)
}

// fits reports whether values of the kind can have the format.
func fits(f keys.Format, k keys.Kind) bool {
	switch f {
	case keys.Plain:
		return true
	case keys.NumberText:
		return k == keys.Int || k == keys.Int64
	case keys.Number:
		return k == keys.String || k == keys.IDKind
	case keys.EpochSeconds, keys.EpochMillis, keys.EpochSecondsText:
		return k == keys.Time || k == keys.Date
	default:
		return k == keys.Time
	}
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
