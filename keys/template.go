package keys

import (
	"fmt"
	"slices"
	"strings"
)

// Delimiter joins the segments of a key, unless the Layout has another delimiter. No value that is
// written may contain it.
const Delimiter = "#"

// Segment is a part of a template: a literal, a variable, or a literal followed by a variable.
type Segment struct {
	// Glued is set if no delimiter is between the segment and the one before it, as for {id} in {name}{id}.
	Glued    bool
	Literal  string
	Variable string
	// Optional is set if the variable may be unset: the key then ends before it.
	Optional bool
	// Case is the case in which the key has the value.
	Case Case
	// Width is the number of digits to which an Int is padded, 0 for no padding.
	Width int
	// Bucket is the time bucket to which a time is cut, 0 for none.
	Bucket Bucket

	// as is the format in which the variable's attribute is stored.
	as Format
	// number is set for the variable of a key attribute that is a Number: see numberText.
	number bool
	// fixed is the number of bytes of a time or a date whose text contains the delimiter, otherwise 0; delimiters is
	// how often the text contains it.
	fixed, delimiters int
	// stored is set if the value is from an item, not from a caller, so that it may contain the delimiter.
	stored bool
	// kind is that of the variable's attribute, Other in a template that has none. textWidth is the number of bytes of
	// its values in a key if all have as many, otherwise 0.
	kind      Kind
	textWidth int
	// unknown is set if the value does not follow from a key: see setUnknown.
	unknown bool
}

// Bucket is a time bucket: the number of leading characters of item.TimeLayout that remain of a
// time. 0 is the whole time.
type Bucket int

// The buckets a template may name: {at:year}, {at:month}, {at:day}, {at:hour}.
const (
	Year  Bucket = Bucket(len("2006"))
	Month Bucket = Bucket(len("2006-01"))
	Day   Bucket = Bucket(len("2006-01-02"))
	Hour  Bucket = Bucket(len("2006-01-02T15"))
)

var bucketNames = map[string]Bucket{"year": Year, "month": Month, "day": Day, "hour": Hour}

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

// String returns the segment's text.
func (s Segment) String() string {
	if s.Variable == "" {
		return s.Literal
	}
	name, format := s.Variable, ""
	if s.Optional {
		name += "?"
	}
	switch {
	case s.Width > 0:
		format = fmt.Sprintf(":0%d", s.Width)
	case s.Bucket > 0:
		format = ":" + nameOf(bucketNames, s.Bucket)
	case s.Case > 0:
		format = ":" + nameOf(caseNames, s.Case)
	}
	return s.Literal + "{" + name + format + "}"
}

func nameOf[F comparable](names map[string]F, format F) string {
	for name, f := range names {
		if f == format {
			return name
		}
	}
	return ""
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

// Has reports whether a key of the template has the whole value of a variable, in a way that it can be read back: not
// cut to a time bucket, in another case, or beside another value without a border.
func (t Template) Has(variable string) bool {
	return slices.ContainsFunc(t.segments, func(s Segment) bool { return s.Variable == variable && s.IsWhole() })
}

// IsWhole reports whether a key has the whole value of the segment's variable: see Template.Has.
func (s *Segment) IsWhole() bool { return s.Variable != "" && s.Bucket == 0 && !s.unknown }

// IsOpen reports whether a segment of the template is Glued, Optional or in a Case.
func (t Template) IsOpen() bool { return t.open }

// IsSeparated reports whether the segments are attributes of their own, or one is an attribute as it is, so that a value
// may contain the delimiter.
func (t Template) IsSeparated() bool { return t.separated }

// IsJoined reports whether no delimiter is between the i-th segment and one beside it.
func (t *Template) IsJoined(i int) bool { return t.partEnd(i) > i+1 || t.segments[i].Glued }

// IsUnknown reports whether the value of the segment's variable does not follow from a key: it is in another case there,
// or its beginning or end cannot be found.
func (s *Segment) IsUnknown() bool { return s.unknown }

// IsNumber reports whether the segment is a key attribute that is a Number.
func (s *Segment) IsNumber() bool { return s.number }

// shownDelimiter is Delimiter for people.
func (t Template) shownDelimiter() string {
	if t.separated {
		return shownSeparator
	}
	return t.Delimiter()
}
