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

// checkArguments finds arguments that are not part of the key condition. Such an argument could
// only be a filter, which reads items that are not returned.
func checkArguments(r *checker) {
	for _, rd := range r.Reads {
		for _, a := range rd.Def.Arguments {
			if sdl.IsPaging(a.Name) && rd.Result == design.Many {
				r.find(a.Position, rd.Coordinate(), fmt.Sprintf("argument %s pages through a plain list", a.Name),
					fixes.Remove(rd, a)+", or return a connection")
			}
		}
		if len(rd.Matches) == 0 || rd.Twice() != nil || r.NamesUnknown(rd) || r.HasUnknownAttribute(rd) {
			continue
		}
		for _, a := range rd.Def.Arguments {
			if sdl.IsPaging(a.Name) && rd.Result != design.One {
				continue
			}
			what, fix := argumentFault(r, rd, a)
			if what == "" {
				continue
			}
			what = fmt.Sprintf("argument %s %s", a.Name, what)
			if likely := misspeltRange(r, rd, a); likely != "" {
				what = finding.IsLikely(likely, what)
				fix = fmt.Sprintf("rename %s to %s in field %s", a.Name, likely, rd.Coordinate())
			}
			r.find(a.Position, rd.Coordinate(), what, fix)
		}
	}
}

func argumentFault(r *checker, rd *reading.Read, a *ast.ArgumentDefinition) (what, fix string) {
	next := r.Next(rd)
	inPK, inSK := slices.Contains(rd.PK.Variables(), a.Name), slices.Contains(rd.SK.Variables(), a.Name)
	end := r.RangeEnd(a.Type)
	required := isRequired(a)
	switch {
	case !inPK && !inSK:
		if what, fix = unusedArgument(r, rd, a, next); what == needsFilter && a.Name != next {
			return filterFault(r, rd, a, fix)
		}
		return what, fix
	case end != nil && inSK && rd.Kind == design.Get:
		return fmt.Sprintf("is a range, but {%s} needs one value", a.Name), fmt.Sprintf("write %s: %s!", a.Name, end.Name())
	case end != nil && inSK:
		return fmt.Sprintf("is a range, but {%s} needs one value", a.Name),
			fmt.Sprintf("write sk: %q, because a range bounds the variable that follows", fixes.Before(rd.SK, a.Name))
	case end != nil && rd.PK.Bucket(a.Name) == 0:
		return "is a range, but a partition key needs one value",
			fmt.Sprintf("write %s: %s!, or cut a time to a bucket, as in {%s:month}", a.Name, end.Name(), a.Name)
	case end != nil && a.Name != next:
		return "is a range over time buckets, but the sort key does not continue with it",
			continueWith(r, rd, a.Name)
	case !required && rd.Kind == design.Query && hasPlace(rd.PK, a.Name):
		return "", ""
	case !required && (inPK && (end == nil || readsFromOldest(rd)) || rd.Kind == design.Get ||
		isBeforeGiven(rd, a.Name, next)):
		return "may be null, but the key needs it", requiredFix(rd, a)
	}
	return "", ""
}

// isBeforeGiven reports whether a part of the sort key that follows a variable always has a value, so that the variable
// cannot be left out: an argument that is required, a field of the parent, or the viewer.
func isBeforeGiven(rd *reading.Read, variable, next string) bool {
	names := rd.SK.Variables()
	i := slices.Index(names, variable)
	if i < 0 {
		return false
	}
	bounds := rd.Def.Arguments.ForName(next)
	return bounds != nil && isRequired(bounds) || slices.ContainsFunc(names[i+1:], func(name string) bool {
		a := rd.Def.Arguments.ForName(name)
		return a == nil || isRequired(a)
	})
}

// isRequired reports whether an argument always has a value.
func isRequired(a *ast.ArgumentDefinition) bool { return a.Type.NonNull || a.DefaultValue != nil }

// misspeltRange returns the variable that an argument is probably a range of, "" for none.
func misspeltRange(r *checker, rd *reading.Read, a *ast.ArgumentDefinition) string {
	next := r.Next(rd)
	kind, ranged := r.ArgumentKind(a)
	attr := rd.Matches[0].Type.Attribute(next)
	if !ranged || attr == nil || attr.Kind != kind || rd.Def.Arguments.ForName(next) != nil ||
		slices.Contains(rd.Variables(), a.Name) {
		return ""
	}
	return finding.Likely(a.Name, []string{next})
}

