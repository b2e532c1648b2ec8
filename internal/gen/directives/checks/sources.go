package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkSources finds variables of reads that are neither an argument nor an attribute of the
// parent, or that do not have the type of the attribute in their place.
func checkSources(r *checker) {
	types := readPlaceTypes(r.Design.Access)
	for _, rd := range r.Reads {
		if rd.Directive == nil {
			continue
		}
		for _, name := range rd.Variables() {
			argument, attr := rd.Source(name)
			if name == keys.ViewerVariable {
				checkViewer(r, rd, argument != nil || attr != nil)
				continue
			}
			if argument == nil && attr == nil {
				findSource(r, rd, name)
				continue
			}
			for _, m := range rd.Matches {
				checkPlace(r, rd, m, name, types)
			}
		}
	}
}

// findSource adds the finding for a variable that neither an argument nor the parent has.
func findSource(r *checker, rd *reading.Read, name string) {
	if rd.ParentType != nil && (isMisspeltField(r, rd.ParentType, name) || isFoundInType(r, rd.ParentType, name)) {
		return
	}
	var arguments []string
	for _, a := range rd.Def.Arguments {
		if !sdl.IsPaging(a.Name) {
			arguments = append(arguments, a.Name)
		}
	}
	what := fmt.Sprintf("{%s} names no argument and no field", name)
	candidates := arguments
	if rd.ParentType != nil {
		candidates = append(candidates, reading.AttributeNames(rd.ParentType.Type)...)
	}
	width := func(name string) int {
		if a := rd.Def.Arguments.ForName(name); a != nil || rd.ParentType == nil {
			return reading.Digits(r.Kind(a.Type))
		}
		return rd.ParentType.Width(name)
	}
	by := finding.Likely(name, candidates)
	switch {
	case by != "":
		what = finding.IsLikely("{"+by+"}", what)
	case rd.ParentType != nil && name == "id" && rd.ParentType.Def.Fields.ForName("id") != nil:
		what = fmt.Sprintf("{id} is not stored: the id of a %s consists of {%s}",
			rd.ParentType.Name, strings.Join(rd.ParentType.Identity, "}, {"))
		if by = identityOf(rd, name); by == "" {
			r.find(rd.Def.Position, rd.Coordinate(), "{id} is not stored: the key of a "+rd.ParentType.Name+" has no variables",
				fixes.Identified(r.Design, rd.ParentType))
			return
		}
	case rd.ParentType == nil && len(arguments) == 1:
		by = arguments[0]
	case rd.Connection == nil && rd.ParentType != nil && rd.ParentType.Name != rd.Parent:
		by = referenceTo(rd)
	case rd.ParentType != nil && rd.ParentType.Def.Fields.ForName(name) != nil:
		what = fmt.Sprintf("{%s} names a field that is read, not stored", name)
		by = identityOf(rd, name)
	}
	if by != "" {
		r.find(rd.Def.Position, rd.Coordinate(), what, fixes.WriteVariable(rd.PK, rd.SK, name, by, width))
		return
	}
	typ := "ID"
	for _, m := range rd.Matches {
		if stored := r.Types[m.Type.Name].Def.Fields.ForName(reading.Attribute(m, name)); stored != nil {
			typ = stored.Type.Name()
		}
	}
	fix := fmt.Sprintf("add the argument %s: %s! to field %s", name, typ, rd.Coordinate())
	if rd.ParentType != nil {
		fix = fmt.Sprintf("add %s: %s to type %s", name, sdl.WithNullability(typ, rd.Def.Type), rd.ParentType.Name)
	}
	if len(rd.Matches) == 0 && !r.MaybeBroken(rd) && !r.ReturnsScalar(rd) {
		if _, more := fixes.Undeclared(r.Design, rd); more != "" {
			fix += "\n" + more
		}
	}
	r.find(rd.Def.Position, rd.Coordinate(), what, fix)
}

