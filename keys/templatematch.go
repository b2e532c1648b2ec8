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