// readsFromOldest reports whether a field reads time buckets from the lower end of their range in any case, so that it
// needs one.
func readsFromOldest(rd *reading.Read) bool {
	return rd.Result == design.Many || rd.Result == design.One && !rd.Descending
}

const needsFilter = "is not part of the key condition, so it would need a filter"

func unusedArgument(r *checker, rd *reading.Read, a *ast.ArgumentDefinition, next string) (what, fix string) {
	kind, ranged := r.ArgumentKind(a)
	attr := rd.Matches[0].Type.Attribute(a.Name)
	switch {
	case a.Name == next && (kind == keys.Float || attr != nil && attr.Kind == keys.Float) && !isNumberRead(r, rd, next):
		return fmt.Sprintf("is not a range of {%s}", next),
			fixes.Remove(rd, a) + ", because texts have no ranges of Float"
	case a.Name == next && ranged && attr != nil && kind == attr.Kind:
		return rangeFault(r, rd, a, next)
	case a.Name == next && attr != nil && kind != attr.Kind && ranged && isFoundInKey(r, rd, next,
		r.RangeEnd(a.Type).Name()):
		return "", ""
	case a.Name == next && attr != nil && r.Schema.Types[a.Type.Name()].Kind == ast.InputObject:
		return fmt.Sprintf("is not a range of {%s}", next),
			rangeFix(r, rd, a, attr)
	case a.Name == next && attr != nil && kind == attr.Kind:
		return needsFilter, fmt.Sprintf("write sk: %q", through(rd.Matches[0].Shape.SK, next))
	case rd.Kind == design.Get:
		return "is not part of the key", fixes.Remove(rd, a) + ", or name it in pk or sk"
	case next != "":
		return needsFilter, fixes.Remove(rd,
			a) + fmt.Sprintf(", because a range over {%s} is what the sort key allows here. "+
			"To select by %s, declare @copy or @index with {%s} in its key and query that", next, a.Name, a.Name)
	}
	return needsFilter, fixes.Remove(rd, a) +
		fmt.Sprintf(", or declare @copy or @index with {%s} in its key and query that", a.Name)
}

// rangeFault returns what is wrong with a range of a variable of its type.
func rangeFault(r *checker, rd *reading.Read, a *ast.ArgumentDefinition, next string) (what, fix string) {
	kind, _ := r.ArgumentKind(a)
	sk := rd.Matches[0].Shape.SK
	switch {
	case r.IsPrefix(a.Type) && isNumberRead(r, rd, next):
		return fmt.Sprintf("is a prefix, but {%s} is a Number in the key", next), fixes.Remove(rd, a)
	case r.IsPrefix(a.Type) && isFollowed(sk, next):
		return fmt.Sprintf("is a prefix, but no delimiter is between {%s} and what follows it in the key", next),
			fixes.Remove(rd, a)
	case kind == keys.String && !r.IsPrefix(a.Type) && !endsIn(sk, next):
		fix = fmt.Sprintf("write %s: StringPrefix", a.Name)
		if isFollowed(sk, next) {
			fix = fixes.Remove(rd, a)
		}
		// A space and others sort before the delimiter.
		return fmt.Sprintf("is a range of texts, but the sort key continues after {%s}: "+
				`"ann lee#" sorts before "ann#"`, next),
			fix + fmt.Sprintf(", or let the sort key end in it: sk: %q", through(sk, next))
	case kind == keys.Enum && r.Layout != nil:
		return rangeOfNames(r, rd, a)
	}
	return "", ""
}

// isFollowed reports whether a segment follows a variable without a delimiter.
func isFollowed(t keys.Template, variable string) bool {
	at := slices.IndexFunc(t.Segments(), func(s keys.Segment) bool { return s.Variable == variable })
	return at >= 0 && at < len(t.Segments())-1 && t.Segments()[at+1].Glued
}

// rangeOfNames returns what is wrong with a range of an enum in an existing table, which may have its names in keys.
func rangeOfNames(r *checker, rd *reading.Read, a *ast.ArgumentDefinition) (what, fix string) {
	def := r.Schema.Types[r.RangeEnd(a.Type).Name()]
	isPlaced := func(s keys.Segment) bool { return s.Variable == a.Name && s.Width > 0 }
	if slices.ContainsFunc(rd.Matches[0].Shape.SK.Segments(), isPlaced) || hasOrderOfNames(def, r.Names().Delimiter) {
		return "", ""
	}
	return fmt.Sprintf("is a range of %s, but the keys have the order of its names, %s", def.Name,
		orderOfNames(def, r.Names().Delimiter)), fixes.Remove(rd, a)
}

