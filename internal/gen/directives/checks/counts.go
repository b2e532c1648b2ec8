package checks

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkCounts finds totalCount without a counter of the parent: items are never counted for it.
func checkCounts(r *checker) {
	for _, rd := range r.Reads {
		at, coordinate := rd.Def.Position, rd.Coordinate()
		total := rd.Connection != nil && rd.Connection.HasTotalCount
		switch {
		case rd.Kind != design.Query:
		case rd.Count == "" && total:
			r.find(at, coordinate, rd.Connection.Name+" has totalCount, but nothing counts this collection",
				counterFix(rd))
		case rd.Count == "":
		case !total:
			r.find(at, coordinate, "count needs a connection with totalCount",
				"remove count from @query, or return a connection with totalCount: Int!")
		case rd.ParentType == nil:
			r.find(at, coordinate, fmt.Sprintf("count names %s, but the field has no parent that could have it", rd.Count),
				fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.Connection.Name))
		default:
			if a := rd.ParentType.Attribute(rd.Count); a == nil || a.Kind != keys.Int || !a.NonNull {
				r.find(at, coordinate, fmt.Sprintf("count names %s, which is not a stored Int! of %s", rd.Count,
					rd.ParentType.Name),
					counterOf(rd.ParentType, rd.Count))
			}
		}
	}
}

// counterOf returns the fix that gives a type a counter.
func counterOf(t *reading.Type, name string) string {
	if f := t.Def.Fields.ForName(name); f != nil {
		return sdl.Retype(t.Name, f, "Int!")
	}
	return fmt.Sprintf("add %s: Int! to type %s", name, t.Name)
}

// counterFix returns the fix that names the parent's counter, which it may have to be given.
func counterFix(rd *reading.Read) string {
	if rd.ParentType == nil {
		return fmt.Sprintf("remove totalCount from type %s", rd.Connection.Name)
	}
	name := sdl.LowerFirst(rd.Connection.Node) + "Count"
	if a := rd.ParentType.Attribute(name); a != nil && a.Kind == keys.Int && a.NonNull {
		return fmt.Sprintf("write count: %q", name)
	}
	if rd.ParentType.Def.Fields.ForName(name) != nil {
		name = rd.Name + "Count"
	}
	return counterOf(rd.ParentType, name) + fmt.Sprintf("\nwrite count: %q", name)
}
