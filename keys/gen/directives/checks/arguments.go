package directives

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkArguments finds arguments that are not part of the key condition. Such an argument could
// only be a filter, which reads items that are not returned.
func (r *checker) checkArguments() {
	for _, rd := range r.reads {
		for _, a := range rd.def.Arguments {
			if isPaging(a.Name) && rd.Result == keys.Many {
				r.find(a.Position, rd.Coordinate(), fmt.Sprintf("argument %s pages through a plain list", a.Name),
					remove(rd, a)+", or return a connection")
			}
		}
		if len(rd.matches) == 0 || rd.twice() != nil || r.hasUnknownVariable(rd) || r.hasUnknownAttribute(rd) {
			continue
		}
		for _, a := range rd.def.Arguments {
			if isPaging(a.Name) && rd.Result != keys.One {
				continue
			}
			what, fix := r.argumentFault(rd, a)
			if what == "" {
				continue
			}
			what = fmt.Sprintf("argument %s %s", a.Name, what)
			if likely := r.misspeltRange(rd, a); likely != "" {
				what = isLikely(likely, what)
				fix = fmt.Sprintf("rename %s to %s in field %s", a.Name, likely, rd.Coordinate())
			}
			r.find(a.Position, rd.Coordinate(), what, fix)
		}
	}
}

func (r *checker) argumentFault(rd *read, a *ast.ArgumentDefinition) (what, fix string) {
	next := r.next(rd)
	inPK, inSK := slices.Contains(rd.PK.Variables(), a.Name), slices.Contains(rd.SK.Variables(), a.Name)
	end := r.rangeEnd(a.Type)
	required := isRequired(a)
	switch {
	case !inPK && !inSK:
		return r.unusedArgument(rd, a, next)
	case end != nil && inSK && rd.Kind == keys.Get:
		return fmt.Sprintf("is a range, but {%s} needs one value", a.Name), fmt.Sprintf("write %s: %s!", a.Name, end.Name())
	case end != nil && inSK:
		return fmt.Sprintf("is a range, but {%s} needs one value", a.Name),
			fmt.Sprintf("write sk: %q, because a range bounds the variable that follows", before(rd.SK, a.Name))
	case end != nil && rd.PK.Bucket(a.Name) == 0:
		return "is a range, but a partition key needs one value",
			fmt.Sprintf("write %s: %s!, or cut a time to a bucket, as in {%s:month}", a.Name, end.Name(), a.Name)
	case end != nil && a.Name != next:
		return "is a range over time buckets, but the sort key does not continue with it",
			r.continueWith(rd, a.Name)
	case !required && (inPK && (end == nil || readsFromOldest(rd)) || rd.Kind == keys.Get ||
		isBeforeGiven(rd, a.Name, next)):
		return "may be null, but the key needs it", fmt.Sprintf("write %s: %s!", a.Name, a.Type)
	}
	return "", ""
}

// isBeforeGiven reports whether a part of the sort key that follows a variable always has a value, so that the variable
// cannot be left out: an argument that is required, a field of the parent, or the viewer.
func isBeforeGiven(rd *read, variable, next string) bool {
	names := rd.SK.Variables()
	i := slices.Index(names, variable)
	if i < 0 {
		return false
	}
	bounds := rd.def.Arguments.ForName(next)
	return bounds != nil && isRequired(bounds) || slices.ContainsFunc(names[i+1:], func(name string) bool {
		a := rd.def.Arguments.ForName(name)
		return a == nil || isRequired(a)
	})
}

// isRequired reports whether an argument always has a value.
func isRequired(a *ast.ArgumentDefinition) bool { return a.Type.NonNull || a.DefaultValue != nil }

// misspeltRange returns the variable that an argument is probably a range of, "" for none.
func (r *checker) misspeltRange(rd *read, a *ast.ArgumentDefinition) string {
	next := r.next(rd)
	kind, ranged := r.argumentKind(a)
	attr := rd.matches[0].Type.Attribute(next)
	if !ranged || attr == nil || attr.Kind != kind || rd.def.Arguments.ForName(next) != nil ||
		slices.Contains(rd.variables(), a.Name) {
		return ""
	}
	return Likely(a.Name, []string{next})
}

