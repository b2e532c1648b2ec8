package gen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
)

// names are the Go identifiers of one generated package, with what each of them names.
type names struct {
	taken    map[string]string
	findings *directives.Findings
}

func (n names) take(name, what string, at *ast.Position, coordinate string) {
	if other, ok := n.taken[name]; ok {
		f := directives.Finding{
			Coordinate: coordinate,
			What:       fmt.Sprintf("%s and %s would have the same Go name %s", what, other, name),
			Fix:        "rename one of them",
		}
		if at != nil {
			f.File, f.Line, f.Column = at.Src.Name, at.Line, at.Column
		}
		*n.findings = append(*n.findings, f)
		return
	}
	n.taken[name] = what
}

// checkNames finds what would have the same Go name in a generated package.
func checkNames(d *directives.Schema) directives.Findings {
	var findings directives.Findings
	model := names{map[string]string{}, &findings}
	for _, name := range slices.Sorted(maps.Keys(d.AST.Types)) {
		if !strings.HasPrefix(name, "__") {
			model.take(templates.ToGo(name), "type "+name, d.TypeDef(name).Position, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.AST.Types)) {
		if def := d.TypeDef(name); d.Type(name) != nil || d.Connections[name] != nil || def.IsAbstractType() {
			model.take("New"+templates.ToGo(name), "the function that fills "+name, def.Position, name)
		}
	}
	typed := names{map[string]string{"Design": "the design"}, &findings}
	for _, t := range d.Types {
		at := d.TypeDef(t.Name).Position
		typed.take(keyFunc(t.Name), "the key of "+t.Name, at, t.Name)
		typed.take(storedFunc(t.Name), "the stored items of "+t.Name, at, t.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Connections)) {
		if c := d.Connections[name]; c.EdgeNode && c.HasNodes {
			typed.take(nodesFunc(name), "the key conditions of "+name+".nodes", d.TypeDef(name).Position, name)
		}
	}
	for _, f := range d.Fields {
		at := d.FieldDef(f.Parent, f.Name).Position
		typed.take(bindFunc(f), "the key condition of "+f.Coordinate(), at, f.Coordinate())
	}
	return findings
}