// isNumberRead reports whether a variable of what a field reads is a key attribute that is a Number.
func isNumberRead(r *checker, rd *reading.Read, variable string) bool {
	return slices.ContainsFunc(r.StoredKeys(), func(f *reading.Key) bool {
		part := slices.IndexFunc(f.SK.Segments(), func(s keys.Segment) bool { return s.Variable == variable })
		return part >= 0 && rd.IsMatch(f) && r.IsNumberKey(f, part)
	})
}

// isFoundInKey reports whether another check finds that an attribute should have a type, because of how it is stored.
func isFoundInKey(r *checker, rd *reading.Read, attribute, typ string) bool {
	return slices.ContainsFunc(r.StoredKeys(), func(f *reading.Key) bool {
		field := f.Of.Def.Fields.ForName(attribute)
		return rd.IsMatch(f) && field != nil && (r.StoredAs(f, attribute) == typ || finding.Synonym(field.Type.Name()) == typ)
	})
}

// rangeFix returns the fix that makes an argument a range of an attribute, or removes it if there are no such ranges.
func rangeFix(r *checker, rd *reading.Read, a *ast.ArgumentDefinition, attr *design.Attribute) string {
	typ := r.Types[rd.Matches[0].Type.Name].Def.Fields.ForName(attr.Name).Type
	own := r.Schema.Types[a.Type.Name()]
	if own.Name == typ.Name()+"Range" && typ.Elem == nil && r.RangeEnd(ast.NamedType(own.Name, nil)) == nil {
		return rangeOwnFix(own, typ.Name())
	}
	if of := fixes.RangeOf(r.Design, typ.Name()); of != "" && typ.Elem == nil {
		return fmt.Sprintf("write %s: %s", a.Name, of)
	}
	return fixes.Remove(rd, a) + fmt.Sprintf(", because there are no ranges of %s", typ.Name())
}

// rangeOwnFix returns the fix that makes a declared input a range of a scalar.
func rangeOwnFix(def *ast.Definition, scalar string) string {
	var lines []string
	for _, end := range []string{"from", "to"} {
		switch f := def.Fields.ForName(end); {
		case f == nil:
			lines = append(lines, fmt.Sprintf("add %s: %s to type %s", end, scalar, def.Name))
		case f.Type.String() != scalar:
			lines = append(lines, sdl.Retype(def.Name, f, scalar))
		}
	}
	for _, f := range def.Fields {
		if f.Name != "from" && f.Name != "to" {
			lines = append(lines, fmt.Sprintf("remove %s from type %s", f.Name, def.Name))
		}
	}
	return strings.Join(lines, "\n")
}

// continueWith returns the fix for a stored key whose sort key does not continue with the time of its bucket.
func continueWith(r *checker, rd *reading.Read, variable string) string {
	longer := *rd.Field
	longer.SK = keys.MustDelimited(rd.SK.Delimiter(), rd.Matches[0].Shape.SK.Leading())
	if resolved, err := design.Resolve(r.KeyTypes(), &longer); err == nil && resolved.Next() == variable {
		return fmt.Sprintf("write sk: %q", longer.SK)
	}
	if r.Layout != nil {
		return fmt.Sprintf("remove the argument %s of %s, because the stored sort keys do not continue with it", variable,
			rd.Coordinate())
	}
	for _, f := range r.Types[rd.Types[0]].StoredKeys {
		if f.Index != rd.Index || f.PK.String() != rd.Matches[0].Shape.PK.String() || f.Directive == nil {
			continue
		}
		name := reading.Attribute(rd.Matches[0], variable)
		sk := r.Join(rd.SK.String(), keys.Segment{Variable: name, Width: f.Of.Width(name)}.String())
		for _, name := range f.Of.Identity {
			if !strings.Contains(f.PK.String()+sk, "{"+name+"}") {
				sk = r.Join(sk, keys.Segment{Variable: name, Width: f.Of.Width(name)}.String())
			}
		}
		return fmt.Sprintf("on type %s replace %s\nwith %s", f.Of.Name, f.Source(), sdl.WithSortKey(f.Directive, sk))
	}
	return fmt.Sprintf("let the sort key of the stored items continue with {%s} right after sk %q", variable, rd.SK)
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
