package checks

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkConstants finds constants of an @item that cannot be constants.
func checkConstants(r *checker) {
	for _, t := range r.SortedTypes() {
		item := t.Def.Directives.ForName("item")
		if item == nil {
			continue
		}
		var faults []string
		valid, seen := &ast.Value{Kind: ast.ListValue}, map[string]bool{}
		for _, v := range reading.ConstantValues(item) {
			name := v.Children.ForName("name").Raw
			switch _, ok := reading.ConstantOf(v); {
			case !ok:
				faults = append(faults, fmt.Sprintf("the value of constant %s is no String, number or Boolean", name))
			case seen[name]:
				faults = append(faults, fmt.Sprintf("%s is a constant of %s already", name, t.Name))
			case r.IsKeyAttribute(name):
				faults = append(faults, fmt.Sprintf("constant %s is an attribute that the table itself needs", name))
			default:
				seen[name] = true
				valid.Children = append(valid.Children, &ast.ChildValue{Value: v})
			}
		}
		if len(faults) > 0 {
			r.find(item.Position, t.Name, strings.Join(faults, "; "), "write constants: "+valid.String())
		}
	}
}

// checkConstantFields finds fields that have the attribute of a constant.
func checkConstantFields(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, a := range t.Attributes {
			if a.InKeys || !t.IsConstant(a.StoredName()) {
				continue
			}
			f := t.Def.Fields.ForName(a.Name)
			at, fix := f.Position, fmt.Sprintf("rename %s to %s in type %s", f.Name, sdl.Renamed(t.Def, f.Name), t.Name)
			if d := f.Directives.ForName("stored"); a.Stored != "" {
				at, fix = d.Position, fmt.Sprintf("write name: %q", a.Stored+"Value")
			}
			r.find(at, t.Name+"."+f.Name, fmt.Sprintf("attribute %s is a constant of %s", a.StoredName(), t.Name), fix)
		}
	}
}
