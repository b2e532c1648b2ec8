package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkSequence finds a @sequence whose numbers would not be those of one object each.
func checkSequence(r *checker, t *reading.Type, f *ast.FieldDefinition, d *ast.Directive) {
	of, last := sdl.Text(d, "of"), sdl.Text(d, "last")
	a, remove := t.Attribute(of), fmt.Sprintf("remove @sequence from field %s.%s", t.Name, f.Name)
	find := func(what, fix string) { r.find(d.Position, t.Name+"."+f.Name, what, fix) }
	switch {
	case f.Type.String() != "Int!":
		find("a number in a sequence is an Int!", sdl.Retype(t.Name, f, "Int!"))
	case slices.Contains(t.Identity, f.Name):
		find("an object is identified before it has its number: identify it by an id", remove)
	case a == nil || a.Kind != keys.IDKind || slices.Equal(t.Identity, []string{of}):
		what := fmt.Sprintf("of: %s has no stored ID %s of another object", t.Name, of)
		if likely := finding.Likely(of, referencesOf(t)); likely != "" {
			find(finding.IsLikely(likely, what), fmt.Sprintf("write of: %q", likely))
		} else {
			find(what, remove)
		}
	case r.Types[a.Ref] == nil:
		find(fmt.Sprintf("of: no key says of which type the object is that %s names", of), remove)
	case !a.NonNull:
		find(fmt.Sprintf("of: %s may be null, and there is no number then", of),
			sdl.Retype(t.Name, t.Def.Fields.ForName(of), "ID!"))
	default:
		checkLast(r, t, r.Types[a.Ref], d, last, find, remove)
	}
}

// referencesOf returns the ID fields of a type that name other objects.
func referencesOf(t *reading.Type) []string {
	var names []string
	for _, a := range t.Attributes {
		if a.Kind == keys.IDKind && a.Name != "id" {
			names = append(names, a.Name)
		}
	}
	return names
}

// checkLast finds a field that cannot have the last number, and updates after which the number would be one of another
// object.
func checkLast(
	r *checker, t, parent *reading.Type, d *ast.Directive, last string, find func(what, fix string), remove string,
) {
	f, of := parent.Def.Fields.ForName(last), sdl.Text(d, "of")
	switch {
	case f == nil:
		find(fmt.Sprintf("last: %s has no field %s", parent.Name, last),
			fmt.Sprintf("add %s: Int! to type %s\n", last, parent.Name)+fixOfLast(parent, last))
	case !isInt(parent, last) || !f.Type.NonNull:
		find(fmt.Sprintf("last: %s of %s is no Int!", last, sdl.Article(parent.Name)), remove)
	case slices.ContainsFunc(f.Directives, reading.IsWritten) || slices.Contains(parent.Identity, last):
		find(fmt.Sprintf("last: %s of %s has another value", last, sdl.Article(parent.Name)), remove)
	case isGiven(r, parent, last) && f.Directives.ForName("mutable") == nil:
		find(fmt.Sprintf("last: a mutation may give %s", last), fixOfLast(parent, last))
	case isGiven(r, parent, last):
		find(fmt.Sprintf("last: a mutation may give %s", last), remove)
	case hasLatest(parent) || parent.Expires != "":
		find(fmt.Sprintf("last: objects of %s expire or share an item, which does not keep the last number", parent.Name),
			remove)
	case isUpdated(r, t, of):
		find(fmt.Sprintf("an update may change %s, and the number be that of another object", of), remove)
	}
}

// isLast returns whether a sequence has its last number in a field.
func isLast(parent, field string) func(*design.Counter) bool {
	return func(c *design.Counter) bool { return c.Parent == parent && c.Attribute == field }
}

// fixOfLast returns the fix that takes a field from all inputs.
func fixOfLast(t *reading.Type, name string) string {
	var lines []string
	f := t.Def.Fields.ForName(name)
	if t.Def.Directives.ForName("mutable") != nil && (f == nil || f.Directives.ForName("mutable") == nil) {
		lines = append(lines, fmt.Sprintf("add @mutable to field %s.%s", t.Name, name))
	}
	if f == nil || f.Directives.ForName("default") == nil {
		lines = append(lines, fmt.Sprintf("add @default(value: 0) to field %s.%s", t.Name, name))
	}
	return strings.Join(lines, "\n")
}

// isGiven reports whether the input of a mutation has a field of a type, or a step of an action writes it.
func isGiven(r *checker, t *reading.Type, name string) bool {
	for _, m := range r.Mutations {
		if m.Of == t && slices.ContainsFunc(m.Inputs(), func(f *ast.FieldDefinition) bool { return f.Name == name }) {
			return true
		}
	}
	return isStepped(r, t, name, true)
}

// isUpdated reports whether a mutation may change a field of an object.
func isUpdated(r *checker, t *reading.Type, name string) bool {
	if slices.Contains(t.Identity, name) {
		return false
	}
	for _, m := range r.Mutations {
		isIt := func(f *ast.FieldDefinition) bool { return f.Name == name }
		if m.Of == t && m.Kind == design.UpdateMutation && slices.ContainsFunc(m.Inputs(), isIt) {
			return true
		}
	}
	return isStepped(r, t, name, false)
}

// isStepped reports whether a step of an action gives a field a value, if it is no creation or creations count.
func isStepped(r *checker, t *reading.Type, name string, creates bool) bool {
	isIt := func(v reading.StepValue) bool { return v.Name == name }
	for _, a := range r.Actions {
		for _, s := range a.Steps {
			if s.Type == t.Name && (creates || s.Kind != design.CreateStep) && (slices.Contains(s.Take, name) ||
				slices.ContainsFunc(s.Set, isIt) || slices.ContainsFunc(s.Add, isIt)) {
				return true
			}
		}
	}
	return false
}
