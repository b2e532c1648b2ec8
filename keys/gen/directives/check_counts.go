package directives

import (
	"fmt"

	"github.com/partita/partita/keys"
)

// checkCounts finds totalCount without a counter of the parent: items are never counted for it.
func (r *reader) checkCounts() {
	for _, rd := range r.reads {
		at, coordinate := rd.def.Position, rd.Coordinate()
		total := rd.connection != nil && rd.connection.HasTotalCount
		switch {
		case rd.Kind != keys.Query:
		case rd.Count == "" && total:
			r.find(at, coordinate, rd.connection.Name+" has totalCount, but nothing counts this collection",
				`name the parent's counter, as in count: "orderCount", or return a connection without totalCount`)
		case rd.Count == "":
		case !total:
			r.find(at, coordinate, "count needs a connection with totalCount",
				"add totalCount: Int! to the connection type, or remove count")
		case rd.parent == nil:
			r.find(at, coordinate, fmt.Sprintf("count names %s, but the field has no parent that could have it", rd.Count),
				"return a connection without totalCount, and remove count")
		default:
			if a := rd.parent.Attribute(rd.Count); a == nil || a.Kind != keys.Int || !a.NonNull {
				r.find(at, coordinate, fmt.Sprintf("count names %s, which is not a stored Int! of %s", rd.Count, rd.parent.Name),
					fmt.Sprintf("add %s: Int! to type %s", rd.Count, rd.parent.Name))
			}
		}
	}
}
