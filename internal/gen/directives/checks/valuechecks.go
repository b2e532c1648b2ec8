package checks

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkValueChecks finds @check on fields that no mutation is given, and what no value can fulfil.
func checkValueChecks(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("check"); d != nil {
				checkValueCheck(r, def, f, d)
			}
		}
	}
}

func checkValueCheck(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := def.Name + "." + f.Name
	find := func(what, fix string) { r.find(d.Position, coordinate, what, fix) }
	remove := "remove @check from field " + coordinate
	a := storedAttribute(r, def, f)
	other := slices.IndexFunc(f.Directives, func(other *ast.Directive) bool {
		return slices.Contains([]string{"version", "counts", "now", "sequence"}, other.Name)
	})
	switch {
	case a == nil:
		find("@check on a field that is not stored", remove)
	case other >= 0:
		find(fmt.Sprintf("no mutation is given the value of a field with @%s", f.Directives[other].Name), remove)
	case len(d.Arguments) == 0:
		find("@check without arguments: every value is right", remove)
	default:
		unfit := unfitArguments(d, a.Kind)
		for _, name := range unfit {
			fix := "remove " + name + " from @check"
			if len(unfit) == len(d.Arguments) || sdl.Raw(d, "message") != nil && len(unfit) == len(d.Arguments)-1 {
				fix = remove
			}
			find(name+" is for a value of another type", fix)
		}
		for _, fault := range valueFaults(d) {
			find(fault[0], fault[1])
		}
	}
}

// storedAttribute returns the attribute of a field of a stored type, or of an object within attributes; nil for any
// other field.
func storedAttribute(r *checker, def *ast.Definition, f *ast.FieldDefinition) *design.Attribute {
	if t := r.Types[def.Name]; t != nil {
		return t.Attribute(f.Name)
	}
	o := r.Nested[def.Name]
	return o.Attribute(f.Name)
}

// unfitArguments returns the arguments of a @check that demand nothing of values of a kind.
func unfitArguments(d *ast.Directive, kind keys.Kind) (unfit []string) {
	isNumber := slices.Contains([]keys.Kind{keys.Int, keys.Int64, keys.Float, keys.Other}, kind)
	isText := kind == keys.String || kind == keys.Other
	for _, a := range d.Arguments {
		switch a.Name {
		case "min", "max":
			if !isNumber {
				unfit = append(unfit, a.Name)
			}
		case "minLength", "maxLength", "pattern":
			if !isText {
				unfit = append(unfit, a.Name)
			}
		}
	}
	return unfit
}

// valueFaults returns what no value can fulfil in a @check, each with its fix.
func valueFaults(d *ast.Directive) (faults [][2]string) {
	given := func(name string) bool { return sdl.Raw(d, name) != nil }
	add := func(what, fix string) { faults = append(faults, [2]string{what, fix}) }
	for _, name := range []string{"minLength", "maxLength"} {
		if given(name) && sdl.Int(d, name) < 1 {
			add(fmt.Sprintf("%s is %d", name, sdl.Int(d, name)), fmt.Sprintf("write %s: 1, or another length from 1", name))
		}
	}
	least, hasLeast := new(big.Rat).SetString(fmt.Sprint(sdl.Raw(d, "min")))
	greatest, hasGreatest := new(big.Rat).SetString(fmt.Sprint(sdl.Raw(d, "max")))
	if hasLeast && hasGreatest && least.Cmp(greatest) > 0 {
		add("no number is at least min and at most max", fmt.Sprintf("write max: %v", sdl.Raw(d, "min")))
	}
	if short, long := sdl.Int(d, "minLength"), sdl.Int(d, "maxLength"); long > 0 && short > long {
		add("no text has minLength and maxLength characters", fmt.Sprintf("write maxLength: %d", short))
	}
	if _, err := regexp.Compile(sdl.Text(d, "pattern")); err != nil {
		add(fmt.Sprintf("pattern: %v", err), "write pattern: \".\", or another regular expression of RE2")
	}
	return faults
}
