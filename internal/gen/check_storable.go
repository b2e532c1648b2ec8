package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

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
