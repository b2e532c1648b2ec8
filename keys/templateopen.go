package keys

import (
	"slices"
	"strings"
)

// This file reads the keys of templates that other libraries write: with values that nothing separates, in lower case,
// or that end where a value is missing.

// setUnknown sets Segment.unknown: of values in another case, and of those whose end or beginning cannot be found
// because another value of any length is in the same part between two delimiters.
func (t *Template) setUnknown() {
	if !t.open {
		return
	}
	for i := 0; i < len(t.segments); {
		part := t.segments[i:t.partEnd(i)]
		free := 0
		for k := range part {
			if part[k].isFree(part[k+1:]) {
				free++
			}
		}
		for k := range part {
			s := &part[k]
			s.unknown = s.Variable != "" && (s.Case != AsIs && s.kind != Boolean || free > 1 && s.isFree(part[k+1:]))
		}
		i += len(part)
	}
}

// partEnd returns the index behind the last of the segments that follow the i-th without a delimiter.
func (t *Template) partEnd(i int) int {
	for i++; i < len(t.segments) && t.segments[i].Glued; i++ {
	}
	return i
}

// isFree reports whether the segment has a value whose end is not known from its width, nor from the literal that
// follows it, which the value cannot contain.
func (s *Segment) isFree(following []Segment) bool {
	if s.Variable == "" || s.Bytes() > 0 {
		return false
	}
	if len(following) == 0 || following[0].Literal == "" || s.Case != AsIs {
		return true
	}
	c := following[0].Literal[0]
	isLetter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	isDigit := c >= '0' && c <= '9'
	switch s.kind {
	case Enum, Boolean:
		return isLetter || isDigit
	case Int, Int64:
		return isDigit || c == '-'
	default:
		return true
	}
}

// Bytes returns the number of bytes of the segment's value in a key, 0 if that is not fixed.
func (s *Segment) Bytes() int {
	switch {
	case s.Variable == "" || s.Optional:
		return 0
	case s.Bucket > 0:
		return int(s.Bucket)
	case s.Width > 0:
		return s.Width
	default:
		return s.textWidth
	}
}

// matchOpen is match for a template that is open.
func (t *Template) matchOpen(text, forbidden string) (values []string, ok bool) {
	m, ok := t.readOpen(text, forbidden)
	return m.values, ok
}

// readOpen returns the values of a key, and their texts in it.
func (t *Template) readOpen(text, forbidden string) (m openMatch, ok bool) {
	m.forbidden = forbidden
	for i := 0; i < len(t.segments); {
		end := t.partEnd(i)
		part := text
		m.isLast = true
		if end < len(t.segments) {
			if before, rest, found := dividePart(t.segments[i:end], text, t.Delimiter()); found {
				part, text, m.isLast = before, rest, false
			}
		}
		ended, ok := m.part(t.segments[i:end], part)
		switch {
		case !ok || m.isLast && !ended && end < len(t.segments):
			return m, false
		case ended:
			m.end = len(m.values)
			none := make([]string, t.count()-m.end)
			m.values, m.texts = append(m.values, none...), append(m.texts, none...)
			return m, true
		}
		i = end
	}
	m.end = len(m.values)
	return m, true
}

// count returns the number of variables, repeats included.
func (t *Template) count() int {
	n := 0
	for i := range t.segments {
		if t.segments[i].Variable != "" {
			n++
		}
	}
	return n
}

// dividePart is Segment.divide for several segments without a delimiter between them. Of their values, only times and
// dates contain delimiters, and each as many as its format has.
func dividePart(part []Segment, text, delimiter string) (own, rest string, ok bool) {
	own, rest, ok = strings.Cut(text, delimiter)
	for i := range part {
		for range part[i].delimiters {
			var more string
			more, rest, ok = strings.Cut(rest, delimiter)
			own += delimiter + more
		}
	}
	return own, rest, ok
}

// openMatch reads the parts of a key.
type openMatch struct {
	forbidden string
	// isLast is set if no delimiter follows in the key.
	isLast bool
	// values are those of the variables, and texts what the key has of them.
	values, texts []string
	// end is how many values there are before the end of the key.
	end int
}

// part appends the values of segments without a delimiter between them. ended is set if the key ends before a value
// that may be unset. Where a value may end in several places, it is the shortest one.
func (m *openMatch) part(part []Segment, text string) (ended, ok bool) {
	if len(part) == 0 {
		return false, text == ""
	}
	s := &part[0]
	if text, ok = strings.CutPrefix(text, s.Literal); !ok {
		return false, false
	}
	switch {
	case s.Variable == "":
		return m.part(part[1:], text)
	case s.Optional && text == "" && m.isLast:
		return true, true
	}
	low, high := 1, len(text)
	if s.Optional {
		low = 0
	}
	if width := s.Bytes(); width > 0 {
		low, high = width, min(width, high)
	} else if len(part) == 1 {
		low = max(low, high)
	}
	n := len(m.values)
	for end := low; end <= high; end++ {
		value := ""
		if end > 0 {
			if value, ok = s.match(text[:end], m.forbidden); !ok {
				continue
			}
		}
		m.values, m.texts = append(m.values[:n], value), append(m.texts[:n], text[:end])
		if ended, ok = m.part(part[1:], text[end:]); ok {
			return ended, true
		}
	}
	m.values, m.texts = m.values[:n], m.texts[:n]
	return false, false
}

// decodeOpen is decode for a template that is open.
func (t *Template) decodeOpen(text, forbidden string) (parts []Part, ok bool) {
	m, ok := t.readOpen(text, forbidden)
	if !ok {
		return nil, false
	}
	literal, n := "", 0
	add := func(p Part) {
		if literal != "" {
			parts, literal = append(parts, Part{Text: literal}), ""
		}
		if p.Text != "" { // It is of one that is Optional.
			parts = append(parts, p)
		}
	}
	for i := range t.segments {
		s := &t.segments[i]
		if i > 0 && !s.Glued {
			literal += t.shownDelimiter()
		}
		literal += s.Literal
		if s.Variable == "" {
			continue
		}
		if n == m.end {
			break
		}
		p := Part{Text: m.texts[n], Variable: s.Variable, Value: m.values[n]}
		switch {
		case s.Variable == ShardVariable:
			p = Part{Text: p.Text, IsShard: true}
		case s.unknown:
			p.Value = ""
		}
		n++
		add(p)
	}
	add(Part{})
	return parts, true
}

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

func isOptional(s Segment) bool { return s.Optional }

// IsOpen reports whether the segment is Glued, Optional or in a Case.
func (s Segment) IsOpen() bool { return s.Glued || s.Optional || s.Case != AsIs }

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
		if !overlap(begin, other) {
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
	if !overlap(beginA, beginB) {
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
