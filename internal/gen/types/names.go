package types

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// names are the Go names of the package, or those of the fields of one struct, each with what has it.
type names map[string]string

// take returns a finding if something else has the Go name already.
func (n names) take(goName, what, coordinate string, at *ast.Position) directives.Findings {
	other, isTaken := n[goName]
	if !isTaken {
		n[goName] = what
		return nil
	}
	return directives.Findings{{
		File: at.Src.Name, Line: at.Line, Column: at.Column, Coordinate: coordinate,
		What: fmt.Sprintf("%s and %s would have the same Go name %s", other, what, goName), Fix: "rename " + coordinate,
	}}
}

// checkNames returns findings for types, fields and values of enums that would have the same Go name.
func (g *generator) checkNames() directives.Findings {
	var findings directives.Findings
	all := names{}
	for _, o := range append(g.Structs[:len(g.Structs):len(g.Structs)], g.Embedded...) {
		def, fields := g.TypeDef(o.Name), names{}
		findings = append(findings, all.take(o.GoName, "type "+o.Name, o.Name, def.Position)...)
		if g.Type(o.Name) != nil {
			findings = append(findings, all.take("Stored"+o.GoName, "the stored items of "+o.Name, o.Name, def.Position)...)
		}
		for _, f := range o.Fields {
			at := def.Fields.ForName(f.Name).Position
			findings = append(findings, fields.take(f.GoName, "the field "+f.Name, o.Name+"."+f.Name, at)...)
		}
	}
	for _, def := range g.Enums {
		findings = append(findings, all.take(goName(def.Name), "type "+def.Name, def.Name, def.Position)...)
		for _, v := range def.EnumValues {
			what, coordinate := "the value "+v.Name+" of "+def.Name, def.Name+"."+v.Name
			findings = append(findings, all.take(g.EnumName(def, v.Name), what, coordinate, v.Position)...)
		}
	}
	return findings
}
