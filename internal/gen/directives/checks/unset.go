package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkUnset finds reads with a variable that may be unset, as in {assigneeId?}, where no objects without a value can
// be found. They are in one place: the partition whose key ends before the value.
func checkUnset(r *checker) {
	for _, rd := range r.Reads {
		if rd.Kind.IsByID() || rd.Directive == nil {
			continue
		}
		if i := slices.IndexFunc(rd.SK.Segments(), isUnset); i >= 0 {
			r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("sk %q: {%s} may be unset, which only the partition key "+
				"of a @query says", rd.SK, rd.SK.Segments()[i].Variable), fmt.Sprintf("write sk: %q", needed(rd.SK)))
		}
		if i := slices.IndexFunc(rd.PK.Segments(), isUnset); i >= 0 {
			checkUnsetKey(r, rd, i)
		}
	}
}

// checkUnsetKey checks the i-th segment of a partition key, which may be unset.
func checkUnsetKey(r *checker, rd *reading.Read, i int) {
	what := ""
	name := rd.PK.Segments()[i].Variable
	switch {
	case rd.Kind == design.Get:
		what = "the key of an item needs each of its values"
	case rd.Index == "":
		what = "only entries of an index are stored without a value"
	case i < len(rd.PK.Segments())-1:
		what = fmt.Sprintf("the key of an object without a value ends before %q", rd.PK.Segments()[i+1])
	}
	if what != "" {
		r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("pk %q: {%s} may be unset, but %s", rd.PK, name, what),
			neededFix(rd, name))
		return
	}
	for _, f := range r.StoredKeys() {
		if !rd.IsMatch(f) {
			continue
		}
		switch own := f.PK.Segments()[i]; {
		case !own.Optional:
			r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("pk %q: a %s without {%s} is not in index %s", rd.PK,
				f.Of.Name, own.Variable, rd.Index), placeFix(rd, f, own.Variable, name))
		case f.Directive != nil && !hasNeeded(f):
			r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("pk %q: a %s without any of the values in pk %q, sk %q is "+
				"not in index %s", rd.PK, f.Of.Name, f.PK, f.SK, rd.Index), replaceKey(f, "sk", f.Of.Identifying(f.Shape)))
		}
	}
}

// placeFix lets the objects without a value of a stored variable be in the index, unless its keys are those of another
// program. asked is the variable of the read.
func placeFix(rd *reading.Read, f *reading.Key, variable, asked string) string {
	field := f.Of.Def.Fields.ForName(variable)
	if f.Directive == nil || f.IsSpread() || field == nil || field.Type.NonNull {
		return neededFix(rd, asked)
	}
	return replaceKey(f, "pk", reading.Rewrite(f.PK, func(s keys.Segment) keys.Segment {
		s.Optional = s.Optional || s.Variable == variable
		return s
	}))
}

// neededFix returns the fix for a read that needs a value of a variable.
func neededFix(rd *reading.Read, variable string) string {
	fix := fmt.Sprintf("write pk: %q", needed(rd.PK))
	if a := rd.Def.Arguments.ForName(variable); a != nil && !isRequired(a) {
		fix += fmt.Sprintf("\non field %s replace %s: %s with %[2]s: %[3]s!", rd.Coordinate(), variable, a.Type)
	}
	return fix
}

// replaceKey returns the fix that gives the directive of a stored key another template.
func replaceKey(f *reading.Key, argument, template string) string {
	return fmt.Sprintf("on type %s replace %s\nwith %s", f.Of.Name, f.Source(),
		sdl.DirectiveText(sdl.WithTemplate(f.Directive, argument, template)))
}

// hasNeeded reports whether the key has a variable that every entry needs.
func hasNeeded(f *reading.Key) bool {
	return slices.ContainsFunc(slices.Concat(f.PK.Segments(), f.SK.Segments()), func(s keys.Segment) bool {
		return s.Variable != "" && !s.Optional
	})
}

// requiredFix returns the fix for an argument that the key needs: null means the objects without a value, if the index
// has these.
func requiredFix(rd *reading.Read, a *ast.ArgumentDefinition) string {
	fix := fmt.Sprintf("write %s: %s!", a.Name, a.Type)
	i := slices.IndexFunc(rd.PK.Segments(), func(s keys.Segment) bool { return s.Variable == a.Name })
	isPlace := rd.Kind == design.Query && i >= 0 && i == len(rd.PK.Segments())-1 &&
		!slices.ContainsFunc(rd.Matches, func(m design.Match) bool { return !m.Shape.PK.Segments()[i].Optional })
	if isPlace {
		fix = fmt.Sprintf("write pk: %q", reading.Rewrite(rd.PK, func(s keys.Segment) keys.Segment {
			s.Optional = s.Optional || s.Variable == a.Name
			return s
		})) + fmt.Sprintf(", so that null selects the objects without {%s}, or %s: %s!", a.Name, a.Name, a.Type)
	}
	return fix
}

// hasPlace reports whether objects without a value of the variable can be read.
func hasPlace(pk keys.Template, variable string) bool {
	return slices.ContainsFunc(pk.Segments(), func(s keys.Segment) bool { return s.Optional && s.Variable == variable })
}

func isUnset(s keys.Segment) bool { return s.Optional }

// needed returns a template whose variables all need a value.
func needed(t keys.Template) string {
	return reading.Rewrite(t, func(s keys.Segment) keys.Segment {
		s.Optional = false
		return s
	})
}
