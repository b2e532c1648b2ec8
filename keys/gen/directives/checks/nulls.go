package directives

import (
	"fmt"

	"github.com/partita/partita/keys"
)

// checkNulls finds fields that are never null but return an object that may not exist. Only an
// object whose id the parent has may be non-null, because its id is known without a read.
func (r *checker) checkNulls() {
	var matched []*keys.Field
	for _, rd := range r.reads {
		if len(rd.matches) > 0 {
			matched = append(matched, rd.Field)
		}
	}
	design, err := keys.NewDesign(r.layout, r.keyTypes(), matched)
	if err != nil {
		return
	}
	for _, rd := range r.reads {
		if len(rd.matches) == 0 || rd.Result != keys.One || !rd.def.Type.NonNull ||
			r.hasUnknownVariable(rd) || r.returnsIncomplete(rd) {
			continue
		}
		nullable := ""
		for _, name := range rd.variables() {
			if _, attr := rd.source(name); attr != nil && !attr.NonNull {
				nullable = name
			}
		}
		switch {
		case nullable != "":
			r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("the field is never null, but {%s} may be", nullable),
				fmt.Sprintf("return %s, without '!'", rd.def.Type.Name()))
		case !design.Field(rd.Parent, rd.Name).IsReference():
			r.find(rd.def.Position, rd.Coordinate(), "the field is never null, but the object may not exist",
				fmt.Sprintf("return %s, without '!'", rd.def.Type.Name()))
		}
	}
}