// referenceTo returns the attribute of the items of an edge that names its node, "" if there is not exactly one.
func referenceTo(rd *reading.Read) string {
	var names []string
	for _, a := range rd.ParentType.Attributes {
		if slices.Contains(rd.Possible, a.Ref) && a.Ref != rd.ParentType.Name {
			names = append(names, a.Name)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// isFoundInType reports whether another check finds why a type does not have a variable: its own keys name it, or
// a scalar has a directive that reads objects.
func isFoundInType(r *checker, t *reading.Type, name string) bool {
	field := t.Def.Fields.ForName(name)
	return field == nil && r.IsInKey(t, name) || r.IsReadScalar(field)
}

// identityOf returns the value of the parent's id that a variable of the read may be.
func identityOf(rd *reading.Read, variable string) string {
	for _, name := range rd.ParentType.Identity {
		for _, m := range rd.Matches {
			if reading.Attribute(m, variable) == name {
				return name
			}
		}
	}
	if len(rd.ParentType.Identity) == 0 {
		return ""
	}
	return rd.ParentType.Identity[0]
}

// kindFix returns the fix that gives an argument, or else the parent's attribute, another type.
func kindFix(r *checker, rd *reading.Read, argument *ast.ArgumentDefinition, attr *design.Attribute,
	name string) string {
	if argument == nil {
		field := rd.ParentType.Def.Fields.ForName(attr.Name)
		return sdl.Retype(rd.ParentType.Name, field, sdl.WithNullability(name, field.Type))
	}
	to := sdl.WithNullability(name, argument.Type)
	if r.RangeEnd(argument.Type) != nil {
		if of := fixes.RangeOf(r.Design, name); of != "" {
			to = sdl.WithNullability(of, argument.Type)
		}
	}
	return fmt.Sprintf("on field %s replace %s: %s with %s: %s",
		rd.Coordinate(), argument.Name, argument.Type, argument.Name, to)
}

// checkPlace compares the type of a variable with that of the stored attribute in its place.
func checkPlace(r *checker, rd *reading.Read, m design.Match, variable string, types *placeTypes) {
	name := reading.Attribute(m, variable)
	t := r.Types[m.Type.Name]
	stored := t.Def.Fields.ForName(name)
	if name == "" || stored == nil {
		return
	}
	argument, attr := rd.Source(variable)
	_, typ := r.SourceOf(rd, variable)
	if attr != nil && !reading.HasText(r.Kind(typ)) && r.IsInKey(rd.ParentType, attr.Name) {
		return // checkFormats finds this.
	}
	if typ.Name() != stored.Type.Name() || typ.Elem != nil {
		right := types.right(t.Name + "." + name)
		switch {
		case right != stored.Type.Name() && stored.Type.Elem == nil:
			findOddType(r, rd, t, stored, variable, typ, right)
		case !reading.HasText(r.Kind(stored.Type)): // checkFormats finds this.
		default:
			what := fmt.Sprintf("{%s} has type %s, but %s.%s in its place has type %s",
				variable, typ, t.Name, name, stored.Type.Name())
			r.find(rd.Def.Position, rd.Coordinate(), what, kindFix(r, rd, argument, attr, right))
		}
		return
	}
	target := t.Attribute(name)
	if argument == nil || target == nil || target.Ref == "" || r.Types[target.Ref] == nil {
		return
	}
	if named := r.Types[target.Ref]; len(named.Identity) != 1 && !named.HasUnknownVariable() {
		what := fmt.Sprintf("argument %s names an object of type %s, "+
			"but its id has %d values (%s) and cannot fill one variable",
			variable, named.Name, len(named.Identity), strings.Join(named.Identity, ", "))
		fix := fixes.ReplaceItem(named, r.OwnShape(named.Name))
		if r.Layout != nil && named.Attribute("id") != nil {
			fix = fixes.RenameID(r.Design, named)
		}
		r.find(rd.Def.Position, rd.Coordinate(), what, fix)
	}
	if first := rd.Matches[0]; first.Type != m.Type {
		other := first.Type.Attribute(reading.Attribute(first, variable))
		if other != nil && other.Kind == keys.IDKind && other.Ref != target.Ref {
			what := fmt.Sprintf("argument %s would be the id of type %s in %s and of type %s in %s",
				variable, other.Ref, first.Type.Name, target.Ref, t.Name)
			if other.Ref == "" {
				what = fmt.Sprintf("argument %s would be an opaque text in %s, but the id of type %s in %s",
					variable, first.Type.Name, target.Ref, t.Name)
			}
			fix := "return " + rd.ResultOf(first.Type.Name)
			if sk := first.Shape.SK.Leading(); sk != "" {
				fix = "write sk: " + sdl.Quote(sk) + ", or that of another type\n" + fix
			}
			r.find(rd.Def.Position, rd.Coordinate(), what, fix)
		}
	}
}

// findOddType adds the finding for a stored field that has another type than most of what is in its place.
func findOddType(r *checker,
	rd *reading.Read, t *reading.Type, stored *ast.FieldDefinition, variable string, typ *ast.Type, right string,
) {
	coordinate := t.Name + "." + stored.Name
	if slices.ContainsFunc(r.findings, func(f finding.Finding) bool { return f.Coordinate == coordinate }) {
		return
	}
	r.find(stored.Position, coordinate,
		fmt.Sprintf("%s has type %s, but {%s} of %s in its place has type %s", stored.Name, stored.Type, variable,
			rd.Coordinate(), typ), sdl.Retype(t.Name, stored, sdl.WithNullability(right, stored.Type)))
}

// checkViewer finds an argument or a field named viewer: {viewer} is the id of the signed-in
// caller, which an argument must not replace.
func checkViewer(r *checker, rd *reading.Read, isDeclared bool) {
	if isDeclared {
		r.find(rd.Def.Position, rd.Coordinate(), "{viewer} is the id of the viewer, not an argument or field",
			renameViewer(rd))
		return
	}
	for _, m := range rd.Matches {
		name := reading.Attribute(m, keys.ViewerVariable)
		if a := m.Type.Attribute(name); a == nil || a.Kind != keys.IDKind {
			r.find(rd.Def.Position, rd.Coordinate(),
				fmt.Sprintf("{viewer} is an ID, but %s.%s in its place is not", m.Type.Name, name),
				sdl.Retype(m.Type.Name, r.Types[m.Type.Name].Def.Fields.ForName(name),
					sdl.WithNullability("ID", r.Types[m.Type.Name].Def.Fields.ForName(name).Type)))
		}
	}
}

func renameViewer(rd *reading.Read) string {
	const other = "viewerId"
	if rd.Def.Arguments.ForName(keys.ViewerVariable) != nil {
		return fmt.Sprintf("rename %s to %s in field %s", keys.ViewerVariable, other, rd.Coordinate())
	}
	return fmt.Sprintf("rename %s to %s in type %s", keys.ViewerVariable, other, rd.Parent)
}
