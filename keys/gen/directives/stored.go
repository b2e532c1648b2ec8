package directives

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// readStored sets the name and the format of an attribute from the @stored of its field.
func (r *reader) readStored(t *storedType, f *ast.FieldDefinition, a *keys.Attribute) {
	d := f.Directives.ForName("stored")
	if d == nil {
		return
	}
	if name := textArgument(d, "name"); name != f.Name {
		a.Stored = name
	}
	as := keys.FormatOf(textArgument(d, "as"))
	if fits(as, a.Kind) {
		a.As = as
		return
	}
	fix := "remove as from @stored"
	if d.Arguments.ForName("name") == nil {
		fix = fmt.Sprintf("remove @stored from field %s.%s", t.Name, f.Name)
	}
	r.find(d.Position, t.Name+"."+f.Name,
		fmt.Sprintf("%s is a format of %s, but the field has the type %s", as, kindsOf(as), f.Type),
		fix+", or make its type "+kindsOf(as))
}

// fits reports whether values of the kind can have the format.
func fits(f keys.Format, k keys.Kind) bool {
	switch f {
	case keys.Plain:
		return true
	case keys.NumberText:
		return k == keys.Int || k == keys.Int64
	case keys.EpochSeconds, keys.EpochMillis:
		return k == keys.Time || k == keys.Date
	default:
		return k == keys.Time
	}
}

func kindsOf(f keys.Format) string {
	switch f {
	case keys.NumberText:
		return keys.Int.String() + " or " + keys.Int64.String()
	case keys.EpochSeconds, keys.EpochMillis:
		return keys.Time.String() + " or " + keys.Date.String()
	default:
		return keys.Time.String()
	}
}
