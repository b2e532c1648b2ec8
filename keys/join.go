package keys

import (
	"slices"
	"strings"
)

// join is a pair of an item and a range in the same partition that one Query can read: no other key
// of the design sorts between them.
type join struct {
	item   Shape
	prefix string // of the range
	// above is set if the item sorts after the range, not before it.
	above bool
	// maxBytes is the maximum size of the item.
	maxBytes int
}

// Side is where an item sorts relative to a range.
type Side int8

// Apart means that other items may sort between the item and the range, or that they are in
// different partitions.
const (
	Apart Side = iota
	Below
	Above
)

// Adjacent returns whether the item with the key sorts directly below or directly above the range
// of all sort keys with the prefix in its partition, whatever the table contains.
func (d *Design) Adjacent(key Key, prefix SK) Side {
	for _, j := range d.joins {
		if j.prefix != string(prefix) || !j.item.Holds(key) {
			continue
		}
		return j.side()
	}
	return Apart
}

func (j join) side() Side {
	if j.above {
		return Above
	}
	return Below
}

// SmallestBeside returns the smallest maxBytes of the types whose items may be Adjacent to a range
// whose prefix begins with leading, and reports whether there are any. With sides, the items are on
// one of them.
func (d *Design) SmallestBeside(leading string, sides ...Side) (maxBytes int, found bool) {
	for _, j := range d.joins {
		if len(sides) > 0 && !slices.Contains(sides, j.side()) {
			continue
		}
		if !strings.HasPrefix(j.prefix, leading) && !strings.HasPrefix(leading, j.prefix) {
			continue
		}
		if !found || j.maxBytes < maxBytes {
			maxBytes, found = j.maxBytes, true
		}
	}
	return maxBytes, found
}

// findJoins returns the joins of all pairs of shapes of the table that share a partition.
func findJoins(types []*Type) []join {
	var shapes []Shape
	var maxBytes []int
	for _, t := range types {
		for _, s := range t.Shapes() {
			shapes = append(shapes, s)
			maxBytes = append(maxBytes, t.MaxBytes)
		}
	}
	var joins []join
	for i, single := range shapes {
		if !single.IsSingle() || single.IsSharded() {
			continue
		}
		for k, ranged := range shapes {
			prefix := ranged.SK.Leading()
			leading := single.SK.Leading()
			if k == i || prefix == "" || ranged.IsSharded() || !SamePartition(single.PK, ranged.PK) {
				continue
			}
			if overlap(leading, prefix) {
				continue // The item may sort inside of the range, or on either side.
			}
			above := leading > prefix
			if nothingBetween(shapes, i, k, above) {
				joins = append(joins, join{item: single, prefix: prefix, above: above, maxBytes: maxBytes[i]})
			}
		}
	}
	return joins
}

// Holds reports whether the key can be that of an item of the shape: it matches the templates, and
// a variable that occurs several times has the same value everywhere, except where it is cut to a
// time bucket.
func (s Shape) Holds(key Key) bool { return s.holds(key, Template.Match) }

// HoldsStored is Holds for a key in which the last value of a part may contain the delimiter.
func (s Shape) HoldsStored(key Key) bool { return s.holds(key, Template.MatchStored) }

// holds is Holds with another function for the values of a template.
func (s Shape) holds(key Key, match func(Template, string) ([]string, bool)) bool {
	if len(key.PK) > MaxPKBytes || len(key.SK) > MaxSKBytes || !s.PK.begins(string(key.PK)) || !s.SK.begins(string(key.SK)) {
		return false
	}
	seen := map[string]string{}
	for _, part := range [...]struct {
		template Template
		text     string
	}{{s.PK, string(key.PK)}, {s.SK, string(key.SK)}} {
		values, ok := match(part.template, part.text)
		if !ok {
			return false
		}
		for _, segment := range part.template.segments {
			if segment.Variable == "" {
				continue
			}
			value := values[0]
			values = values[1:]
			if segment.Bucket > 0 || segment.unknown {
				continue
			}
			if before, repeated := seen[segment.Variable]; repeated && before != value {
				return false
			}
			seen[segment.Variable] = value
		}
	}
	return true
}

// IsSingle reports whether a partition has at most one item of the shape: all variables of its sort
// key are in the partition key as well.
func (s Shape) IsSingle() bool {
	type written struct {
		variable string
		in       Case
	}
	fixed := map[written]bool{}
	for i, p := range s.PK.segments {
		fixed[written{p.Variable, p.Case}] = p.Bucket == 0 && (!p.unknown || s.PK.partEnd(i) == i+1 && !p.Glued)
	}
	for _, q := range s.SK.segments {
		if q.Variable != "" && !fixed[written{q.Variable, AsIs}] && !fixed[written{q.Variable, q.Case}] {
			return false
		}
	}
	return true
}

// nothingBetween reports whether no other shape of the partition has sort keys between those of the
// single item and the range. It compares leading literals: each is the interval of all texts that
// begin with it.
func nothingBetween(shapes []Shape, single, ranged int, above bool) bool {
	low, high := shapes[single].SK.Leading(), shapes[ranged].SK.Leading()
	if above {
		low, high = high, low
	}
	for i, s := range shapes {
		if i == single || i == ranged || !SamePartition(s.PK, shapes[single].PK) {
			continue
		}
		l := s.SK.Leading()
		if overlap(l, low) || overlap(l, high) || l > low && l < high {
			return false
		}
	}
	return true
}

// overlap reports whether some text can begin with both a and b.
func overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// SamePartition reports whether two partition key templates can have the same key: they have as
// many segments, and each pair of segments can have the same text.
func SamePartition(a, b Template) bool {
	if a.open || b.open {
		return CanShare(a.segments, b.segments)
	}
	if len(a.segments) != len(b.segments) {
		return false
	}
	for i, x := range a.segments {
		y := b.segments[i]
		switch {
		case x.Variable != "" && y.Variable != "":
			if !overlap(x.Literal, y.Literal) {
				return false
			}
		case x.Variable != "":
			if !strings.HasPrefix(y.Literal, x.Literal) || y.Literal == x.Literal {
				return false
			}
		case y.Variable != "":
			if !strings.HasPrefix(x.Literal, y.Literal) || x.Literal == y.Literal {
				return false
			}
		case x.Literal != y.Literal:
			return false
		}
	}
	return true
}
