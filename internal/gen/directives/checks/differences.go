package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// differenceTypes are the types of which a difference can be.
var differenceTypes = []string{"Int", "Int64", "Float"}

// checkDifferences finds @difference on fields that are no difference of two stored numbers.
func checkDifferences(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("difference"); d != nil {
				checkDifference(r, r.Types[def.Name], def.Name+"."+f.Name, f, d)
			}
		}
	}
}

func checkDifference(r *checker, t *reading.Type, coordinate string, f *ast.FieldDefinition, d *ast.Directive) {
	remove := "remove @difference from field " + coordinate
	switch {
	case t == nil:
		r.find(d.Position, coordinate, "@difference on a field of a type without @item", remove)
	case t.Broken:
	case slices.Contains(t.Identity, f.Name) || len(f.Arguments) > 0 || hasOtherValue(f):
		r.find(d.Position, coordinate, "the field has another value already", remove)
	case f.Type.Elem != nil || !slices.Contains(differenceTypes, f.Type.Name()):
		r.find(d.Position, coordinate, "a difference is of type "+sdl.OneOf(differenceTypes), remove)
	default:
		checkOperands(r, t, f, d, remove)
	}
}

// hasOtherValue reports whether another directive gives a field with @difference its value.
func hasOtherValue(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc(f.Directives, func(d *ast.Directive) bool {
		return reading.IsWritten(d) || slices.Contains([]string{"get", "query", "cost", "stored"}, d.Name)
	})
}

// checkOperands finds the first operand that is no stored number of the field's type, or that may be null although the
// field is not.
func checkOperands(r *checker, t *reading.Type, f *ast.FieldDefinition, d *ast.Directive, remove string) {
	coordinate, want := t.Name+"."+f.Name, f.Type.Name()
	var numbers, optional []string
	for _, a := range t.Attributes {
		if number := t.Def.Fields.ForName(a.Name).Type; number.Elem == nil && number.Name() == want {
			numbers = append(numbers, a.Name)
		}
	}
	for _, argument := range [...]string{"of", "less"} {
		name := sdl.Text(d, argument)
		switch what := fmt.Sprintf("%s: %s has no stored %s %s", argument, t.Name, want, name); {
		case !slices.Contains(numbers, name):
			if likely := finding.Likely(name, numbers); likely != "" {
				r.find(d.Position, coordinate, finding.IsLikely(likely, what), fmt.Sprintf("write %s: %q", argument, likely))
			} else {
				r.find(d.Position, coordinate, what, remove)
			}
			return
		case !t.Attribute(name).NonNull:
			optional = append(optional, name)
		}
	}
	if f.Type.NonNull && len(optional) > 0 {
		r.find(d.Position, coordinate, strings.Join(optional, " and ")+" may be null, and so may the difference",
			sdl.Retype(t.Name, f, want))
	}
}