// readsFromOldest reports whether a field reads time buckets from the lower end of their range in any case, so that it
// needs one.
func readsFromOldest(rd *read) bool {
	return rd.Result == keys.Many || rd.Result == keys.One && !rd.Descending
}

const needsFilter = "is not part of the key condition, so it would need a filter"

func (r *checker) unusedArgument(rd *read, a *ast.ArgumentDefinition, next string) (what, fix string) {
	kind, ranged := r.argumentKind(a)
	attr := rd.matches[0].Type.Attribute(a.Name)
	switch {
	case a.Name == next && kind == keys.Float && !r.isNumberRead(rd, next):
		return fmt.Sprintf("is not a range of {%s}", next),
			remove(rd, a) + ", because texts have no ranges of Float"
	case a.Name == next && ranged && attr != nil && kind == attr.Kind:
		if sk := rd.matches[0].Shape.SK; kind == keys.String && !endsIn(sk, next) {
			// A space and others sort before the delimiter.
			return fmt.Sprintf("is a range of texts, but the sort key continues after {%s}: "+
					`"ann lee#" sorts before "ann#"`, next),
				remove(rd, a) + fmt.Sprintf(", or let the sort key end in it: sk: %q", through(sk, next))
		}
		return "", ""
	case a.Name == next && attr != nil && kind != attr.Kind && ranged && r.isFoundInKey(rd, next,
		r.rangeEnd(a.Type).Name()):
		return "", ""
	case a.Name == next && attr != nil && r.schema.Types[a.Type.Name()].Kind == ast.InputObject:
		return fmt.Sprintf("is not a range of {%s}", next),
			r.rangeFix(rd, a, attr)
	case a.Name == next && attr != nil && kind == attr.Kind:
		return needsFilter, fmt.Sprintf("write sk: %q", through(rd.matches[0].Shape.SK, next))
	case rd.Kind == keys.Get:
		return "is not part of the key", remove(rd, a) + ", or name it in pk or sk"
	case next != "":
		return needsFilter, remove(rd, a) + fmt.Sprintf(", because a range over {%s} is what the sort key allows here. "+
			"To select by %s, declare @copy or @index with {%s} in its key and query that", next, a.Name, a.Name)
	}
	return needsFilter, remove(rd, a) +
		fmt.Sprintf(", or declare @copy or @index with {%s} in its key and query that", a.Name)
}

// isNumberRead reports whether a variable of what a field reads is a key attribute that is a Number.
func (r *checker) isNumberRead(rd *read, variable string) bool {
	return slices.ContainsFunc(r.storedKeys(), func(f *storedKey) bool {
		part := slices.IndexFunc(f.SK.Segments(), func(s keys.Segment) bool { return s.Variable == variable })
		return part >= 0 && rd.isMatch(f) && r.isNumberKey(f, part)
	})
}

// isFoundInKey reports whether another check finds that an attribute should have a type, because of how it is stored.
func (r *checker) isFoundInKey(rd *read, attribute, typ string) bool {
	return slices.ContainsFunc(r.storedKeys(), func(f *storedKey) bool {
		field := f.of.def.Fields.ForName(attribute)
		return rd.isMatch(f) && field != nil && (r.storedAs(f, attribute) == typ || synonym(field.Type.Name()) == typ)
	})
}

func remove(rd *read, a *ast.ArgumentDefinition) string {
	return fmt.Sprintf("remove the argument %s of %s", a.Name, rd.Coordinate())
}

// rangeFix returns the fix that makes an argument a range of an attribute, or removes it if there are no such ranges.
func (r *checker) rangeFix(rd *read, a *ast.ArgumentDefinition, attr *keys.Attribute) string {
	typ := r.types[rd.matches[0].Type.Name].def.Fields.ForName(attr.Name).Type
	own := r.schema.Types[a.Type.Name()]
	if own.Name == typ.Name()+"Range" && typ.Elem == nil && r.rangeEnd(ast.NamedType(own.Name, nil)) == nil {
		return rangeOwnFix(own, typ.Name())
	}
	if of := r.rangeOf(typ.Name()); of != "" && typ.Elem == nil {
		return fmt.Sprintf("write %s: %s", a.Name, of)
	}
	return remove(rd, a) + fmt.Sprintf(", because there are no ranges of %s", typ.Name())
}

