package reading

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// Evidence returns the type that a variable of a stored key must have because of its format, or because of the values
// with which reads look for it, "" if nothing shows it.
func (r *Access) Evidence(f *Key, name string) string {
	if typ := r.StoredAs(f, name); typ != "" {
		return typ
	}
	return r.ReadType(f, name)
}

// ReadType returns the type of the values with which reads look for a variable of a stored key, "" if none does.
func (r *Access) ReadType(f *Key, name string) string {
	for _, rd := range r.Reads {
		m := rd.MatchOf(f)
		if m == nil {
			continue
		}
		for _, variable := range rd.Variables() {
			if _, typ := r.SourceOf(rd, variable); typ != nil && Attribute(*m, variable) == name && typ.Elem == nil &&
				HasText(r.Kind(typ)) {
				return typ.Name()
			}
		}
		if a := rd.Def.Arguments.ForName(name); a != nil {
			if end := r.RangeEnd(a.Type); end != nil && HasText(r.Kind(end)) {
				return end.Name()
			}
		}
	}
	return ""
}

// StoredAs returns the type that a variable of a stored key must have because of how it is stored, "" if that does not
// show it. Another type is a fault that checkFormats finds, or the check of the directive.
func (r *Access) StoredAs(f *Key, name string) string {
	if field := f.Of.Def.Fields.ForName(name); field != nil {
		d := field.Directives.ForName("stored")
		if d != nil && d.Arguments.ForName("as") != nil {
			if as := keys.FormatOf(sdl.Text(d, "as")); as != keys.Set && !r.Fits(as, field.Type) {
				return KindOf(as).String()
			}
		}
		if field.Directives.ForName("now") != nil && r.Kind(field.Type) != keys.Date {
			return keys.Time.String()
		}
	}
	for _, k := range f.Of.StoredKeys {
		for _, s := range slices.Concat(k.PK.Segments(), k.SK.Segments()) {
			if s.Variable == name && s.Bucket > 0 {
				return keys.Time.String()
			}
		}
	}
	for _, s := range slices.Concat(f.PK.Segments(), f.SK.Segments()) {
		if s.Variable == name && s.Width > 0 {
			return keys.Int.String()
		}
	}
	return ""
}

// SourceOf returns where a read has the value of a variable from, and its type: for a range that of both ends. It is
// nil if the value is from nowhere.
func (r *Access) SourceOf(rd *Read, variable string) (coordinate string, typ *ast.Type) {
	switch argument, attr := rd.Source(variable); {
	case argument != nil:
		return rd.Coordinate() + "(" + variable + ")", cmp.Or(r.RangeEnd(argument.Type), argument.Type)
	case attr != nil:
		return rd.Parent + "." + attr.Name, rd.ParentType.Def.Fields.ForName(attr.Name).Type
	}
	return "", nil
}
