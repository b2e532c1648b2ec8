package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkShards finds shards that would be read in part only, or without an order.
func (r *checker) checkShards() {
	for _, t := range r.sortedTypes() {
		for _, f := range t.storedKeys {
			if f.directive == nil || !f.isSpread() || t.hasUnknownVariable() {
				continue
			}
			if fix := f.shardedSortKeyFix(); fix != "" && !r.hasFinding(f.directive) {
				r.find(f.position(), t.Name,
					fmt.Sprintf("sk %q of a sharded index does not identify the %s: "+
						"entries with equal keys have no order, and a page reads them from each shard", f.SK, t.Name),
					"write "+fix)
			}
			for _, s := range f.PK.Segments() {
				if s.Bucket > 0 {
					r.find(f.position(), t.Name,
						fmt.Sprintf("partition key %q is cut to a time bucket and spread over shards, but a read has either", f.PK),
						"write shards: 1 to keep the buckets, and no was")
					break
				}
			}
			r.checkWas(f)
		}
	}
}

// isSpread reports whether one value of the partition key is spread over partitions, or was.
func (f *storedKey) isSpread() bool {
	return f.shards > 1 || len(f.was) > 0
}

// shardedSortKeyFix returns the sort key that identifies the object, or "" if that of the entry does.
func (f *storedKey) shardedSortKeyFix() string {
	if len(f.of.unidentified(f.Shape)) == 0 {
		return ""
	}
	return fmt.Sprintf("sk: %q", f.of.identifying(f.Shape))
}

// checkWas finds numbers that cannot be earlier numbers of shards.
func (r *checker) checkWas(f *storedKey) {
	var valid []int
	for _, n := range f.was {
		if n >= 1 && n <= keys.MaxShards && n != f.shards && !slices.Contains(valid, n) {
			valid = append(valid, n)
		}
	}
	if len(valid) == len(f.was) {
		return
	}
	fix := "remove was from @" + f.directive.Name
	if len(valid) > 0 {
		fix = "write " + wasArgument(valid)
	}
	r.find(f.position(), f.of.Name, fmt.Sprintf("was is %s, but shards is %d", numbers(f.was), f.shards),
		fmt.Sprintf("%s: it lists other numbers that shards was, 1 to %d, until `table repair` has moved the entries",
			fix, keys.MaxShards))
}

func wasArgument(shards []int) string { return "was: " + numbers(shards) }

func numbers(list []int) string { return strings.ReplaceAll(fmt.Sprint(list), " ", ", ") }

// CheckShards returns findings for indexes and items that had another number of shards in the previous design and do
// not say so: what is stored in the old shards would not be read.
func (s *Schema) CheckShards(previous []*keys.Type) Findings {
	var findings Findings
	for _, t := range s.Types {
		i := slices.IndexFunc(previous, func(p *keys.Type) bool { return p.Name == t.Name })
		if i < 0 {
			continue
		}
		all := s.TypeDef(t.Name).Directives
		for _, c := range ShardChanges(previous[i], t) {
			d := all.ForName("item")
			// An entry that follows from attributes alone has no directive. Such entries are behind all others.
			if list := all.ForNames("index"); c.Index >= 0 && c.Index < len(list) {
				d = list[c.Index]
			}
			findings = append(findings, finding(d.Position, t.Name, c.What, c.Fix))
		}
	}
	findings.sort()
	return findings
}

// ShardChange is another number of shards, with which some of what is stored would not be read.
type ShardChange struct {
	// Index is the place in Type.Indexes, or -1 for the items themselves.
	Index int
	// What is wrong, and how to fix it.
	What, Fix string
}

// ShardChanges returns what a type stores in other shards than its previous version, and does not read there.
func ShardChanges(previous, t *keys.Type) []ShardChange {
	var changes []ShardChange
	if was, now := max(1, previous.Shards), max(1, t.Shards); was != now && samePattern(previous.Item.PK, t.Item.PK) {
		changes = append(changes, ShardChange{-1,
			fmt.Sprintf("shards is %d, but the items are stored in %d: they would not be read, and their keys cannot change",
				now, was),
			fmt.Sprintf("write shards: %d", was)})
	}
	for n, ix := range t.Indexes {
		old := slices.IndexFunc(previous.Indexes, func(p keys.Index) bool {
			return p.Name == ix.Name && samePattern(p.PK, ix.PK) && samePattern(p.SK, ix.SK)
		})
		if old < 0 || previous.Indexes[old].Shards == ix.Shards {
			continue // `was` may become shorter while the number stays: the entries have been moved.
		}
		needed := slices.DeleteFunc(append([]int{previous.Indexes[old].Shards}, previous.Indexes[old].Was...),
			func(n int) bool { return n == ix.Shards })
		for _, n := range ix.Was {
			if !slices.Contains(needed, n) {
				needed = append(needed, n)
			}
		}
		if len(needed) == len(ix.Was) {
			continue
		}
		slices.Sort(needed)
		changes = append(changes, ShardChange{n,
			fmt.Sprintf("shards is %d, but entries are stored in %s: they would not be read",
				ix.Shards, shardCount(previous.Indexes[old].Shards)),
			fmt.Sprintf("write %s: reads then include those partitions. Remove it when `table repair` has moved the entries",
				wasArgument(needed))})
	}
	return changes
}

func shardCount(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}
