package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// checkMutableFields finds @mutable on fields that no input could have, and callers that there are not.
func checkMutableFields(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("mutable"); d != nil {
				checkMutableField(r, def, f, d)
			}
		}
	}
}

func checkMutableField(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate, t := def.Name+"."+f.Name, r.Types[def.Name]
	find := func(what, fix string) { r.find(d.Position, coordinate, what, fix) }
	remove := "remove @mutable from field " + coordinate
	isSet := slices.ContainsFunc(f.Directives, reading.IsWritten)
	switch {
	case t == nil || t.Attribute(f.Name) == nil:
		find("@mutable on a field that is not stored by itself", remove)
		return
	case t.Broken:
		return
	case isSet:
		find("no mutation is given the value anyway", remove)
		return
	case t.Def.Directives.ForName("mutable") == nil:
		find("the type has no mutations", remove)
		return
	}
	for _, name := range []string{"delete", "names"} {
		if d.Arguments.ForName(name) != nil {
			find(name+" is for a type", without(d, name, remove))
		}
	}
	for _, m := range reading.MutationsOf(t.Def, t.Identity) {
		checkGivers(r, m, f, d)
	}
	for kind := design.CreateMutation; kind <= design.UpdateMutation; kind++ {
		verb := reading.Verbs[kind]
		isThere := t.Def.Directives.ForName("mutable").Arguments.ForName(verb) != nil
		isKey := kind == design.UpdateMutation && slices.Contains(t.Identity, f.Name)
		if d.Arguments.ForName(verb) != nil && (!isThere || isKey) {
			find(fmt.Sprintf("no mutation may %s the value", verb), without(d, verb, remove))
		}
	}
}

// without returns the fix that removes an argument of a @mutable; remove is the one that removes all of it.
func without(d *ast.Directive, argument, remove string) string {
	if len(d.Arguments) == 1 {
		return remove
	}
	return "remove " + argument + " from @mutable"
}

// checkGivers checks who may give a value to a mutation.
func checkGivers(r *checker, m *reading.Mutation, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate, verb := m.Def.Name+"."+f.Name, reading.Verbs[m.Kind]
	find := func(what, fix string) { r.find(d.Position, coordinate, what, fix) }
	to, isRestricted := m.GivenBy(f)
	corrected := make([]string, len(to))
	for i, word := range to {
		corrected[i] = reading.RoleFrom(word)
	}
	if i := slices.IndexFunc(to, func(word string) bool { return !reading.IsRole(word) }); i >= 0 {
		find(notRole(to[i]), fmt.Sprintf("write %s: %s, "+wordsOfRoles, verb, sdl.QuotedList(corrected)))
		return
	}
	members := reading.MemberWords(m.Def.Directives.ForName("allow"))
	others := slices.DeleteFunc(slices.Clone(to), func(word string) bool { return slices.Contains(members, word) })
	switch {
	case len(others) < len(to):
		fix := fmt.Sprintf("write %s: %s", verb, sdl.QuotedList(others))
		switch {
		case len(others) > 0:
		case m.Kind == design.CreateMutation:
			fix = fmt.Sprintf("write %s: %s", verb, sdl.QuotedList([]string{reading.AllowViewer}))
		default:
			fix = without(d, verb, "remove @mutable from field "+coordinate)
		}
		find("a membership decides about whole objects: "+
			"in an action, a step with @step(check:) may decide about one value", fix)
	case slices.Contains(to, reading.AllowOwner) && m.Owner == "":
		find("OWNER may give the value, but the owner is unknown",
			fmt.Sprintf("write %s: %s, or others who may call %s", verb, sdl.QuotedList(m.To), m.Name))
	case isRestricted && m.Kind == design.CreateMutation && f.Type.NonNull && f.Directives.ForName("default") == nil:
		find(fmt.Sprintf("an object would lack the value if somebody else calls %s", m.Name), r.defaultFix(m, f))
	}
}

// defaultFix returns the fix that gives new objects a value.
func (r *checker) defaultFix(m *reading.Mutation, f *ast.FieldDefinition) string {
	identifies := slices.Contains(r.Types[m.Def.Name].Identity, f.Name) || f.Directives.ForName("unique") != nil
	_, fix := r.wrongDefault(f.Type, &ast.Value{}, "")
	if identifies || fix == "" {
		return fmt.Sprintf("write create: %s, who may all give it", sdl.QuotedList(m.To))
	}
	value, _, _ := strings.Cut(strings.TrimPrefix(fix, "write value: "), ", or")
	return fmt.Sprintf("add @default(value: %s) to field %s.%s", value, m.Def.Name, f.Name)
}
