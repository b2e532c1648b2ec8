package checks

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// maxDeclaredUnits is more than one resolver can consume.
const maxDeclaredUnits = 1_000_000_000

// checkCosts finds @cost with units that cannot be consumed, and with a list that does not exist.
func checkCosts(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("cost"); d != nil {
				checkCost(r, d, f, def.Name+"."+f.Name)
			}
		}
	}
}

func checkCost(r *checker, d *ast.Directive, f *ast.FieldDefinition, coordinate string) {
	given := d.ArgumentMap(nil)
	for _, name := range []string{"readUnits", "writeUnits", "writeUnitsEach"} {
		n, isFloat := given[name].(float64)
		if whole, isInt := given[name].(int64); isInt {
			n, isFloat = float64(whole), true
		}
		if isFloat && !(n >= 0 && n <= maxDeclaredUnits) {
			r.find(d.Position, coordinate, fmt.Sprintf("%s is %v", name, n),
				fmt.Sprintf("write %s: %d, or the units that it consumes at worst, between 0 and %d",
					name, min(max(int(min(n, maxDeclaredUnits)), 1), maxDeclaredUnits), maxDeclaredUnits))
		}
	}
	of := sdl.Text(d, "of")
	counts := d.Arguments.ForName("writeUnitsEach") != nil
	switch {
	case counts && of == "":
		r.find(d.Position, coordinate, "writeUnitsEach without of: the list is unknown", listFix(r, f))
	case of != "" && !isList(r, f, of):
		r.find(d.Position, coordinate, fmt.Sprintf("of names %q, which is not a list in an argument", of), listFix(r, f))
	}
}

// isList reports whether a path that begins with an argument ends at a list, and passes through no
// other.
func isList(r *checker, f *ast.FieldDefinition, path string) bool {
	names := strings.Split(path, ".")
	argument := f.Arguments.ForName(names[0])
	if argument == nil {
		return false
	}
	at := argument.Type
	for _, name := range names[1:] {
		input := r.Schema.Types[at.Name()]
		if at.Elem != nil || input == nil || input.Kind != ast.InputObject {
			return false
		}
		field := input.Fields.ForName(name)
		if field == nil {
			return false
		}
		at = field.Type
	}
	return at.Elem != nil
}

// listFix returns the fix that names a list in the field's arguments.
func listFix(r *checker, f *ast.FieldDefinition) string {
	for _, a := range f.Arguments {
		if isList(r, f, a.Name) {
			return fmt.Sprintf("write of: %q", a.Name)
		}
		input := r.Schema.Types[a.Type.Name()]
		if input == nil || input.Kind != ast.InputObject {
			continue
		}
		for _, inner := range input.Fields {
			if path := a.Name + "." + inner.Name; isList(r, f, path) {
				return fmt.Sprintf("write of: %q", path)
			}
		}
	}
	return "remove writeUnitsEach from @cost\nremove of from @cost"
}
