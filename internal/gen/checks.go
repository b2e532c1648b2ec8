package gen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// names are the Go identifiers of one generated package, or of one Go type in it.
type names struct {
	taken    map[string]named
	findings *directives.Findings
}

// named is what has a Go name.
type named struct {
	// what describes it.
	what string
	at   *ast.Position
	// coordinate is the type, or the field, whose name decides the Go name.
	coordinate string
	// isFixed is set if the Go name does not follow from that name alone.
	isFixed bool
}

func (n names) take(name string, it named) {
	other, isTaken := n.taken[name]
	if !isTaken {
		n.taken[name] = it
		return
	}
	// The other one is renamed if only its name decides.
	wrong, what := it, other.what
	if it.isFixed && !other.isFixed {
		wrong, what = other, it.what
	}
	f := directives.Finding{
		Coordinate: wrong.coordinate,
		What:       fmt.Sprintf("%s and %s would have the same Go name %s", what, wrong.what, name),
		Fix:        n.rename(wrong.coordinate),
	}
	if wrong.at != nil {
		f.File, f.Line, f.Column = wrong.at.Src.Name, wrong.at.Line, wrong.at.Column
	}
	// A type gives its name to functions as well. One fix is enough.
	isSame := func(other directives.Finding) bool {
		return other.Coordinate == f.Coordinate && other.Fix == f.Fix
	}
	if !slices.ContainsFunc(*n.findings, isSame) {
		*n.findings = append(*n.findings, f)
	}
}

// rename returns the fix that gives a type, a field or a value of an enum a name of its own.
func (n names) rename(coordinate string) string {
	parent, field, isField := strings.Cut(coordinate, ".")
	if !isField {
		return fmt.Sprintf("rename the type %s to %sType", parent, parent)
	}
	if field == strings.ToUpper(field) {
		return fmt.Sprintf("rename %s to %s_VALUE in type %s", field, field, parent)
	}
	return fmt.Sprintf("rename %s to %s in type %s", field, templates.LcFirst(parent)+templates.UcFirst(field), parent)
}

// checkNames finds what would have the same Go name in a generated package.
func checkNames(d *directives.Schema) directives.Findings {
	var findings directives.Findings
	checkModelNames(d, &findings)
	typed := names{map[string]named{"Design": {what: "the design", isFixed: true}}, &findings}
	for _, t := range d.Types {
		at := d.TypeDef(t.Name).Position
		typed.take(keyFunc(t.Name), named{"the key of " + t.Name, at, t.Name, true})
		typed.take(storedFunc(t.Name), named{"the stored items of " + t.Name, at, t.Name, true})
		typed.take(attributesFunc(t.Name), named{"the attributes of " + t.Name, at, t.Name, true})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Connections)) {
		if c := d.Connections[name]; c.EdgeNode && c.HasNodes {
			typed.take(nodesFunc(name), named{"the key conditions of " + name + ".nodes", d.TypeDef(name).Position, name, true})
		}
	}
	for _, f := range d.Fields {
		if d.PayloadOf(f.Parent) != nil {
			continue
		}
		at := d.FieldDef(f.Parent, f.Name).Position
		typed.take(bindFunc(f), named{"the key condition of " + f.Coordinate(), at, f.Coordinate(), false})
	}
	return findings
}

