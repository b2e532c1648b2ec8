package reading

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// attribute returns the attribute of a stored field of an object type, with the name and the format of its @stored.
func (r *Source) attribute(f *ast.FieldDefinition) design.Attribute {
	a := design.Attribute{Name: f.Name, Kind: r.Kind(f.Type), NonNull: f.Type.NonNull, Object: r.objectOf(f.Type)}
	d := f.Directives.ForName("stored")
	if d == nil {
		return a
	}
	switch name := sdl.Text(d, "name"); {
	case sdl.IsNull(d, "name"):
		a.InKeys = true
	case name != f.Name:
		a.Stored = name
	}
	if as := keys.FormatOf(sdl.Text(d, "as")); r.Fits(as, f.Type) {
		a.As = as
	}
	return a
}

// Fits reports whether values of the type can have the format.
func (r *Source) Fits(as keys.Format, t *ast.Type) bool {
	if as != keys.Set {
		return fits(as, r.Kind(t))
	}
	if t.Elem == nil || t.Elem.Elem != nil {
		return false
	}
	def := r.Schema.Types[t.Name()]
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
