package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
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
			for _, s := range f.PK.Segments() {
				if s.Bucket > 0 {
					r.find(f.Position(), t.Name,
						fmt.Sprintf("partition key %q is cut to a time bucket and spread over shards, but a read has either", f.PK),
						"write shards: 1 to keep the buckets, and no was")
					break
				}
			}
			checkWas(r, f)
		}
	}
}

// checkWas finds numbers that cannot be earlier numbers of shards.
func checkWas(r *checker, f *reading.Key) {
	var valid []int
	for _, n := range f.Was {
		if n >= 1 && n <= keys.MaxShards && n != f.Shards && !slices.Contains(valid, n) {
			valid = append(valid, n)
		}
	}
	if len(valid) == len(f.Was) {
		return
	}
	fix := "remove was from @" + f.Directive.Name
	if len(valid) > 0 {
		fix = "write " + fixes.WasArgument(valid)
	}
	r.find(f.Position(), f.Of.Name, fmt.Sprintf("was is %s, but shards is %d", sdl.Numbers(f.Was), f.Shards),
		fmt.Sprintf("%s: it lists other numbers that shards was, 1 to %d, until `table repair` has moved the entries",
			fix, keys.MaxShards))
}
