package keys

import "strings"

// Match returns the text of each variable of a key value in the order of Variables, without the
// padding of Ints and in the default format. A value that does not follow from the key is as in the key, or "" if an
// Optional one is missing: see Has. ok is false if the text does not match the template.
func (t Template) Match(text string) (values []string, ok bool) { return t.match(text, t.Delimiter()) }

// MatchStored is Match for a key in which the last value may contain the delimiter.
func (t Template) MatchStored(text string) (values []string, ok bool) { return t.match(text, "") }

// match is Match; values must not contain forbidden, which is "" or the delimiter.
func (t Template) match(text, forbidden string) (values []string, ok bool) {
	if len(t.segments) == 0 {
		return nil, text == ""
	}
	if t.open {
		return t.matchOpen(text, forbidden)
	}
	for i := range t.segments {
		s, part := &t.segments[i], text
		if i < len(t.segments)-1 {
			if part, text, ok = s.divide(text, t.Delimiter()); !ok {
				return nil, false
			}
		}
		part, ok = strings.CutPrefix(part, s.Literal)
		if !ok || (s.Variable == "") != (part == "") {
			return nil, false
		}
		if s.Variable == "" {
			continue
		}
		if part, ok = s.match(part, forbidden); !ok {
			return nil, false
		}
		values = append(values, part)
	}
	return values, true
}

// divide returns the part of a key before the delimiter that follows the segment, and the rest after it.
func (s *Segment) divide(text, delimiter string) (part, rest string, ok bool) {
	if width := len(s.Literal) + s.fixed; s.fixed > 0 && len(text) > width {
		rest, ok = strings.CutPrefix(text[width:], delimiter)
		return text[:width], rest, ok
	}
	return strings.Cut(text, delimiter)
}

// match returns the value of the variable that the segment has as part.
func (s *Segment) match(part, forbidden string) (value string, ok bool) {
	if s.fixed > 0 {
		forbidden = ""
	}
	if CheckDelimited(s.Variable, part, forbidden) != nil {
		return "", false
	}
	if s.Bucket > 0 {
		cut, err := s.bucketOf(part)
		return part, err == nil && cut == part
	}
	if s.number {
		number, ok := numberOf(part)
		if !ok || s.isInteger() && strings.Contains(number, ".") {
			return "", false
		}
		return s.as.canonical(number)
	}
	if width := s.Width; width > 0 {
		if len(part) != width || strings.Trim(part, "0123456789") != "" {
			return "", false
		}
		if part = strings.TrimLeft(part, "0"); part == "" {
			part = "0"
		}
	}
	if s.fixed > 0 && !s.isWhole(part) {
		return "", false
	}
	return s.as.canonical(part)
}

// Leading returns the literal text that every key of the template begins with.
func (t Template) Leading() string {
	var b strings.Builder
	for i, s := range t.segments {
		if i > 0 && !s.Glued {
			b.WriteString(t.Delimiter())
		}
		b.WriteString(s.Literal)
		if s.Variable != "" {
			break
		}
	}
	return b.String()
}
