package directives

import (
	"fmt"
	"strings"
)

// checkRefs finds IDs that could be those of several types.
func (r *checker) checkRefs() {
	for _, u := range r.unclear {
		r.find(u.of.def.Fields.ForName(u.variable).Position, u.of.Name+"."+u.variable,
			fmt.Sprintf("the id could be that of %s: their @item have the same partition key", oneOf(u.names)),
			r.separateIDs(u.names))
	}
}

// separateIDs returns the fix that leaves {id} in the partition key of one type only: of the one whose whole key it is,
// if there is one.
func (r *checker) separateIDs(names []string) string {
	owner := names[len(names)-1]
	for _, name := range names {
		if r.types[name].Item.SK.String() == r.types[name].Item.PK.String() {
			owner = name
		}
	}
	var lines []string
	variable := lowerFirst(owner) + "Id"
	for _, name := range names {
		t := r.types[name]
		if name == owner || t.storedKeys[0].directive == nil {
			continue
		}
		source := t.storedKeys[0].source()
		lines = append(lines, fmt.Sprintf("on type %s replace %s\nwith %s",
			name, source, strings.ReplaceAll(source, "{id}", "{"+variable+"}")))
		if t.def.Fields.ForName(variable) == nil {
			lines = append(lines, fmt.Sprintf("add %s: ID! to type %s", variable, name))
		}
	}
	return strings.Join(lines, "\n")
}
