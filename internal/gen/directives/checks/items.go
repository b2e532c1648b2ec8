package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkItems finds types without the @item that their other directives need, and those that reads return.
func checkItems(r *checker) {
	for _, def := range r.Objects() {
		i := slices.IndexFunc(def.Directives, func(d *ast.Directive) bool {
			return slices.Contains([]string{"copy", "index", "mutable"}, d.Name)
		})
		if i >= 0 && def.Directives.ForName("item") == nil {
			r.find(def.Directives[i].Position, def.Name, "@"+def.Directives[i].Name+
				" without @item: a type has one item before it has copies, index entries and mutations",
				"add "+sdl.ItemLine(r.ReadShape(def))+" to type "+def.Name)
		}
	}
	for _, t := range r.SortedTypes() {
		if t.NeededBy != "" && !t.Broken {
			r.find(t.Def.Position, t.Name, fmt.Sprintf("%s reads it, but the type has no @item", t.NeededBy),
				"add "+sdl.ItemLine(t.Item)+" to type "+t.Name)
		}
	}
}

// checkShapes finds two stored keys with the same pair of templates: items of the table would replace each other.
// Entries of several types in an index do not, and what a field reads of them is checked with the field. In shards,
// entries with equal keys would have no order.
func checkShapes(r *checker) {
	storedKeys := r.WrittenKeys()
	for i, f := range storedKeys {
		for _, first := range storedKeys[:i] {
			areEntries := f.Index != "" && f.Of != first.Of && !f.IsSpread() && !first.IsSpread()
			if !reading.SameShape(f, first) || areEntries || r.IsApart(f.Of.Type, first.Of.Type) {
				continue
			}
			r.find(f.Position(), f.Of.Name,
				fmt.Sprintf("pk %q, sk %q is the key shape of %s already (%s)", f.PK, f.SK, first.Of.Name, place(first)),
				fixes.OwnSortKeys(r.Design, f, first))
			break
		}
	}
}

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
		} else if n := 1 + len(t.Copies); directive != nil && n*t.MaxBytes > design.MaxTransactionBytes {
			r.find(directive.Position, t.Name,
				fmt.Sprintf("%d stored items of %d bytes do not fit into one transaction of 4 MB", n, t.MaxBytes),
				fmt.Sprintf("write maxBytes: %d, or less", design.MaxTransactionBytes/n))
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
