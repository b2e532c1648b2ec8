package gen

import (
	"go/types"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// handWritten returns the coordinates of the fields whose values depend on Go code that is not
// generated, sorted. If in doubt, a field is one of them: gqlgen resolves every field correctly.
func handWritten(r *resolvers) []string {
	var list []string
	for _, o := range r.data.Objects {
		for _, f := range o.Fields {
			introspection := strings.HasPrefix(o.Name, "__") || strings.HasPrefix(f.Name, "__")
			if !introspection && isHandWritten(r, f) {
				list = append(list, o.Name+"."+f.Name)
			}
		}
	}
	slices.Sort(list)
	return list
}

func isHandWritten(r *resolvers, f *codegen.Field) bool {
	switch {
	case f.Object.Definition == r.AST.Mutation && r.mutation(f) == nil,
		r.bound[f.Object.Name], len(f.ImplDirectives()) > 0, !isPlain(r.schema, f.TypeReference):
		return true
	case f.IsResolver:
		isConverted := func(a *codegen.FieldArgument) bool { return isConverted(r.schema, a) }
		return !slices.Contains(r.Fields, f) || slices.ContainsFunc(f.Args, isConverted)
	default:
		return f.GoFieldType != codegen.GoFieldVariable || f.HasHaser
	}
}

// liveByHand returns the findings for fields with @live that hand-written Go resolves: live data is read as their other
// directive says, so that both would differ.
func liveByHand(r *resolvers) directives.Findings {
	var findings directives.Findings
	for _, live := range r.Live {
		coordinate := live.Live.Coordinate()
		if f := r.field(live.Live.Parent, live.Live.Name); isHandWritten(r, f) {
			at := f.FieldDefinition.Directives.ForName("live").Position
			findings = append(findings, directives.Finding{
				File: at.Src.Name, Line: at.Line, Column: at.Column, Coordinate: coordinate,
				What: "@live on a field that depends on Go code, which live data does not call",
				Fix:  "remove @live from field " + coordinate + ", or the Go code",
			})
		}
	}
	return findings
}

// isConverted reports whether the Go value of an argument depends on Go code that is not generated.
func isConverted(s *schema, a *codegen.FieldArgument) bool {
	if len(a.ImplDirectives()) > 0 || !isPlain(s, a.TypeReference) {
		return true
	}
	return isConvertedInput(s, a.Type.Name(), map[string]bool{})
}

// isConvertedInput reports whether the Go value of an input object depends on Go code that is not generated.
func isConvertedInput(s *schema, name string, seen map[string]bool) bool {
	o := s.data.Inputs.ByName(name)
	if o == nil || seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(o.Directives, func(d *codegen.Directive) bool { return !d.SkipRuntime }) ||
		slices.ContainsFunc(o.Fields, func(f *codegen.Field) bool {
			return f.IsResolver || len(f.ImplDirectives()) > 0 || !isPlain(s, f.TypeReference) ||
				isConvertedInput(s, f.Type.Name(), seen)
		})
}

// plainScalars are the Go functions and types that write a scalar as package item stores it, and
// read it from an argument as package keys does. gqlgen.yml can bind a scalar to any other.
var plainScalars = []string{
	graphqlPath + ".MarshalBoolean", graphqlPath + ".MarshalFloat", graphqlPath + ".MarshalFloatContext",
	graphqlPath + ".MarshalInt", graphqlPath + ".MarshalString",
	keysPath + ".CalendarDate", keysPath + ".ID", keysPath + "/scalar.MarshalInt64", keysPath + "/scalar.MarshalTime",
}

// isPlain reports whether the Go values of a type, without its fields, are converted by generated code or by
// that of plainScalars alone.
func isPlain(s *schema, ref *config.TypeReference) bool {
	switch {
	case ref.Definition.Kind != ast.Scalar:
		return !s.bound[ref.Definition.Name] && !ref.HasEnumValues()
	case ref.IsMarshaler:
		return slices.Contains(plainScalars, types.TypeString(ref.Target, nil))
	default:
		return ref.Marshaler != nil && slices.Contains(plainScalars, ref.Marshaler.FullName())
	}
}
