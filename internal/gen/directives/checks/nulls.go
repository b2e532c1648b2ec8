package checks

import (
	"fmt"

	"github.com/partita/partita/keys/design"
)

// checkNulls finds fields that are never null but return an object that may not exist. Only an
// object whose id the parent has may be non-null, because its id is known without a read.
func checkNulls(r *checker) {
	var matched []*design.Field
	for _, rd := range r.Reads {
		if len(rd.Matches) > 0 {
			matched = append(matched, rd.Field)
		}
	}
	reads, err := design.NewDesign(r.Layout, r.KeyTypes(), matched)
	if err != nil {
		return
	}
	for _, rd := range r.Reads {
		if len(rd.Matches) == 0 || rd.Result != design.One || !rd.Def.Type.NonNull ||
			r.NamesUnknown(rd) || r.ReturnsIncomplete(rd) {
			continue
		}
		nullable := ""
		for _, name := range rd.Variables() {
			if _, attr := rd.Source(name); attr != nil && !attr.NonNull {
				nullable = name
			}
		}
		switch {
		case nullable != "":
			r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("the field is never null, but {%s} may be", nullable),
				fmt.Sprintf("return %s, without '!'", rd.Def.Type.Name()))
		case !reads.Field(rd.Parent, rd.Name).IsReference():
			r.find(rd.Def.Position, rd.Coordinate(), "the field is never null, but the object may not exist",
				fmt.Sprintf("return %s, without '!'", rd.Def.Type.Name()))
		}
	}
}
