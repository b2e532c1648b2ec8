package keys

import (
	"fmt"
	"slices"
	"strings"
)

// Template is the pattern of one key value: segments joined by a delimiter. The zero Template is the
// empty prefix of a range over a whole partition.
type Template struct {
	text string
	// delimiter is "" for Delimiter.
	delimiter string
	// separated is set if the segments are attributes of their own: separator joins their texts.
	separated bool
	// open is set if the template has a segment that is Glued, Optional or in a Case.
	open     bool
	segments []Segment
}

// Delimiter returns what joins the segments.
func (t Template) Delimiter() string {
	if t.separated {
		return separator
	}
	if t.delimiter == "" {
		return Delimiter
	}
	return t.delimiter
}

// String returns the template's text.
func (t Template) String() string { return t.text }

// GoString returns the template as a Go expression.
func (t Template) GoString() string {
	if t.delimiter != "" {
		return fmt.Sprintf("keys.MustDelimited(%q, %q)", t.delimiter, t.text)
	}
	return fmt.Sprintf("keys.MustTemplate(%q)", t.text)
}

// Join returns the text of a template with these segments.
func Join(segments []Segment, delimiter string) string {
	var b strings.Builder
	for i, s := range segments {
		if i > 0 && !s.Glued {
			b.WriteString(delimiter)
		}
		b.WriteString(s.String())
	}
	return b.String()
}

// Renamed returns the template with other names for its variables.
func (t Template) Renamed(name func(variable string) string) Template {
	t.segments = slices.Clone(t.segments)
	for i := range t.segments {
		if s := &t.segments[i]; s.Variable != "" {
			s.Variable = name(s.Variable)
		}
	}
	t.text = Join(t.segments, t.Delimiter())
	return t
}

// Segments returns the segments of the template. The caller must not modify them.
func (t Template) Segments() []Segment { return t.segments }

// Variables returns the names of the template's variables in order, repeats kept.
func (t Template) Variables() []string {
	var names []string
	for _, s := range t.segments {
		if s.Variable != "" {
			names = append(names, s.Variable)
		}
	}
	return names
}

// Bucket returns the time bucket to which the template cuts a variable, 0 for none.
func (t Template) Bucket(variable string) Bucket {
	for _, s := range t.segments {
		if s.Variable == variable && s.Bucket > 0 {
			return s.Bucket
		}
	}
	return 0
}

// IsBucketed reports whether the template cuts a variable to a time bucket.
func (t Template) IsBucketed() bool {
	return slices.ContainsFunc(t.segments, func(s Segment) bool { return s.Bucket > 0 })
}

// Has reports whether a key of the template has the whole value of a variable, in a way that it can be read back: not
// cut to a time bucket, in another case, or beside another value without a border.
func (t Template) Has(variable string) bool {
	return slices.ContainsFunc(t.segments, func(s Segment) bool { return s.Variable == variable && s.IsWhole() })
}

// IsOpen reports whether a segment of the template is Glued, Optional or in a Case.
func (t Template) IsOpen() bool { return t.open }

// IsSeparated reports whether the segments are attributes of their own, or one is an attribute as it is, so that a
// value may contain the delimiter.
func (t Template) IsSeparated() bool { return t.separated }

// IsJoined reports whether no delimiter is between the i-th segment and one beside it.
func (t *Template) IsJoined(i int) bool { return t.partEnd(i) > i+1 || t.segments[i].Glued }

// shownDelimiter is Delimiter for people.
func (t Template) shownDelimiter() string {
	if t.separated {
		return shownSeparator
	}
	return t.Delimiter()
}

// partEnd returns the index behind the last of the segments that follow the i-th without a delimiter.
func (t *Template) partEnd(i int) int {
	for i++; i < len(t.segments) && t.segments[i].Glued; i++ {
	}
	return i
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

// begins reports whether a text begins with the literal of the first segment. It allocates nothing.
func (t *Template) begins(text string) bool {
	return len(t.segments) == 0 || strings.HasPrefix(text, t.segments[0].Literal)
}

// Match returns the text of each variable of a key value in the order of Variables, without the
// padding of Ints and in the default format. A value that does not follow from the key is as in the key, or "" if an
// Optional one is missing: see Has. ok is false if the text does not match the template.
func (t Template) Match(text string) (values []string, ok bool) {
	return t.match(nil, text, t.Delimiter())
}

// MatchStored is Match for a key in which the last value may contain the delimiter.
func (t Template) MatchStored(text string) (values []string, ok bool) { return t.match(nil, text, "") }

// match is Match that appends to values, which must not contain forbidden: "" or the delimiter.
func (t Template) match(values []string, text, forbidden string) ([]string, bool) {
	if len(t.segments) == 0 {
		return values, text == ""
	}
	if t.open {
		found, ok := t.matchOpen(text, forbidden)
		return append(values, found...), ok
	}
	for i := range t.segments {
		s, part := &t.segments[i], text
		if i < len(t.segments)-1 {
			var divided bool
			if part, text, divided = s.divide(text, t.Delimiter()); !divided {
				return nil, false
			}
		}
		part, ok := strings.CutPrefix(part, s.Literal)
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

// WithNames returns the template with the stored names that of returns for the values of each variable, nil for those
// of the schema, and their places: see Places.
func (t Template) WithNames(of func(variable string) (*ValueNames, Places)) Template {
	t.segments = slices.Clone(t.segments)
	for i := range t.segments {
		s := &t.segments[i]
		if s.Variable == "" {
			continue
		}
		if s.names, s.places = of(s.Variable); s.Width == 0 {
			s.places = ""
		}
	}
	return t
}