// checkModelNames finds types, fields and values with the same Go name in the package of the models.
func checkModelNames(d *directives.Schema, findings *directives.Findings) {
	model := names{map[string]named{}, findings}
	var defs []*ast.Definition
	for _, name := range slices.Sorted(maps.Keys(d.AST.Types)) {
		if def := d.TypeDef(name); !strings.HasPrefix(name, "__") {
			defs = append(defs, def)
			model.take(templates.ToGo(name), named{"type " + name, def.Position, name, false})
		}
	}
	for _, def := range defs {
		if d.Type(def.Name) != nil || d.Connections[def.Name] != nil || def.IsAbstractType() {
			model.take("New"+templates.ToGo(def.Name),
				named{"the function that fills " + def.Name, def.Position, def.Name, true})
		}
		for _, v := range def.EnumValues {
			if !def.BuiltIn {
				model.take(templates.ToGo(def.Name)+templates.ToGo(v.Name),
					named{"the value " + v.Name + " of " + def.Name, v.Position, def.Name + "." + v.Name, false})
			}
		}
		fields := names{map[string]named{}, findings}
		for _, name := range def.Interfaces {
			fields.take("Is"+templates.ToGo(name), named{"the method that marks a " + name, nil, name, true})
			for _, f := range d.TypeDef(name).Fields {
				getter := "Get" + templates.ToGo(f.Name)
				fields.taken[getter] = named{"the method that returns " + f.Name + " of a " + name, nil, name, true}
			}
		}
		for _, f := range def.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				fields.take(templates.ToGo(f.Name), named{"the field " + f.Name, f.Position, def.Name + "." + f.Name, false})
			}
		}
	}
}

// hiding returns the findings for fields whose resolver would have the Go name of the type that all resolvers embed.
func hiding(r receivers) directives.Findings {
	var findings directives.Findings
	root := r.Root()
	for _, o := range r.data.Objects {
		f := resolverNamed(o, root)
		if f == nil {
			continue
		}
		coordinate, fix := o.Name+"."+f.Name, names{}.rename(o.Name+"."+f.Name)
		if payload := r.PayloadOf(o.Name); payload != nil {
			coordinate, fix = payload.Type, names{}.rename(payload.Type)
		}
		finding := directives.Finding{
			File: f.Position.Src.Name, Line: f.Position.Line, Column: f.Position.Column, Coordinate: coordinate,
			What: fmt.Sprintf("the resolver of the field %s would have the Go name of the type that all resolvers embed, %s",
				f.Name, root),
			Fix: fix + ", or set resolver.type in gqlgen.yml",
		}
		isSame := func(other directives.Finding) bool { return other.Fix == finding.Fix }
		if !slices.ContainsFunc(findings, isSame) {
			findings = append(findings, finding)
		}
	}
	return findings
}

// checkStorable finds attributes of types that cannot be stored. A scalar that gqlgen.yml binds to
// a Go type is checked by Plugin.codec.
func checkStorable(d *directives.Schema) directives.Findings {
	var findings directives.Findings
	visited := map[string]bool{}
	var visit func(object string, f *ast.FieldDefinition)
	visit = func(object string, f *ast.FieldDefinition) {
		def := d.TypeDef(f.Type.Name())
		switch {
		case def.IsAbstractType():
			findings = append(findings, unstorable(object, f, "an interface or a union",
				replaceType(f, d.AST.GetPossibleTypes(def)[0].Name)+", or another object type"))
		case slices.Contains([]string{"Any", "Map", "Upload"}, def.Name):
			findings = append(findings, unstorable(object, f, "gqlgen's own scalar",
				replaceType(f, "String")+", or another of Int, Int64, Float, Boolean, ID, Time, Date, an enum or an object type"))
		case def.Kind == ast.Object && d.Type(def.Name) == nil && !visited[def.Name]:
			visited[def.Name] = true
			for _, inner := range def.Fields {
				if len(inner.Arguments) == 0 {
					visit(def.Name, inner)
				}
			}
		}
	}
	for _, t := range d.Types {
		for _, a := range t.Attributes {
			visit(t.Name, d.FieldDef(t.Name, a.Name))
		}
	}
	return findings
}

// replaceType returns the fix that gives a field another type.
func replaceType(f *ast.FieldDefinition, name string) string {
	return fmt.Sprintf("replace %s with %s", f.Type, strings.Replace(f.Type.String(), f.Type.Name(), name, 1))
}

func unstorable(object string, f *ast.FieldDefinition, why, fix string) directives.Finding {
	return directives.Finding{
		File: f.Position.Src.Name, Line: f.Position.Line, Column: f.Position.Column,
		Coordinate: object + "." + f.Name,
		What:       fmt.Sprintf("%s is %s, which cannot be stored as an attribute", f.Type.Name(), why),
		Fix:        fix,
	}
}
