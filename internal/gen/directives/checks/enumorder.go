package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkEnumOrder finds sort keys in which an enum has the order of its names although a field shows its order: it
// comes next after what the field names, or the field has a range of it, and no field names one value of it. In an
// existing table, the order is a fact.
func checkEnumOrder(r *checker) {
	if r.Layout != nil {
		return
	}
	delimiter := r.Names().Delimiter
	for _, f := range r.StoredKeys() {
		for _, s := range f.SK.Segments() {
			field := f.Of.Def.Fields.ForName(s.Variable)
			if field == nil || r.Kind(field.Type) != keys.Enum || s.Width > 0 || f.Directive == nil {
				continue
			}
			def := r.Schema.Types[field.Type.Name()]
			if by := orderedBy(r, f, s); by != nil && !hasOrderOfNames(def, delimiter) && !r.hasFinding(f.Directive) {
				r.find(f.Position(), f.Of.Name, fmt.Sprintf("sk %q: %s has {%s} in the order of its names, %s, "+
					"and not in that of the enum", f.SK, by.Coordinate(), s.Variable, orderOfNames(def, delimiter)),
					placedFix(r, f, s, fmt.Sprintf(", so that keys have the places of values, or declare the values of %s "+
						"in the order of their names", def.Name)))
			}
		}
	}
}

// orderedBy returns a field whose order is that of a variable of a stored key, or nil.
func orderedBy(r *checker, f *reading.Key, s keys.Segment) *reading.Read {
	var ordered *reading.Read
	for _, rd := range r.Reads {
		m := rd.MatchOf(f)
		if m == nil || rd.Directive == nil || rd.Kind != design.Query {
			continue
		}
		resolved, err := design.Resolve(r.KeyTypes(), rd.Field)
		a, _ := rd.Source(m.Variables[s.Variable])
		switch _, isConstant := m.Constants[s.Variable]; {
		case err != nil:
			return nil
		case resolved.Next() == s.Variable:
			if argument, _ := rd.Source(s.Variable); argument != nil {
				return rd // with a range
			}
			ordered = rd
		case isConstant, a != nil:
			return nil // One value is asked for.
		}
	}
	return ordered
}

// hasOrderOfNames reports whether keys with the names of an enum's values have the order of the enum.
func hasOrderOfNames(def *ast.Definition, delimiter string) bool {
	return slices.IsSortedFunc(def.EnumValues, byName(delimiter))
}

func byName(delimiter string) func(a, b *ast.EnumValueDefinition) int {
	return func(a, b *ast.EnumValueDefinition) int { return strings.Compare(a.Name+delimiter, b.Name+delimiter) }
}

// orderOfNames returns the names of an enum's values in the order of keys with them.
func orderOfNames(def *ast.Definition, delimiter string) string {
	values := slices.SortedFunc(slices.Values(def.EnumValues), byName(delimiter))
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}

// placesWidth returns the digits that the places of an enum's values should have: at least two, because all keys
// change with the width.
func placesWidth(def *ast.Definition) int { return max(2, len(strconv.Itoa(len(def.EnumValues)))) }

// placesFault returns what is wrong with a width for the places of an enum's values, or "".
func placesFault(s keys.Segment, def *ast.Definition) string {
	if len(strconv.Itoa(len(def.EnumValues))) <= s.Width {
		return ""
	}
	return fmt.Sprintf("{%s} is one of %d values of %s, which need %d digits", s.Variable, len(def.EnumValues), def.Name,
		len(strconv.Itoa(len(def.EnumValues))))
}

// placedFix returns the fix that gives an enum in a stored key a width, there and in all that reads it, and why.
func placedFix(r *checker, f *reading.Key, s keys.Segment, why string) string {
	width := placesWidth(r.Schema.Types[f.Of.Def.Fields.ForName(s.Variable).Type.Name()])
	placed := func(t keys.Template, variable string) string {
		return reading.Rewrite(t, func(s keys.Segment) keys.Segment {
			if s.Variable == variable {
				s.Width = width
			}
			return s
		})
	}
	var own, reads []string
	for _, part := range [...]struct {
		name string
		of   func(keys.Shape) keys.Template
	}{
		{"pk", func(s keys.Shape) keys.Template { return s.PK }}, {"sk", func(s keys.Shape) keys.Template { return s.SK }},
	} {
		template := part.of(f.Shape)
		if slices.Contains(template.Variables(), s.Variable) {
			own = append(own, fmt.Sprintf("%s: %q", part.name, placed(template, s.Variable)))
		}
		for _, rd := range r.Reads {
			m, read := rd.MatchOf(f), part.of(keys.Shape{PK: rd.PK, SK: rd.SK})
			if m == nil || rd.Directive == nil || !slices.Contains(read.Variables(), m.Variables[s.Variable]) {
				continue
			}
			reads = append(reads, fmt.Sprintf("\non field %s replace %s: %q with %s: %q", rd.Coordinate(),
				part.name, read, part.name, placed(read, m.Variables[s.Variable])))
		}
	}
	return "write " + strings.Join(own, ", ") + why + strings.Join(reads, "")
}
