package keys

import "strings"

// A join is a pair of one item and one range of the same partition between
// which nothing else of the design sorts, so that one Query can meet both.
type join struct {
	item   Shape
	prefix string // of the range
	// above is set when the item sorts right after the range.
	above bool
	// maxBytes is the largest that the item may be.
	maxBytes int
}

// Side is where an item sorts relative to a range.
type Side int8

// Apart means that other items may sort between the item and the range, or that
// they lie in different partitions.
const (
	Apart Side = iota
	Below
	Above
)

// Adjacent reports whether the item with the key sorts directly below or
// directly above the range of all sort keys with the prefix in its partition,
// whatever the table holds.
func (d *Design) Adjacent(key Key, prefix SK) Side {
	for _, j := range d.joins {
		if j.prefix != string(prefix) || !j.item.holds(key) {
			continue
		}
		if j.above {
			return Above
		}
		return Below
	}
	return Apart
}

// SmallestBeside is the least maxBytes of the types whose items Adjacent may find
// beside a range with a prefix that begins so. It reports whether there are any.
func (d *Design) SmallestBeside(leading string) (maxBytes int, found bool) {
	for _, j := range d.joins {
		if !strings.HasPrefix(j.prefix, leading) && !strings.HasPrefix(leading, j.prefix) {
			continue
		}
		if !found || j.maxBytes < maxBytes {
			maxBytes, found = j.maxBytes, true
		}
	}
	return maxBytes, found
}

// findJoins looks at all pairs of shapes of the table that share a partition.
func findJoins(types []*Type) []join {
	var shapes []Shape
	var maxBytes []int
	for _, t := range types {
		for _, s := range append([]Shape{t.Item}, t.Copies...) {
			shapes = append(shapes, s)
			maxBytes = append(maxBytes, t.MaxBytes)
		}
	}
	var joins []join
	for i, single := range shapes {
		if !isSingle(single) {
			continue
		}
		for k, ranged := range shapes {
			prefix := ranged.SK.Leading()
			leading := single.SK.Leading()
			if k == i || prefix == "" || !SamePartition(single.PK, ranged.PK) {
				continue
			}
			if strings.HasPrefix(leading, prefix) || strings.HasPrefix(prefix, leading) {
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

// holds reports whether the key can be that of an item of the shape: it follows
// the templates, and a variable has the same value wherever it stands whole.
func (s Shape) holds(key Key) bool {
	if len(key.PK) > MaxPKBytes || len(key.SK) > MaxSKBytes {
		return false
	}
	seen := map[string]string{}
	for _, part := range [...]struct {
		template Template
		text     string
	}{{s.PK, string(key.PK)}, {s.SK, string(key.SK)}} {
		values, ok := part.template.Match(part.text)
		if !ok {
			return false
		}
		for _, segment := range part.template.segments {
			if segment.Variable == "" {
				continue
			}
			value := values[0]
			values = values[1:]
			if segment.Bucket > 0 {
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

// isSingle reports whether a partition holds at most one item of the shape: its
// sort key has no variable that the partition key does not fix.
func isSingle(s Shape) bool {
	fixed := map[string]bool{}
	for _, p := range s.PK.segments {
		fixed[p.Variable] = p.Bucket == 0
	}
	for _, name := range s.SK.Variables() {
		if !fixed[name] {
			return false
		}
	}
	return true
}

// nothingBetween checks that no other shape of the partition has sort keys
// between those of the single item and the range. A leading literal stands for
// the interval of all texts that begin with it.
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
		overlaps := strings.HasPrefix(low, l) || strings.HasPrefix(high, l) || strings.HasPrefix(l, low) || strings.HasPrefix(l, high)
		if overlaps || l > low && l < high {
			return false
		}
	}
	return true
}

// SamePartition reports whether two partition key templates can make the same
// key: as many segments, equal literals, and a variable opposite to anything
// that it can equal.
func SamePartition(a, b Template) bool {
	if len(a.segments) != len(b.segments) {
		return false
	}
	for i, x := range a.segments {
		y := b.segments[i]
		switch {
		case x.Variable != "" && y.Variable != "":
			if !strings.HasPrefix(x.Literal, y.Literal) && !strings.HasPrefix(y.Literal, x.Literal) {
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
