package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

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
func (d *Design) Adjacent(key keys.Key, prefix keys.SK) Side {
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
	var shapes []keys.Shape
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
			if k == i || prefix == "" || ranged.IsSharded() || !keys.SamePartition(single.PK, ranged.PK) {
				continue
			}
			if keys.Overlap(leading, prefix) {
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

// nothingBetween reports whether no other shape of the partition has sort keys between those of the
// single item and the range. It compares leading literals: each is the interval of all texts that
// begin with it.
func nothingBetween(shapes []keys.Shape, single, ranged int, above bool) bool {
	low, high := shapes[single].SK.Leading(), shapes[ranged].SK.Leading()
	if above {
		low, high = high, low
	}
	for i, s := range shapes {
		if i == single || i == ranged || !keys.SamePartition(s.PK, shapes[single].PK) {
			continue
		}
		l := s.SK.Leading()
		if keys.Overlap(l, low) || keys.Overlap(l, high) || l > low && l < high {
			return false
		}
	}
	return true
}

// PlaceOf returns the place of the item with the key. It is zero if a partition may have several items of its shape.
func (d *Design) PlaceOf(key keys.Key) Place {
	for _, s := range d.singles {
		if s.Holds(key) {
			return s.place
		}
	}
	return Place{}
}

// findSingles returns the shapes of the table that a partition has at most one item of.
func findSingles(types []*Type) []placedShape {
	var shapes []keys.Shape
	for _, t := range types {
		shapes = append(shapes, t.Shapes()...)
	}
	var singles []placedShape
	for i, s := range shapes {
		if !s.IsSingle() {
			continue
		}
		place := Place{Single: true, Lowest: true, Highest: true}
		for k, other := range shapes {
			if k == i || !keys.SamePartition(s.PK, other.PK) {
				continue
			}
			a, b := s.SK.Leading(), other.SK.Leading()
			place.Lowest = place.Lowest && a < b && !keys.Overlap(a, b)
			place.Highest = place.Highest && a > b && !keys.Overlap(a, b)
		}
		singles = append(singles, placedShape{s, place})
	}
	return singles
}

// isMixed reports whether an item of another type than those of the field can be in its partition: a value there looks
// like a literal here, or the other way round, or types that an attribute tells apart have the same keys.
func (d *Design) isMixed(f *Field) bool {
	return slices.ContainsFunc(d.Types, func(t *Type) bool {
		if slices.Contains(f.Types, t.Name) {
			return false
		}
		return f.Index == "" && d.sharesKey(t, f.Types) || slices.ContainsFunc(t.shapesIn(f.Index), func(s keys.Shape) bool {
			return keys.Coincide(f.PK, s.PK) || keys.SamePartition(f.PK, s.PK) && d.isApart(t, f.Types)
		})
	})
}

// sharesKey reports whether an item of a type can have the key of one of other types.
func (d *Design) sharesKey(t *Type, others []string) bool {
	for _, name := range others {
		other := d.types[name]
		if other != nil && slices.ContainsFunc(other.shapesIn(""), func(s keys.Shape) bool {
			return slices.ContainsFunc(t.shapesIn(""), func(own keys.Shape) bool { return CanShareKey(t, own, other, s) })
		}) {
			return true
		}
	}
	return false
}

// isApart reports whether the constants of a type differ from those of one of other types.
func (d *Design) isApart(t *Type, others []string) bool {
	return slices.ContainsFunc(others, func(name string) bool { return d.types[name] != nil && d.types[name].IsApart(t) })
}

// unknownValues returns the variables of the field that Excludes compares: those whose value could also be another one
// beside it, and owners. A value in another case is the same for the library that wrote it.
func (f *Field) unknownValues() []verified {
	var unknown []verified
	for i := range f.matches {
		m := &f.matches[i]
		for _, t := range [...]*keys.Template{&m.Shape.PK, &m.Shape.SK} {
			for k := range t.Segments() {
				s := &t.Segments()[k]
				source, isRead := m.Variables[s.Variable]
				if !isRead || !s.IsUnknown() || m.Shape.Has(s.Variable) {
					continue
				}
				isExact := source == keys.ViewerVariable || f.rule != nil && f.rule.Owner == source
				if isExact || t.IsJoined(k) {
					unknown = append(unknown, verified{m.Type, s.Variable, source, s, isExact})
				}
			}
		}
	}
	return unknown
}
