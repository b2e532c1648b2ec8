package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkItems finds types without the @item that their other directives need, and those that reads return.
func checkItems(r *checker) {
	for _, def := range r.Objects() {
		i := slices.IndexFunc(def.Directives, func(d *ast.Directive) bool {
			return slices.Contains([]string{"copy", "index", "mutable"}, d.Name)
		})
		if i >= 0 && def.Directives.ForName("item") == nil {
			r.find(def.Directives[i].Position, def.Name, "@"+def.Directives[i].Name+
				" without @item: a type has one item before it has copies, index entries and mutations",
				"add "+sdl.ItemLine(r.ReadShape(def))+" to type "+def.Name)
		}
	}
	for _, t := range r.SortedTypes() {
		if t.NeededBy != "" && !t.Broken {
			r.find(t.Def.Position, t.Name, fmt.Sprintf("%s reads it, but the type has no @item", t.NeededBy),
				"add "+sdl.ItemLine(t.Item)+" to type "+t.Name)
		}
	}
}
