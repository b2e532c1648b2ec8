package checks

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/fixes"
)

// checkShards finds shards that would be read in part only, or without an order.
func checkShards(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, f := range t.StoredKeys {
			if f.Directive == nil || !f.IsSpread() || t.HasUnknownVariable() {
				continue
			}
			if fix := fixes.ShardedSortKeyFix(f); fix != "" && !r.hasFinding(f.Directive) {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("sk %q of a sharded index does not identify the %s: "+
						"entries with equal keys have no order, and a page reads them from each shard", f.SK, t.Name),
					"write "+fix)
			}
			if f.PK.IsBucketed() {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("partition key %q is cut to a time bucket and spread over shards, but a read has either", f.PK),
					"write shards: 1 to keep the buckets")
			}
		}
	}
}
