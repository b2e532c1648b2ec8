package checks

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkDefaults finds @default on fields that cannot have one, and values that are not of the field's type.
func checkDefaults(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("default"); d != nil {
				checkDefault(r, r.Types[def.Name], def.Name+"."+f.Name, f, d)
			}
		}
	}
}

func checkDefault(r *checker, t *reading.Type, coordinate string, f *ast.FieldDefinition, d *ast.Directive) {
	remove := "remove @default from field " + coordinate
	if t == nil || t.Attribute(f.Name) == nil {
		r.find(d.Position, coordinate, "@default on a field that is not stored by itself", remove)
		return
	}
	a, value := t.Attribute(f.Name), d.Arguments.ForName("value").Value
	given := slices.IndexFunc(f.Directives, func(other *ast.Directive) bool {
		return slices.Contains([]string{"version", "counts", "unique", "sequence"}, other.Name)
	})
	switch {
	case t.Broken:
	case slices.Contains(t.Identity, f.Name):
		r.find(d.Position, coordinate, "the field is part of the key: each object has a value of its own", remove)
	case a.InKeys:
		r.find(d.Position, coordinate, "the value is in keys only", remove)
	case given >= 0 && f.Directives[given].Name == "unique":
		r.find(d.Position, coordinate, "no two objects have the same value of a field with @unique", remove)
	case given >= 0:
		r.find(d.Position, coordinate, "the value of a field with @"+f.Directives[given].Name+" is known without it", remove)
	case !f.Type.NonNull:
		r.find(d.Position, coordinate, "the field may be null: an object without it needs no default",
			sdl.Retype(t.Name, f, f.Type.String()+"!"))
	default:
		if _, ok := r.DefaultOf(f.Type, a.As, value); !ok {
			what, fix := r.wrongDefault(f.Type, value, remove)
			r.find(d.Position, coordinate, what, fix)
		}
	}
}

// wrongDefault returns what is wrong with a value that is not of a type, and a value that is.
func (r *checker) wrongDefault(t *ast.Type, v *ast.Value, remove string) (what, fix string) {
	what = fmt.Sprintf("%s is no value of %s", v, sdl.Nullable(t))
	example := map[keys.Kind]string{
		keys.String: strconv.Quote(v.Raw), keys.IDKind: strconv.Quote(v.Raw), keys.Boolean: "false", keys.Int: "0",
		keys.Int64: "0", keys.Float: "0", keys.Time: `"2000-01-01T00:00:00Z"`, keys.Date: `"2000-01-01"`,
	}[r.Kind(t)]
	switch {
	case t.Elem != nil:
		example = "[]"
	case r.Kind(t) == keys.Enum:
		var names []string
		for _, value := range r.Schema.Types[t.Name()].EnumValues {
			names = append(names, value.Name)
		}
		if likely := finding.Likely(v.Raw, names); likely != "" {
			return finding.IsLikely(likely, what), "write value: " + likely
		}
		return what, "write value: " + names[0] + ", or another of " + sdl.OneOf(names)
	}
	if example == "" {
		return what, remove
	}
	return what, "write value: " + example
}
