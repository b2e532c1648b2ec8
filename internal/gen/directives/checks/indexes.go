package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkIndexes finds more entries in an index than the type has stored items, since each item has
// at most one, and partition keys with few values, since all writes would go to few partitions.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
func checkIndexes(r *checker) {
	for _, t := range r.SortedTypes() {
		entries := map[string]int{}
		for _, f := range t.StoredKeys {
			if f.Index == "" {
				continue
			}
			entries[f.Index]++
			if n := entries[f.Index]; n == len(t.Copies)+2 {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("entry %d in index %s has no stored item of its own: an item has one entry in each index", n, f.Index),
					fmt.Sprintf("add @copy(pk: %q, sk: \"BY_%s\") to type %s", t.Item.PK, upperVariable(f.PK), t.Name))
			}
			if f.Shards == 1 && !isChosen(r, t, f) && r.IsNarrow(t, f.PK) && !isMeant(r, f) {
				fix := fmt.Sprintf("write shards: %d", fixes.ProposedShards)
				if sk := fixes.ShardedSortKeyFix(f); sk != "" {
					fix += ", " + sk
				}
				fix += " to spread each value over as many partitions"
				if r.Layout != nil {
					fix = "write shards: 1, because the entries of an existing table are as they are"
				}
				r.find(f.Position(), t.Name,
					fmt.Sprintf("partition key %q of index %s has few values, so all writes go to few partitions", f.PK, f.Index), fix)
			}
		}
	}
}

// isMeant reports whether a read that selects nothing shows that another partition key is meant.
func isMeant(r *checker, f *reading.Key) bool {
	return slices.ContainsFunc(r.Reads, func(rd *reading.Read) bool {
		if rd.Directive == nil || len(rd.Matches) > 0 || rd.Index != f.Index {
			return false
		}
		k, _ := fixes.AsRead(r.Design, rd)
		return k == f
	})
}

func upperVariable(t keys.Template) string {
	names := t.Variables()
	if len(names) == 0 {
		return "INDEX"
	}
	return sdl.ConstantCase(names[0])
}

// isChosen reports whether an entry has one shard because somebody has decided so: by shards: 1, or by an index of an
// existing table whose partition key is an attribute of the items, or a key of the table, or several attributes.
func isChosen(r *checker, t *reading.Type, f *reading.Key) bool {
	if f.Derived || f.Directive.Arguments.ForName("shards") != nil {
		return true
	}
	if r.Layout == nil {
		return false
	}
	k := r.Layout.Index(f.Index).PK
	_, derived := r.DerivedKey(t, t.Item, k)
	return derived || len(k) > 1
}
