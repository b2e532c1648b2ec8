package keys

import (
	"slices"
	"strings"
)

// HasGap reports whether the range of a Tree can have other sort keys between the item's and those of its children.
// These are read, but are not part of the range.
func (f *Field) HasGap() bool { return f.gap }

// hasGap returns what HasGap returns. A longer value of the variable at the end of SK makes a gap if it continues with
// a character that sorts before the delimiter.
func (f *Field) hasGap() bool {
	if f.rest.extent != Tree {
		return false
	}
	n := len(f.SK.Segments())
	last := f.SK.Segments()[n-1]
	if last.Variable == "" {
		return true // Which literals other programs write is unknown.
	}
	return slices.ContainsFunc(f.matches, func(m Match) bool {
		s := m.Shape.SK.Segments()[n-1]
		a := m.Type.Attribute(s.Variable)
		kind := Other
		if a != nil {
			kind = a.Kind
		}
		return s.SortsBefore(kind, f.SK.Delimiter())
	})
}

// SortsBefore reports whether a value of the segment, whose variable has the kind, can be the beginning of another one
// that continues with a character below the delimiter.
func (s *Segment) SortsBefore(kind Kind, delimiter string) bool {
	return s.Width == 0 && !s.number && s.Bucket == 0 &&
		(s.as.IsNumber() && delimiter > "0" || kind.sortsBefore(delimiter))
}

// sortsBefore reports whether a value of the kind can be the beginning of another one that continues with a character
// below the delimiter.
func (k Kind) sortsBefore(delimiter string) bool {
	switch k {
	case Boolean, Time, Date:
		return false
	case Int, Int64, Enum:
		return delimiter > "0"
	default:
		return true
	}
}

// CanBe reports whether a value of the kind can be, or begin with, a text of a template. Which values an enum has is
// unknown.
func (k Kind) CanBe(text string) bool {
	switch k {
	case Boolean:
		return text == "true" || text == "false"
	case Int, Int64, Float, Time, Date:
		return strings.IndexByte("-0123456789", text[0]) >= 0
	default:
		return true
	}
}

// shorterKeys returns what f.shorter has.
func (f *Field) shorterKeys(types []*Type) []Template {
	if f.rest.extent == Exact || f.rest.extent == Tree {
		return nil
	}
	most := len(Parts(f.SK.Segments()))
	if n := len(f.SK.Segments()); n > 0 && f.SK.Segments()[n-1] == (Segment{}) {
		most--
	}
	var shorter []Template
	add := func(s Shape) {
		n := len(s.SK.Segments())
		if n > 0 && len(Parts(s.SK.Segments())) <= most && s.SK.Segments()[n-1].Variable != "" && SamePartition(s.PK, f.PK) {
			shorter = append(shorter, s.SK)
		}
	}
	for _, t := range types {
		if f.Index == "" {
			for _, s := range t.Shapes() {
				add(s)
			}
			continue
		}
		for _, ix := range t.Indexes {
			if ix.Name == f.Index {
				add(ix.Shape)
			}
		}
	}
	return shorter
}
