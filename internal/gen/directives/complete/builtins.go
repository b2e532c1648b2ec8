package complete

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// completeDirectives adds the directives. A directive that the schema declares, as a copy of an older version's, gets
// the arguments and defaults that it lacks.
func completeDirectives(all *ast.SchemaDocument) finding.Findings {
	var findings finding.Findings
	standard := sdl.Directives()
	for _, d := range standard.Directives {
		own := all.Directives.ForName(d.Name)
		if own == nil {
			all.Directives = append(all.Directives, d)
			continue
		}
		if what := differs(own.Arguments, d.Arguments); what != "" {
			findings = append(findings, finding.At(own.Position, "@"+d.Name,
				"the directive is built in, but declared otherwise: "+what, "remove directive @"+d.Name+", which is built in"))
			*own = *d
			continue
		}
		for _, a := range d.Arguments {
			ownArgument := own.Arguments.ForName(a.Name)
			if ownArgument == nil {
				own.Arguments = append(own.Arguments, a)
				continue
			}
			ownArgument.Type = a.Type
			if ownArgument.DefaultValue == nil {
				ownArgument.DefaultValue = a.DefaultValue
			}
		}
		for _, at := range d.Locations {
			if !slices.Contains(own.Locations, at) {
				own.Locations = append(own.Locations, at)
			}
		}
		own.IsRepeatable = own.IsRepeatable || d.IsRepeatable
	}
	for _, def := range standard.Definitions {
		own := all.Definitions.ForName(def.Name)
		if own == nil {
			all.Definitions = append(all.Definitions, def)
			continue
		}
		if f := declaredOtherwise(own, def); f != nil {
			findings = append(findings, *f)
			*own = *def
			continue
		}
		for _, f := range def.Fields {
			if own.Fields.ForName(f.Name) == nil {
				own.Fields = append(own.Fields, f)
			}
		}
		for _, v := range def.EnumValues {
			if own.EnumValues.ForName(v.Name) == nil {
				own.EnumValues = append(own.EnumValues, v)
			}
		}
	}
	return findings
}

// differs returns which of the arguments of a directive is declared otherwise than it is built in, "" if none is.
func differs(own, standard ast.ArgumentDefinitionList) string {
	for _, a := range own {
		s := standard.ForName(a.Name)
		switch {
		case s == nil, a.Type.String() == s.Type.String()+"!": // An older version needed it.
		case a.Type.String() != s.Type.String():
			return fmt.Sprintf("%s has type %s, not %s", a.Name, a.Type, s.Type)
		case a.DefaultValue != nil && a.DefaultValue.String() != s.DefaultValue.String():
			return fmt.Sprintf("the default of %s is %s", a.Name, a.DefaultValue)
		}
	}
	return ""
}

// declaredOtherwise returns the finding for a definition that does not fit the one that is built in, or nil. It may
// have fewer fields or more.
func declaredOtherwise(own, standard *ast.Definition) *finding.Finding {
	what := ""
	if own.Kind != standard.Kind {
		what = "it is " + sdl.KindInWords(own.Kind) + ", not " + sdl.KindInWords(standard.Kind)
	}
	for _, f := range own.Fields {
		if s := standard.Fields.ForName(f.Name); what == "" && s != nil && f.Type.String() != s.Type.String() {
			what = fmt.Sprintf("%s has type %s, not %s", f.Name, f.Type, s.Type)
		}
	}
	if what == "" {
		return nil
	}
	f := finding.At(own.Position, own.Name, "the type is built in, but declared otherwise: "+what,
		fmt.Sprintf("remove %s %s, which is built in", sdl.Keyword(own.Kind), own.Name))
	return &f
}

// completeTypes adds the scalars, ranges and other types that the schema uses without declaring them, and if anything
// is a Node, Query.node and Query.nodes.
func completeTypes(all *ast.SchemaDocument) finding.Findings {
	standard := sdl.Types()
	query := standard.Definitions.ForName("Query")
	standard.Definitions = slices.DeleteFunc(standard.Definitions, func(def *ast.Definition) bool { return def == query })

	var findings finding.Findings
	for _, name := range [...]string{"Node", "PageInfo", "Time"} {
		own := all.Definitions.ForName(name)
		if own == nil {
			continue
		}
		if f := declaredOtherwise(own, standard.Definitions.ForName(name)); f != nil {
			findings = append(findings, *f)
			*own = *standard.Definitions.ForName(name)
		}
	}
	for _, def := range all.Extensions {
		addUsed(all, def, standard.Definitions)
	}
	for users := all.Definitions; len(users) > 0; {
		before := len(all.Definitions)
		for _, def := range users {
			addUsed(all, def, standard.Definitions)
		}
		users = all.Definitions[before:] // What is added may use more.
	}
	if node := all.Definitions.ForName("Node"); node != nil && node.Kind == ast.Interface {
		completeQuery(all, query, node.Position)
	}
	return findings
}

// addUsed adds the definitions, among some, that a definition uses and the schema does not have, and ranges of enums.
func addUsed(all *ast.SchemaDocument, user *ast.Definition, some ast.DefinitionList) {
	add := func(name string, at *ast.Position) {
		if sdl.IsDeclared(all, name) {
			return
		}
		if def := some.ForName(name); def != nil {
			place(def, at)
			all.Definitions = append(all.Definitions, def)
		}
		enum := all.Definitions.ForName(strings.TrimSuffix(name, "Range"))
		if enum != nil && enum.Kind == ast.Enum {
			all.Definitions = append(all.Definitions, definitions(at, "range.gotpl", enum.Name).Definitions...)
		}
	}
	for _, name := range user.Interfaces {
		add(name, user.Position)
	}
	for _, f := range user.Fields {
		add(f.Type.Name(), f.Position)
		for _, a := range f.Arguments {
			add(a.Type.Name(), a.Position)
		}
	}
}

// completeQuery adds the fields node and nodes to the root of queries, which is added if there is none.
func completeQuery(all *ast.SchemaDocument, standard *ast.Definition, at *ast.Position) {
	name := sdl.QueryName(all)
	var declared []*ast.Definition
	for _, def := range sdl.Declarations(all) {
		if def.Name == name {
			declared = append(declared, def)
		}
	}
	if len(declared) > 0 {
		at = declared[0].Position
	}
	place(standard, at)
	for _, def := range declared {
		standard.Fields = slices.DeleteFunc(standard.Fields, func(f *ast.FieldDefinition) bool {
			return def.Fields.ForName(f.Name) != nil
		})
	}
	if root := all.Definitions.ForName(name); root != nil {
		root.Fields = append(root.Fields, standard.Fields...)
		return
	}
	standard.Name = name
	all.Definitions = append(all.Definitions, standard)
}
