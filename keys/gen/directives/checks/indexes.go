package directives

import (
	"fmt"
	"slices"

	"github.com/partita/partita/keys"
)

// checkIndexes finds more entries in an index than the type has stored items, since each item has
// at most one, and partition keys with few values, since all writes would go to few partitions.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
func (r *checker) checkIndexes() {
	for _, t := range r.sortedTypes() {
		entries := map[string]int{}
		for _, f := range t.storedKeys {
			if f.index == "" {
				continue
			}
			entries[f.index]++
			if n := entries[f.index]; n == len(t.Copies)+2 {
				r.find(f.position(), t.Name,
					fmt.Sprintf("entry %d in index %s has no stored item of its own: an item has one entry in each index", n, f.index),
					fmt.Sprintf("add @copy(pk: %q, sk: \"BY_%s\") to type %s", t.Item.PK, upperVariable(f.PK), t.Name))
			}
			if f.shards == 1 && !r.isChosen(t, f) && r.isNarrow(t, f.PK) && !r.isMeant(f) {
				fix := fmt.Sprintf("write shards: %d", proposedShards)
				if sk := f.shardedSortKeyFix(); sk != "" {
					fix += ", " + sk
				}
				fix += " to spread each value over as many partitions"
				if r.layout != nil {
					fix = "write shards: 1, because the entries of an existing table are as they are"
				}
				r.find(f.position(), t.Name,
					fmt.Sprintf("partition key %q of index %s has few values, so all writes go to few partitions", f.PK, f.index), fix)
			}
		}
	}
}

// isMeant reports whether a read that selects nothing shows that another partition key is meant.
func (r *checker) isMeant(f *storedKey) bool {
	return slices.ContainsFunc(r.reads, func(rd *read) bool {
		if rd.directive == nil || len(rd.matches) > 0 || rd.Index != f.index {
			return false
		}
		k, _ := r.asRead(rd)
		return k == f
	})
}

func upperVariable(t keys.Template) string {
	names := t.Variables()
	if len(names) == 0 {
		return "INDEX"
	}
	return constantCase(names[0])
}

// isChosen reports whether an entry has one shard because somebody has decided so: by shards: 1, or by an index of an
// existing table whose partition key is an attribute of the items, or a key of the table, or several attributes.
func (r *checker) isChosen(t *storedType, f *storedKey) bool {
	if f.derived || f.directive.Arguments.ForName("shards") != nil {
		return true
	}
	if r.layout == nil {
		return false
	}
	k := r.layout.Index(f.index).PK
	_, derived := r.derivedKey(t, t.Item, k)
	return derived || len(k) > 1
}

// isNarrow reports whether a partition key has no variable with many values.
func (r *checker) isNarrow(t *storedType, pk keys.Template) bool {
	for _, name := range pk.Variables() {
		f := t.def.Fields.ForName(name)
		if f == nil {
			return false
		}
		if kind := r.kind(f.Type); kind != keys.Enum && kind != keys.Boolean {
			return false
		}
	}
	return true
}
