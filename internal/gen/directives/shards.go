package directives

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys/design"
)

// CheckShards returns findings for indexes and items that had another number of shards in the previous design and do
// not say so: what is stored in the old shards would not be read.
func (s *Schema) CheckShards(previous []*design.Type) finding.Findings {
	var findings finding.Findings
	for _, t := range s.Types {
		i := slices.IndexFunc(previous, func(p *design.Type) bool { return p.Name == t.Name })
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
			findings = append(findings, finding.At(d.Position, t.Name, c.What, c.Fix))
		}
	}
	findings.Sort()
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
func ShardChanges(previous, t *design.Type) []ShardChange {
	var changes []ShardChange
	if was, now := max(1, previous.Shards), max(1, t.Shards); was != now && reading.SamePattern(previous.Item.PK,
		t.Item.PK) {
		changes = append(changes, ShardChange{-1,
			fmt.Sprintf("shards is %d, but the items are stored in %d: they would not be read, and their keys cannot change",
				now, was),
			fmt.Sprintf("write shards: %d", was)})
	}
	for n, ix := range t.Indexes {
		old := slices.IndexFunc(previous.Indexes, func(p design.Index) bool {
			return p.Name == ix.Name && reading.SamePattern(p.PK, ix.PK) && reading.SamePattern(p.SK, ix.SK)
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
				ix.Shards, fixes.ShardCount(previous.Indexes[old].Shards)),
			fmt.Sprintf("write %s: reads then include those partitions. Remove it when `table repair` has moved the entries",
				fixes.WasArgument(needed))})
	}
	return changes
}
