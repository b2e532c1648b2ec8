package keys

import (
	"slices"
	"strings"
)

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
			if !Overlap(x.Literal, y.Literal) {
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

// Coincide reports whether two partition key templates of different patterns can have the same key, because a value of
// one looks like a literal of the other.
func Coincide(a, b Template) bool {
	isSame := func(x, y Segment) bool {
		return x.Glued == y.Glued && x.Literal == y.Literal && (x.Variable == "") == (y.Variable == "")
	}
	return SamePartition(a, b) && !slices.EqualFunc(a.segments, b.segments, isSame)
}

// Overlap reports whether some text can begin with both a and b.
func Overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// CanShare is SamePartition for segments of which some are open. It considers no types of variables.
func CanShare(a, b []Segment) bool {
	partsA, partsB := Parts(a), Parts(b)
	for _, n := range lengths(partsA) {
		if !slices.Contains(lengths(partsB), n) {
			continue
		}
		shared := true
		for i := range n {
			shared = shared && partsCanShare(partsA[i], partsB[i])
		}
		if shared {
			return true
		}
	}
	return false
}

// Parts divides segments where a delimiter is between them.
func Parts(segments []Segment) [][]Segment {
	var parts [][]Segment
	for i, s := range segments {
		if i > 0 && s.Glued {
			parts[len(parts)-1] = segments[i-len(parts[len(parts)-1]) : i+1]
			continue
		}
		parts = append(parts, segments[i:i+1])
	}
	return parts
}

// lengths returns how many parts a key can have: it may end in each that has an Optional variable.
func lengths(parts [][]Segment) []int {
	all := []int{len(parts)}
	for i, part := range parts {
		if slices.ContainsFunc(part, isOptional) {
			all = append(all, i+1)
		}
	}
	return all
}

// Extent is which sort keys a Query selects when all variables of its SK are set.
type Extent uint8

// With Text, the sort keys begin with SK. With Children, the delimiter follows SK. With Exact, they are SK. A Tree is
// an item with SK itself as its sort key, and its Children.
const (
	Text Extent = iota
	Children
	Exact
	Tree
)

// CanBegin reports whether a Query with these segments of a sort key can select one of other segments, as CanShare
// does.
func CanBegin(selected, stored []Segment, extent Extent) bool {
	parts, others := Parts(selected), Parts(stored)
	n := len(parts)
	switch {
	case n == 0:
		return true
	case extent == Exact:
		return CanShare(selected, stored)
	case n > len(others) || extent == Children && n == len(others):
		return false
	}
	last := n
	if extent == Text {
		last--
		begin, _, _ := literals(parts[last])
		other, _, _ := literals(others[last])
		if !Overlap(begin, other) {
			return false
		}
	}
	for i := range last {
		if !partsCanShare(parts[i], others[i]) {
			return false
		}
	}
	return true
}

// partsCanShare reports whether two parts can have the same text, or of two with variables, whether their literals at
// the beginning and at the end allow it.
func partsCanShare(a, b []Segment) bool {
	beginA, endA, fixedA := literals(a)
	beginB, endB, fixedB := literals(b)
	if !Overlap(beginA, beginB) {
		return false
	}
	switch {
	case fixedA && fixedB:
		return beginA == beginB
	case fixedA:
		return canBe(b, beginA)
	case fixedB:
		return canBe(a, beginB)
	case slices.ContainsFunc(a, isOptional) || slices.ContainsFunc(b, isOptional):
		return true
	default:
		return strings.HasSuffix(endA, endB) || strings.HasSuffix(endB, endA)
	}
}

// canBe reports whether a part can have a text.
func canBe(part []Segment, text string) bool {
	m := openMatch{isLast: true}
	_, ok := m.part(part, text)
	return ok
}

// literals returns the literals at the beginning and at the end of a part, and whether it has no variable, so that the
// first is all of it.
func literals(part []Segment) (begin, end string, fixed bool) {
	fixed = true
	for _, s := range part {
		if fixed {
			begin += s.Literal
		}
		end += s.Literal
		if s.Variable != "" {
			fixed, end = false, ""
		}
	}
	return begin, end, fixed
}
