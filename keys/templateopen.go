package keys

import "strings"

// This file reads the keys of templates that other libraries write: with values that nothing separates, in lower case,
// or that end where a value is missing.

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
