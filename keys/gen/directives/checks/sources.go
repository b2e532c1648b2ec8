package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkSources finds variables of reads that are neither an argument nor an attribute of the
// parent, or that do not have the type of the attribute in their place.
func (r *checker) checkSources() {
	types := r.readPlaceTypes()
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
				r.checkPlace(rd, m, name, types)
			}
		}
	}
}

// findSource adds the finding for a variable that neither an argument nor the parent has.
func (r *checker) findSource(rd *read, name string) {
	if rd.parent != nil && (r.isMisspeltField(rd.parent, name) || r.isFoundInType(rd.parent, name)) {
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
		if by = r.identityOf(rd, name); by == "" {
			r.find(rd.def.Position, rd.Coordinate(), "{id} is not stored: the key of a "+rd.parent.Name+" has no variables",
				r.identified(rd.parent))
			return
		}
	case rd.parent == nil && len(arguments) == 1:
		by = arguments[0]
	case rd.connection == nil && rd.parent != nil && rd.parent.Name != rd.Parent:
		by = r.referenceTo(rd)
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
		fix = fmt.Sprintf("add %s: %s to type %s", name, withNullability(typ, rd.def.Type), rd.parent.Name)
	}
	if len(rd.matches) == 0 && !r.maybeBroken(rd) && !r.returnsScalar(rd) {
		if _, more := r.undeclared(rd); more != "" {
			fix += "\n" + more
		}
	}
	r.find(rd.def.Position, rd.Coordinate(), what, fix)
}

