package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkFormerNames finds @was with a name that nothing can have had before.
func checkFormerNames(r *checker) {
	names := wasNames{checker: r, isTaken: func(name string) bool { return r.Schema.Types[name] != nil }}
	for _, def := range r.Objects() {
		names.check(def.Directives, def.Name, def.Name, r.Types[def.Name] != nil)
		fields := wasNames{checker: r, isTaken: func(name string) bool { return def.Fields.ForName(name) != nil }}
		for _, f := range def.Fields {
			isStored := r.Types[def.Name] != nil && r.Types[def.Name].Attribute(f.Name) != nil
			fields.check(f.Directives, def.Name+"."+f.Name, f.Name, isStored)
		}
	}
	for _, name := range sortedEnums(r.Schema) {
		def := r.Schema.Types[name]
		names.check(def.Directives, name, name, true)
		values := wasNames{checker: r, isTaken: func(name string) bool { return def.EnumValues.ForName(name) != nil }}
		for _, v := range def.EnumValues {
			values.check(v.Directives, name+"."+v.Name, v.Name, true)
		}
	}
}

func sortedEnums(schema *ast.Schema) []string {
	var names []string
	for name, def := range schema.Types {
		if def.Kind == ast.Enum {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// wasNames are the former names of what must differ in its name: the types, the fields of one, the values of an enum.
type wasNames struct {
	*checker
	isTaken func(name string) bool
	found   []string
}

func (w *wasNames) check(directives ast.DirectiveList, coordinate, name string, isStored bool) {
	d := directives.ForName("was")
	if d == nil {
		return
	}
	was, what := sdl.RawText(d, "name"), ""
	switch {
	case !isStored:
		what = "@was on what is not stored by itself"
	case was == name:
		what = "the former name is the present one"
	case w.isTaken(was):
		what = was + " is there still"
	case slices.Contains(w.found, was):
		what = fmt.Sprintf("another one was %s, too", was)
	}
	w.found = append(w.found, was)
	if what != "" {
		w.find(d.Position, coordinate, what, "remove @was, or name what it was in the design of the table")
	}
}
