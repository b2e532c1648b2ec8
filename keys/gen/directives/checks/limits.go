package directives

import (
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// defaultBytes is the default of maxBytes in directives.graphqls.
const defaultBytes = 4096

// proposedBytes returns the size in place of one that is out of range: the default, or the largest.
func proposedBytes(size int) int {
	if size < 1 {
		return defaultBytes
	}
	return item.MaxBytes
}

// checkLimits finds numbers beyond the limits of DynamoDB and of a read.
func (r *checker) checkLimits() {
	for _, t := range r.sortedTypes() {
		directive := t.def.Directives.ForName("item")
		if directive != nil && (t.MaxBytes < 1 || t.MaxBytes > item.MaxBytes) {
			r.find(directive.Position, t.Name, fmt.Sprintf("maxBytes is %d", t.MaxBytes),
				fmt.Sprintf("write maxBytes: %d, or another size up to %d, the largest item of DynamoDB",
					proposedBytes(t.MaxBytes), item.MaxBytes))
		}
		for _, f := range t.storedKeys {
			if f.shards < 1 || f.shards > keys.MaxShards {
				r.find(f.position(), t.Name, fmt.Sprintf("shards is %d", f.shards),
					fmt.Sprintf("write shards: %d, or another number from 1 to %d: each read of a collection costs a Query per shard",
						min(max(f.shards, 1), keys.MaxShards), keys.MaxShards))
			}
		}
	}
	for _, rd := range r.reads {
		if rd.directive != nil && rd.directive.Arguments.ForName("atMost") != nil && rd.AtMost < 1 {
			r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("atMost is %d", rd.AtMost),
				"write atMost: 100, or how many items the collection has at most")
		}
	}
}
