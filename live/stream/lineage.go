package stream

import "github.com/partita/partita/live"

// present is the position in a shard that was read from its newest record on, and has had no record since: which
// number the record before has is not known. It is before all sequence numbers, which are decimal.
const present = "*"

// lineage are the shards that a stream has.
type lineage struct {
	shards []shard
	byID   map[string]shard
}

func newLineage(shards []shard) lineage {
	l := lineage{shards, make(map[string]shard, len(shards))}
	for _, s := range shards {
		l.byID[s.id] = s
	}
	return l
}

// leaves returns the shards without children, which are open or were closed last.
func (l lineage) leaves() []string {
	parents := map[string]bool{}
	for _, s := range l.shards {
		parents[s.parent] = true
	}
	var leaves []string
	for _, s := range l.shards {
		if !parents[s.id] {
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

// has reports whether the stream still has all records after a position.
func (l lineage) has(p live.Position) bool {
	for id, after := range p {
		s, found := l.byID[id]
		if !found || after == present {
			return false
		}
		// Amazon DynamoDB reports trimmed records when they are read; the local engine only here.
		if after != "" && s.first != "" && compare(s.first, after) > 0 {
			return false
		}
	}
	return true
}

// between returns the part of a position from which records lead to those of a later one. The error is live.ErrExpired
// if it is not known which records are between them.
func (l lineage) between(after, until live.Position) (live.Position, error) {
	part, leads := live.Position{}, l.ancestors(until)
	for id, sequence := range after {
		if _, is := until[id]; is || leads[id] {
			part[id] = sequence
		}
	}
	passed := l.ancestors(after)
	for id, sequence := range until {
		if sequence == present {
			return nil, live.ErrExpired
		}
		_, found := part[id]
		found = found || passed[id] || sequence == ""
		for parent := l.byID[id].parent; !found && parent != ""; parent = l.byID[parent].parent {
			_, found = part[parent]
		}
		if !found {
			return nil, live.ErrExpired
		}
	}
	return part, nil
}