// referenceTo returns the attribute of the items of an edge that names its node, "" if there is not exactly one.
func (r *checker) referenceTo(rd *read) string {
	var names []string
	for _, a := range rd.parent.Attributes {
		if slices.Contains(rd.possible, a.Ref) && a.Ref != rd.parent.Name {
			names = append(names, a.Name)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// identified returns the fix that gives the key of a type without variables the id of its objects.
func (r *checker) identified(t *storedType) string {
	d := t.def.Directives.ForName("item")
	with := withSortKey(d, r.join(textArgument(d, "sk"), "{id}"))
	return fmt.Sprintf("on type %s replace %s\nwith %s", t.Name, directiveText(d), with)
}

// isFoundInType reports whether another check finds why a type does not have a variable: its own keys name it, or
// a scalar has a directive that reads objects.
func (r *checker) isFoundInType(t *storedType, name string) bool {
	field := t.def.Fields.ForName(name)
	return field == nil && r.isInKey(t, name) || r.isReadScalar(field)
}

// isInKey reports whether a key of a type names a variable.
func (r *checker) isInKey(t *storedType, name string) bool {
	return slices.ContainsFunc(t.storedKeys, func(k *storedKey) bool {
		return slices.Contains(append(k.PK.Variables(), k.SK.Variables()...), name)
	})
}

// isReadScalar reports whether a field is a scalar with a directive that reads objects: checkResults finds it.
func (r *checker) isReadScalar(f *ast.FieldDefinition) bool {
	return f != nil && readDirective(f) != nil && hasText(r.kind(f.Type))
}

// identityOf returns the value of the parent's id that a variable of the read may be.
func (r *checker) identityOf(rd *read, variable string) string {
	for _, name := range rd.parent.Identity {
		for _, m := range rd.matches {
			if attribute(m, variable) == name {
				return name
			}
		}
	}
	if len(rd.parent.Identity) == 0 {
		return ""
	}
	return rd.parent.Identity[0]
}

// kindFix returns the fix that gives an argument, or else the parent's attribute, another type.
func (r *checker) kindFix(rd *read, argument *ast.ArgumentDefinition, attr *keys.Attribute, name string) string {
	if argument == nil {
		field := rd.parent.def.Fields.ForName(attr.Name)
		return retype(rd.parent.Name, field, withNullability(name, field.Type))
	}
	to := withNullability(name, argument.Type)
	if r.rangeEnd(argument.Type) != nil {
		if of := r.rangeOf(name); of != "" {
			to = withNullability(of, argument.Type)
		}
	}
	return fmt.Sprintf("on field %s replace %s: %s with %s: %s",
		rd.Coordinate(), argument.Name, argument.Type, argument.Name, to)
}

// checkPlace compares the type of a variable with that of the stored attribute in its place.
func (r *checker) checkPlace(rd *read, m keys.Match, variable string, types *placeTypes) {
	name := attribute(m, variable)
	t := r.types[m.Type.Name]
	stored := t.def.Fields.ForName(name)
	if name == "" || stored == nil {
		return
	}
	argument, attr := rd.source(variable)
	_, typ := r.sourceOf(rd, variable)
	if attr != nil && !hasText(r.kind(typ)) && r.isInKey(rd.parent, attr.Name) {
		return // checkFormats finds this.
	}
	if typ.Name() != stored.Type.Name() || typ.Elem != nil {
		right := types.right(t.Name + "." + name)
		switch {
		case right != stored.Type.Name() && stored.Type.Elem == nil:
			r.findOddType(rd, t, stored, variable, typ, right)
		case !hasText(r.kind(stored.Type)): // checkFormats finds this.
		default:
			what := fmt.Sprintf("{%s} has type %s, but %s.%s in its place has type %s",
				variable, typ, t.Name, name, stored.Type.Name())
			r.find(rd.def.Position, rd.Coordinate(), what, r.kindFix(rd, argument, attr, right))
		}
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
		fix := named.replaceItem(r.ownShape(named.Name))
		if r.layout != nil && named.Attribute("id") != nil {
			fix = r.renameID(named)
		}
		r.find(rd.def.Position, rd.Coordinate(), what, fix)
	}
	if first := rd.matches[0]; first.Type != m.Type {
		other := first.Type.Attribute(attribute(first, variable))
		if other != nil && other.Kind == keys.IDKind && other.Ref != target.Ref {
			what := fmt.Sprintf("argument %s would be the id of type %s in %s and of type %s in %s",
				variable, other.Ref, first.Type.Name, target.Ref, t.Name)
			if other.Ref == "" {
				what = fmt.Sprintf("argument %s would be an opaque text in %s, but the id of type %s in %s",
					variable, first.Type.Name, target.Ref, t.Name)
			}
			fix := "return " + rd.resultOf(first.Type.Name)
			if sk := first.Shape.SK.Leading(); sk != "" {
				fix = "write sk: " + quote(sk) + ", or that of another type\n" + fix
			}
			r.find(rd.def.Position, rd.Coordinate(), what, fix)
		}
	}
}

// findOddType adds the finding for a stored field that has another type than most of what is in its place.
func (r *checker) findOddType(
	rd *read, t *storedType, stored *ast.FieldDefinition, variable string, typ *ast.Type, right string,
) {
	coordinate := t.Name + "." + stored.Name
	if slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Coordinate == coordinate }) {
		return
	}
	r.find(stored.Position, coordinate,
		fmt.Sprintf("%s has type %s, but {%s} of %s in its place has type %s", stored.Name, stored.Type, variable,
			rd.Coordinate(), typ), retype(t.Name, stored, withNullability(right, stored.Type)))
}

// checkViewer finds an argument or a field named viewer: {viewer} is the id of the signed-in
// caller, which an argument must not replace.
func (r *checker) checkViewer(rd *read, isDeclared bool) {
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

func (r *checker) renameViewer(rd *read) string {
	const other = "viewerId"
	if rd.def.Arguments.ForName(keys.ViewerVariable) != nil {
		return fmt.Sprintf("rename %s to %s in field %s", keys.ViewerVariable, other, rd.Coordinate())
	}
	return fmt.Sprintf("rename %s to %s in type %s", keys.ViewerVariable, other, rd.Parent)
}
