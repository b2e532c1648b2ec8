package checks

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
func checkLimits(r *checker) {
	for _, t := range r.SortedTypes() {
		directive := t.Def.Directives.ForName("item")
		if directive != nil && (t.MaxBytes < 1 || t.MaxBytes > item.MaxBytes) {
			r.find(directive.Position, t.Name, fmt.Sprintf("maxBytes is %d", t.MaxBytes),
				fmt.Sprintf("write maxBytes: %d, or another size up to %d, the largest item of DynamoDB",
					proposedBytes(t.MaxBytes), item.MaxBytes))
		}
		for _, f := range t.StoredKeys {
			if f.Shards < 1 || f.Shards > keys.MaxShards {
				r.find(f.Position(), t.Name, fmt.Sprintf("shards is %d", f.Shards),
					fmt.Sprintf("write shards: %d, or another number from 1 to %d: each read of a collection costs a Query per shard",
						min(max(f.Shards, 1), keys.MaxShards), keys.MaxShards))
			}
		}
	}
	for _, rd := range r.Reads {
		if rd.Directive != nil && rd.Directive.Arguments.ForName("atMost") != nil && rd.AtMost < 1 {
			r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("atMost is %d", rd.AtMost),
				"write atMost: 100, or how many items the collection has at most")
		}
	}
}