// rangeOwnFix returns the fix that makes a declared input a range of a scalar.
func rangeOwnFix(def *ast.Definition, scalar string) string {
	var lines []string
	for _, end := range []string{"from", "to"} {
		switch f := def.Fields.ForName(end); {
		case f == nil:
			lines = append(lines, fmt.Sprintf("add %s: %s to type %s", end, scalar, def.Name))
		case f.Type.String() != scalar:
			lines = append(lines, retype(def.Name, f, scalar))
		}
	}
	for _, f := range def.Fields {
		if f.Name != "from" && f.Name != "to" {
			lines = append(lines, fmt.Sprintf("remove %s from type %s", f.Name, def.Name))
		}
	}
	return strings.Join(lines, "\n")
}

// rangeOf returns the input that is a range of a scalar: one of the schema, or one that is built in. It is "" if there
// are no ranges of it.
func (r *checker) rangeOf(scalar string) string {
	for _, name := range slices.Sorted(maps.Keys(r.schema.Types)) {
		if end := r.rangeEnd(ast.NamedType(name, nil)); end != nil && end.Name() == scalar {
			return name
		}
	}
	if name := scalar + "Range"; builtInTypes().Definitions.ForName(name) != nil {
		return name
	}
	return ""
}

// continueWith returns the fix for a stored key whose sort key does not continue with the time of its bucket.
func (r *checker) continueWith(rd *read, variable string) string {
	longer := *rd.Field
	longer.SK = keys.MustDelimited(rd.SK.Delimiter(), rd.matches[0].Shape.SK.Leading())
	if resolved, err := keys.Resolve(r.keyTypes(), &longer); err == nil && resolved.Next() == variable {
		return fmt.Sprintf("write sk: %q", longer.SK)
	}
	if r.layout != nil {
		return fmt.Sprintf("remove the argument %s of %s, because the stored sort keys do not continue with it", variable,
			rd.Coordinate())
	}
	for _, f := range r.types[rd.Types[0]].storedKeys {
		if f.index != rd.Index || f.PK.String() != rd.matches[0].Shape.PK.String() || f.directive == nil {
			continue
		}
		name := attribute(rd.matches[0], variable)
		sk := r.join(rd.SK.String(), keys.Segment{Variable: name, Width: f.of.width(name)}.String())
		for _, name := range f.of.Identity {
			if !strings.Contains(f.PK.String()+sk, "{"+name+"}") {
				sk = r.join(sk, keys.Segment{Variable: name, Width: f.of.width(name)}.String())
			}
		}
		return fmt.Sprintf("on type %s replace %s\nwith %s", f.of.Name, f.source(), withSortKey(f.directive, sk))
	}
	return fmt.Sprintf("let the sort key of the stored items continue with {%s} right after sk %q", variable, rd.SK)
}

// before returns the beginning of a template up to a variable.
func before(t keys.Template, variable string) string {
	var segments []keys.Segment
	for _, s := range t.Segments() {
		if s.Variable == variable {
			if s.Literal != "" {
				segments = append(segments, keys.Segment{Glued: s.Glued, Literal: s.Literal})
			}
			break
		}
		segments = append(segments, s)
	}
	return keys.Join(segments, t.Delimiter())
}

func endsIn(t keys.Template, variable string) bool {
	segments := t.Segments()
	return segments[len(segments)-1].Variable == variable
}

// through returns the beginning of a template up to and with a variable.
func through(t keys.Template, variable string) string {
	var segments []keys.Segment
	for _, s := range t.Segments() {
		segments = append(segments, s)
		if s.Variable == variable {
			break
		}
	}
	return keys.Join(segments, t.Delimiter())
}
