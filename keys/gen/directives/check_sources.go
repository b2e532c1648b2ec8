package directives

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkSources finds variables of reads that are neither an argument nor an attribute of the
// parent, or that do not have the type of the attribute in their place.
func (r *reader) checkSources() {
	for _, rd := range r.reads {
		if rd.directive == nil {
			continue
		}
		for _, name := range rd.variables() {
			argument, attr := rd.source(name)
			if name == keys.ViewerVariable {
				r.checkViewer(rd, argument != nil || attr != nil)
				continue
			}
			if argument == nil && attr == nil {
				what := fmt.Sprintf("{%s} names no argument and no field", name)
				r.find(rd.def.Position, rd.Coordinate(), what, r.nameSource(rd, name))
				continue
			}
			for _, m := range rd.matches {
				r.checkPlace(rd, m, name)
			}
		}
	}
}

func (r *reader) nameSource(rd *read, name string) string {
	var candidates []string
	for _, a := range rd.def.Arguments {
		if !isPaging(a.Name) {
			candidates = append(candidates, a.Name)
		}
	}
	if rd.parent != nil {
		if name == "id" && rd.parent.def.Fields.ForName("id") != nil {
			candidates = append(candidates, rd.parent.Identity...)
			return "the id of a " + rd.parent.Name + " is not stored; name one of " + oneOf(candidates)
		}
		candidates = append(candidates, attributeNames(rd.parent.Type)...)
	}
	if len(candidates) == 0 {
		return fmt.Sprintf("add the argument %s to the field", name)
	}
	return fmt.Sprintf("name %s, or add the argument %s", oneOf(candidates), name)
}

// checkPlace compares the type of a variable with that of the stored attribute in its place.
func (r *reader) checkPlace(rd *read, m keys.Match, variable string) {
	name := attribute(m, variable)
	t := r.types[m.Type.Name]
	stored := t.def.Fields.ForName(name)
	if name == "" || stored == nil {
		return
	}
	var typ *ast.Type
	argument, attr := rd.source(variable)
	if argument != nil {
		typ = argument.Type
		if end := r.rangeEnd(argument.Type); end != nil {
			typ = end
		}
	} else {
		typ = rd.parent.def.Fields.ForName(attr.Name).Type
	}
	if typ.Name() != stored.Type.Name() || typ.Elem != nil {
		if r.kind(stored.Type) == keys.Other {
			return // checkFormats finds this.
		}
		what := fmt.Sprintf("{%s} has type %s, but %s.%s in its place has type %s",
			variable, typ, t.Name, name, stored.Type.Name())
		r.find(rd.def.Position, rd.Coordinate(), what,
			fmt.Sprintf("make both of type %s, or name another variable", stored.Type.Name()))
		return
	}
	target := t.Attribute(name)
	if argument == nil || target == nil || target.Ref == "" || r.types[target.Ref] == nil {
		return
	}
	if named := r.types[target.Ref]; len(named.Identity) != 1 {
		what := fmt.Sprintf("argument %s names an object of type %s, "+
			"but its id has %d values (%s) and cannot fill one variable",
			variable, named.Name, len(named.Identity), strings.Join(named.Identity, ", "))
		fix := fmt.Sprintf("let {id} alone identify it: %s on type %s, other keys as @copy; "+
			"or rename the field id in its keys, and declare the values as arguments",
			itemLine(ownShape(named.Name)), named.Name)
		r.find(rd.def.Position, rd.Coordinate(), what, fix)
	}
	if first := rd.matches[0]; first.Type != m.Type {
		other := first.Type.Attribute(attribute(first, variable))
		if other != nil && other.Ref != target.Ref {
			what := fmt.Sprintf("argument %s would be the id of type %s in %s and of type %s in %s",
				variable, other.Ref, first.Type.Name, target.Ref, t.Name)
			r.find(rd.def.Position, rd.Coordinate(), what, "narrow sk to one of them")
		}
	}
}

// checkViewer finds an argument or a field named viewer: {viewer} is the id of the signed-in
// caller, which an argument must not replace.
func (r *reader) checkViewer(rd *read, isDeclared bool) {
	if isDeclared {
		r.find(rd.def.Position, rd.Coordinate(), "{viewer} is the id of the viewer, not an argument or field",
			"rename the argument or the field")
		return
	}
	for _, m := range rd.matches {
		name := attribute(m, keys.ViewerVariable)
		if a := m.Type.Attribute(name); a == nil || a.Kind != keys.IDKind {
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("{viewer} is an ID, but %s.%s in its place is not", m.Type.Name, name), "name another variable")
		}
	}
}
