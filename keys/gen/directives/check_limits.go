package directives

import (
	"fmt"
)

const (
	// maxItemBytes is the largest item, attribute names included.
	//
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
	maxItemBytes = 409_600
	// maxShards bounds the Queries that one read costs.
	maxShards = 100
)

// checkLimits: numbers must lie within the limits of DynamoDB and of a read.
func (r *reader) checkLimits() {
	for _, t := range r.sortedTypes() {
		item := t.def.Directives.ForName("item")
		if item != nil && (t.MaxBytes < 1 || t.MaxBytes > maxItemBytes) {
			r.find(item.Position, t.Name, fmt.Sprintf("maxBytes is %d", t.MaxBytes),
				fmt.Sprintf("write maxBytes: 1 to %d, the largest item of DynamoDB", maxItemBytes))
		}
		for _, f := range t.forms {
			if f.shards < 1 || f.shards > maxShards {
				r.find(f.position(), t.Name, fmt.Sprintf("shards is %d", f.shards),
					fmt.Sprintf("write shards: 1 to %d; each read of the index costs a Query per shard", maxShards))
			}
		}
	}
	for _, rd := range r.reads {
		if rd.directive != nil && rd.directive.Arguments.ForName("atMost") != nil && rd.AtMost < 1 {
			r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("atMost is %d", rd.AtMost),
				"write how many items the collection can hold, at least 1, or leave atMost out")
		}
	}
}
