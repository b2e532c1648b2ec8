package directives

import (
	"fmt"

	"github.com/partita/partita/keys"
)

// checkCounts finds totalCount without a counter of the parent: items are never counted for it.
func (r *checker) checkCounts() {
	for _, rd := range r.reads {
		at, coordinate := rd.def.Position, rd.Coordinate()
		total := rd.connection != nil && rd.connection.HasTotalCount
		switch {
		case rd.Kind != keys.Query:
		case rd.Count == "" && total:
			r.find(at, coordinate, rd.connection.Name+" has totalCount, but nothing counts this collection",
				r.counterFix(rd))
		case rd.Count == "":
		case !total:
			r.find(at, coordinate, "count needs a connection with totalCount",
				"remove count from @query, or return a connection with totalCount: Int!")
		case rd.parent == nil:
			r.find(at, coordinate, fmt.Sprintf("count names %s, but the field has no parent that could have it", rd.Count),
				fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.connection.Name))
		default:
			if a := rd.parent.Attribute(rd.Count); a == nil || a.Kind != keys.Int || !a.NonNull {
				r.find(at, coordinate, fmt.Sprintf("count names %s, which is not a stored Int! of %s", rd.Count, rd.parent.Name),
					counterOf(rd.parent, rd.Count))
			}
		}
	}
}

// counterOf returns the fix that gives a type a counter.
func counterOf(t *storedType, name string) string {
	if f := t.def.Fields.ForName(name); f != nil {
		return retype(t.Name, f, "Int!")
	}
	return fmt.Sprintf("add %s: Int! to type %s", name, t.Name)
}

// counterFix returns the fix that names the parent's counter, which it may have to be given.
func (r *checker) counterFix(rd *read) string {
	if rd.parent == nil {
		return fmt.Sprintf("remove totalCount from type %s", rd.connection.Name)
	}
	name := lowerFirst(rd.connection.Node) + "Count"
	if a := rd.parent.Attribute(name); a != nil && a.Kind == keys.Int && a.NonNull {
		return fmt.Sprintf("write count: %q", name)
	}
	if rd.parent.def.Fields.ForName(name) != nil {
		name = rd.Name + "Count"
	}
	return counterOf(rd.parent, name) + fmt.Sprintf("\nwrite count: %q", name)
}
