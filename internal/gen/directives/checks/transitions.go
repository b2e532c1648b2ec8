package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkTransitions finds @transitions to what is no value of the enum, or to the value itself, values that no object
// can ever have, and enums whose rules nothing keeps because no stored object has one.
func checkTransitions(r *checker) {
	for _, def := range r.Schema.Types {
		t := reading.TransitionsOf(def)
		if t == nil {
			continue
		}
		isWrong := false
		for _, v := range def.EnumValues {
			if d := v.Directives.ForName("transitions"); d != nil {
				isWrong = checkTransition(r, def, v, d) || isWrong
			}
		}
		if !isWrong && len(t.Start) > 0 {
			checkReachable(r, def, t)
		}
	}
}

// checkTransition finds what is wrong with what a value may become. It reports whether there is anything.
func checkTransition(r *checker, def *ast.Definition, v *ast.EnumValueDefinition, d *ast.Directive) (isWrong bool) {
	to := reading.TransitionsTo(d)
	var names []string
	for _, other := range def.EnumValues {
		if other.Name != v.Name {
			names = append(names, other.Name)
		}
	}
	for i, name := range to {
		var what string
		better := slices.Delete(slices.Clone(to), i, i+1)
		switch {
		case name == v.Name:
			what = "a value that stays as it is does not change: it needs no transition"
		case !slices.Contains(names, name):
			what = fmt.Sprintf("%s is no value of %s", name, def.Name)
			if likely := finding.Likely(name, names); likely != "" && !slices.Contains(to, likely) {
				what, better = finding.IsLikely(likely, what), slices.Replace(slices.Clone(to), i, i+1, likely)
			}
		case slices.Contains(to[:i], name):
			what = name + " is there twice"
		default:
			continue
		}
		r.find(d.Position, def.Name+"."+v.Name, what, "write to: "+quotedList(better))
		return true
	}
	return false
}

// checkReachable finds values to which no way leads from a start. They are proposed for the first of the starts.
func checkReachable(r *checker, def *ast.Definition, t *design.Transitions) {
	first := def.EnumValues.ForName(t.Start[0]).Directives.ForName("transitions")
	reached := slices.Clone(t.Start)
	for i := 0; i < len(reached); i++ {
		for _, next := range t.To(reached[i]) {
			if !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	var lost []string
	for _, v := range def.EnumValues {
		if !slices.Contains(reached, v.Name) {
			lost = append(lost, v.Name)
		}
	}
	if len(lost) > 0 {
		what := fmt.Sprintf("no object can ever be %s: no way leads there from a start", strings.Join(lost, " or "))
		r.find(first.Position, def.Name, what, "write to: "+quotedList(append(reading.TransitionsTo(first), lost...)))
	}
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// checkKept finds fields whose enum has @transitions that nothing keeps: lists, and fields of objects within
// attributes.
func checkKept(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			enum := r.Schema.Types[f.Type.Name()]
			a := storedAttribute(r, def, f)
			if a == nil || enum == nil || enum.Kind != ast.Enum || reading.TransitionsOf(enum) == nil {
				continue
			}
			if f.Type.Elem != nil || r.Types[def.Name] == nil || a.Kind != keys.Enum {
				r.find(f.Position, def.Name+"."+f.Name, "@transitions of "+enum.Name+" are kept for a field of a stored "+
					"type alone, not in a list or an object within an attribute",
					fmt.Sprintf("return %s in %s.%s", strings.ReplaceAll(f.Type.String(), enum.Name, "String"), def.Name, f.Name))
			}
		}
	}
}
