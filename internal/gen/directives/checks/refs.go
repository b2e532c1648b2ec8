package checks

import (
	"fmt"
	"strings"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkRefs finds IDs that could be those of several types.
func checkRefs(r *checker) {
	for _, u := range r.Unclear {
		r.find(u.Of.Def.Fields.ForName(u.Variable).Position, u.Of.Name+"."+u.Variable,
			fmt.Sprintf("the id could be that of %s: their @item have the same partition key", sdl.OneOf(u.Names)),
			separateIDs(r, u.Names))
	}
}

// separateIDs returns the fix that leaves {id} in the partition key of one type only: of the one whose whole key it is,
// if there is one.
func separateIDs(r *checker, names []string) string {
	owner := names[len(names)-1]
	for _, name := range names {
		if r.Types[name].Item.SK.String() == r.Types[name].Item.PK.String() {
			owner = name
		}
	}
	var lines []string
	variable := sdl.LowerFirst(owner) + "Id"
	for _, name := range names {
		t := r.Types[name]
		if name == owner || t.StoredKeys[0].Directive == nil {
			continue
		}
		source := t.StoredKeys[0].Source()
		lines = append(lines, fmt.Sprintf("on type %s replace %s\nwith %s",
			name, source, strings.ReplaceAll(source, "{id}", "{"+variable+"}")))
		if t.Def.Fields.ForName(variable) == nil {
			lines = append(lines, fmt.Sprintf("add %s: ID! to type %s", variable, name))
		}
	}
	return strings.Join(lines, "\n")
}
