package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkInKeys finds fields without an attribute whose value cannot be read back from the keys of each stored item.
func checkInKeys(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, a := range t.Attributes {
			if !a.InKeys || t.Broken || t.HasUnknownVariable() {
				continue
			}
			f := t.Def.Fields.ForName(a.Name)
			d := f.Directives.ForName("stored")
			remove := fmt.Sprintf("remove @stored from field %s.%s", t.Name, f.Name)
			if len(d.Arguments) > 1 {
				remove = fmt.Sprintf("write name: %q", f.Name)
			}
			if what := needsAttribute(t, f); what != "" {
				r.find(d.Position, t.Name+"."+f.Name, what, remove)
				continue
			}
			what, fix := "", remove
			for n := range 1 + len(t.Copies) {
				fault, edits := lostIn(t, n, a.Name)
				switch {
				case fault != "" && edits == "":
					what, fix = fault, remove
				case fault != "" && what == "":
					what, fix = fault, edits
				}
			}
			if what != "" {
				r.find(d.Position, t.Name+"."+f.Name, what, fix)
			}
		}
	}
}

// needsAttribute returns why the value of a field must be in an attribute, "" if it need not.
func needsAttribute(t *reading.Type, f *ast.FieldDefinition) string {
	var why string
	switch {
	case t.Version == f.Name || f.Directives.ForName("counts") != nil:
		why = "a write has a condition on it"
	case t.Expires == f.Name:
		why = "DynamoDB deletes items by an attribute"
	case slices.ContainsFunc(t.Copies, func(c design.Copy) bool { return c.Latest == f.Name }):
		why = "latest compares the attribute"
	case slices.Contains(t.Identity, f.Name) && slices.ContainsFunc(t.Copies, func(c design.Copy) bool {
		return c.Latest != "" && !c.PK.Has(f.Name) && !c.SK.Has(f.Name)
	}):
		why = "a write has a condition on it, which of several objects a copy with latest holds"
	default:
		return ""
	}
	return fmt.Sprintf("%s has no attribute, but %s", f.Name, why)
}

// lostIn returns why the keys of the n-th stored item do not always show the value of a field, "" if they do.
func lostIn(t *reading.Type, n int, name string) (what, fix string) {
	shapes := t.Shapes()
	if shapes[n].PK.Has(name) || shapes[n].SK.Has(name) {
		return "", ""
	}
	what = fmt.Sprintf("%s has no attribute, and no key of pk %q, sk %q shows its value", name, shapes[n].PK, shapes[n].SK)
	seen := map[string]int{}
	for _, ix := range t.Indexes {
		place := seen[ix.Name]
		seen[ix.Name]++
		if place != n || !ix.PK.Has(name) && !ix.SK.Has(name) {
			continue
		}
		others := optionalBeside(t, ix.Shape, name)
		if len(others) == 0 {
			return "", ""
		}
		what = fmt.Sprintf("%s has no attribute, and its value is lost while {%s} is unset: there is no entry in index "+
			"%s then",
			name, others[0].Name, ix.Name)
		var edits []string
		for _, other := range others {
			edits = append(edits, sdl.Retype(t.Name, other, other.Type.Name()+"!"))
		}
		fix = strings.Join(edits, "\n")
	}
	return what, fix
}

// optionalBeside returns the fields in the templates of an entry that may be null although the entry needs them, but
// for the one of that name.
func optionalBeside(t *reading.Type, s keys.Shape, name string) []*ast.FieldDefinition {
	var fields []*ast.FieldDefinition
	for _, template := range [...]keys.Template{s.PK, s.SK} {
		for _, segment := range template.Segments() {
			f := t.Def.Fields.ForName(segment.Variable)
			if f != nil && f.Name != name && !segment.Optional && !f.Type.NonNull {
				fields = append(fields, f)
			}
		}
	}
	return fields
}
