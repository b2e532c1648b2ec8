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
				r.findSource(rd, name)
				continue
			}
			for _, m := range rd.matches {
				r.checkPlace(rd, m, name)
			}
		}
	}
}

// findSource adds the finding for a variable that neither an argument nor the parent has.
func (r *reader) findSource(rd *read, name string) {
	if rd.parent != nil && r.isMisspeltField(rd.parent, name) {
		return
	}
	var arguments []string
	for _, a := range rd.def.Arguments {
		if !isPaging(a.Name) {
			arguments = append(arguments, a.Name)
		}
	}
	what := fmt.Sprintf("{%s} names no argument and no field", name)
	candidates := arguments
	if rd.parent != nil {
		candidates = append(candidates, attributeNames(rd.parent.Type)...)
	}
	width := func(name string) int {
		if a := rd.def.Arguments.ForName(name); a != nil || rd.parent == nil {
			return digits(r.kind(a.Type))
		}
		return rd.parent.width(name)
	}
	by := Likely(name, candidates)
	switch {
	case by != "":
		what = isLikely("{"+by+"}", what)
	case rd.parent != nil && name == "id" && rd.parent.def.Fields.ForName("id") != nil:
		what = fmt.Sprintf("{id} is not stored: the id of a %s consists of {%s}",
			rd.parent.Name, strings.Join(rd.parent.Identity, "}, {"))
		by = r.identityOf(rd, name)
	case rd.parent == nil && len(arguments) == 1:
		by = arguments[0]
	case rd.parent != nil && rd.parent.def.Fields.ForName(name) != nil:
		what = fmt.Sprintf("{%s} names a field that is read, not stored", name)
		by = r.identityOf(rd, name)
	}
	if by != "" {
		r.find(rd.def.Position, rd.Coordinate(), what, writeVariable(rd.PK, rd.SK, name, by, width))
		return
	}
	typ := "ID"
	for _, m := range rd.matches {
		if stored := r.types[m.Type.Name].def.Fields.ForName(attribute(m, name)); stored != nil {
			typ = stored.Type.Name()
		}
	}
	fix := fmt.Sprintf("add the argument %s: %s! to field %s", name, typ, rd.Coordinate())
	if rd.parent != nil {
		fix = fmt.Sprintf("add %s: %s to type %s", name, withNullability(typ, rd.def.Type), rd.Parent)
	}
	if len(rd.matches) == 0 && !r.maybeBroken(rd) && !r.returnsScalar(rd) {
		if _, more := r.undeclared(rd); more != "" {
			fix += "\n" + more
		}
	}
	r.find(rd.def.Position, rd.Coordinate(), what, fix)
}

// identityOf returns the value of the parent's id that a variable of the read may be.
func (r *reader) identityOf(rd *read, variable string) string {
	for _, name := range rd.parent.Identity {
		for _, m := range rd.matches {
			if attribute(m, variable) == name {
				return name
			}
		}
	}
	return rd.parent.Identity[0]
}

// kindFix returns the fix that gives an argument, or else the parent's attribute, the type of a stored field.
func (r *reader) kindFix(
	rd *read, argument *ast.ArgumentDefinition, attr *keys.Attribute, stored *ast.FieldDefinition,
) string {
	name := stored.Type.Name()
	if argument == nil {
		field := rd.parent.def.Fields.ForName(attr.Name)
		return retype(rd.Parent, field, withNullability(name, field.Type))
	}
	if r.rangeEnd(argument.Type) != nil {
		for _, m := range rd.matches {
			if a := m.Type.Attribute(stored.Name); a != nil {
				return r.rangeFix(argument, a)
			}
		}
	}
	return fmt.Sprintf("on field %s replace %s: %s with %s: %s",
		rd.Coordinate(), argument.Name, argument.Type, argument.Name, withNullability(name, argument.Type))
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
		r.find(rd.def.Position, rd.Coordinate(), what, r.kindFix(rd, argument, attr, stored))
		return
	}
	target := t.Attribute(name)
	if argument == nil || target == nil || target.Ref == "" || r.types[target.Ref] == nil {
		return
	}
	if named := r.types[target.Ref]; len(named.Identity) != 1 && !named.hasUnknownVariable() {
		what := fmt.Sprintf("argument %s names an object of type %s, "+
			"but its id has %d values (%s) and cannot fill one variable",
			variable, named.Name, len(named.Identity), strings.Join(named.Identity, ", "))
		r.find(rd.def.Position, rd.Coordinate(), what, named.replaceItem(r.ownShape(named.Name)))
	}
	if first := rd.matches[0]; first.Type != m.Type {
		other := first.Type.Attribute(attribute(first, variable))
		if other != nil && other.Ref != target.Ref {
			what := fmt.Sprintf("argument %s would be the id of type %s in %s and of type %s in %s",
				variable, other.Ref, first.Type.Name, target.Ref, t.Name)
			r.find(rd.def.Position, rd.Coordinate(), what,
				"write sk: "+quote(first.Shape.SK.Leading())+", or that of another type\nreturn "+rd.resultOf(first.Type.Name))
		}
	}
}

// checkViewer finds an argument or a field named viewer: {viewer} is the id of the signed-in
// caller, which an argument must not replace.
func (r *reader) checkViewer(rd *read, isDeclared bool) {
	if isDeclared {
		r.find(rd.def.Position, rd.Coordinate(), "{viewer} is the id of the viewer, not an argument or field",
			r.renameViewer(rd))
		return
	}
	for _, m := range rd.matches {
		name := attribute(m, keys.ViewerVariable)
		if a := m.Type.Attribute(name); a == nil || a.Kind != keys.IDKind {
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("{viewer} is an ID, but %s.%s in its place is not", m.Type.Name, name),
				retype(m.Type.Name, r.types[m.Type.Name].def.Fields.ForName(name),
					withNullability("ID", r.types[m.Type.Name].def.Fields.ForName(name).Type)))
		}
	}
}

func (r *reader) renameViewer(rd *read) string {
	const other = "viewerId"
	if rd.def.Arguments.ForName(keys.ViewerVariable) != nil {
		return fmt.Sprintf("rename %s to %s in field %s", keys.ViewerVariable, other, rd.Coordinate())
	}
	return fmt.Sprintf("rename %s to %s in type %s", keys.ViewerVariable, other, rd.Parent)
}
