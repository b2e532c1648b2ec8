package stream

import "github.com/partita/partita/internal/live"

// present is the position in a shard that was read from its newest record on, and has had no record since: which
// number the record before has is not known. It is before all sequence numbers, which are decimal.
const present = "*"

// lineage are the shards that a stream has.
type lineage struct {
	shards []shard
	byID   map[string]shard
	// parents are the shards with children, which are closed.
	parents map[string]bool
}

func newLineage(shards []shard) lineage {
	l := lineage{shards, make(map[string]shard, len(shards)), make(map[string]bool, len(shards))}
	for _, s := range shards {
		l.byID[s.id], l.parents[s.parent] = s, true
	}
	return l
}

// leaves returns the shards without children, which are open or were closed last.
func (l lineage) leaves() []string {
	var leaves []string
	for _, s := range l.shards {
		if !l.parents[s.id] {
			leaves = append(leaves, s.id)
		}
	}
	return leaves
}

// ancestors returns the shards whose records are before those of a position.
func (l lineage) ancestors(p live.Position) map[string]bool {
	all := map[string]bool{}
	for id := range p {
		for parent := l.byID[id].parent; parent != "" && !all[parent]; parent = l.byID[parent].parent {
			all[parent] = true
		}
	}
	return all
}

// has reports whether the stream still has all records after a position, as far as it is exact if another replica may
// know where the others are read.
func (l lineage) has(p live.Position, isShared bool) bool {
	for id, after := range p {
		s, found := l.byID[id]
		if !found || after == present && !isShared {
			return false
		}
		// Amazon DynamoDB reports trimmed records when they are read; the local engine only here.
		if after != "" && after != present && s.first != "" && live.CompareSequences(s.first, after) > 0 {
			return false
		}
	}
	return true
}

// between returns where the records begin that are between two positions, and the shards that have them. A position
// need not have the shards of which its owner has had no record: they are read from their oldest record on.
func (l lineage) between(after, until live.Position) (from live.Position, needed map[string]bool) {
	from, needed = live.Position{}, map[string]bool{}
	passed := l.ancestors(after)
	for id, sequence := range after {
		bound, is := until[id]
		if passed[id] = is && live.CompareSequences(sequence, bound) >= 0; !passed[id] {
			from[id], needed[id] = sequence, true // also if the stream does not have it any more
		}
	}
	for _, s := range l.shards {
		needed[s.id] = needed[s.id] || !passed[s.id]
	}
	for _, s := range l.shards {
		if _, begun := from[s.id]; needed[s.id] && !begun && !needed[s.parent] {
			from[s.id] = ""
		}
	}
	return from, needed
}

// shard is a part of the stream. The records of an item are in one shard, and then in a child of that.
type shard struct {
	id, parent string
	// first is the sequence number of the first record, "" if it is not known.
	first string
}
