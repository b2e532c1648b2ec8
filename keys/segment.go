package keys

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
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
	// Width is the number of digits to which an Int, or the place of an enum's value, is padded; 0 for no padding.
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
	// names are the stored names of an enum's values; nil for those of the schema.
	names *ValueNames
	// places are those of the stored names of an enum of which the key has the place; "" for all else.
	places Places
	// unknown is set if the value does not follow from a key: see setUnknown.
	unknown bool
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

// IsWhole reports whether a key has the whole value of the segment's variable: see Template.Has.
func (s *Segment) IsWhole() bool { return s.Variable != "" && s.Bucket == 0 && !s.unknown }

// IsUnknown reports whether the value of the segment's variable does not follow from a key: it is in another case
// there, or its beginning or end cannot be found.
func (s *Segment) IsUnknown() bool { return s.unknown }

// IsNumber reports whether the segment is a key attribute that is a Number.
func (s *Segment) IsNumber() bool { return s.number }

// IsOpen reports whether the segment is Glued, Optional or in a Case.
func (s Segment) IsOpen() bool { return s.Glued || s.Optional || s.Case != AsIs }

func isOptional(s Segment) bool { return s.Optional }

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

// SortsBefore reports whether a value of the segment, whose variable has the kind, can be the beginning of another one
// that continues with a character below the delimiter.
func (s *Segment) SortsBefore(kind Kind, delimiter string) bool {
	return s.Width == 0 && !s.number && s.Bucket == 0 &&
		(s.as.IsNumber() && delimiter > "0" || kind.sortsBefore(delimiter))
}

// divide returns the part of a key before the delimiter that follows the segment, and the rest after it.
func (s *Segment) divide(text, delimiter string) (part, rest string, ok bool) {
	if width := len(s.Literal) + s.fixed; s.fixed > 0 && len(text) > width {
		rest, ok = strings.CutPrefix(text[width:], delimiter)
		return text[:width], rest, ok
	}
	return strings.Cut(text, delimiter)
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

// MaxBuckets is the maximum number of time buckets in one range: each is a partition with a Query
// of its own. A page of a range without a lower end reads as many at most.
const MaxBuckets = 48

// Until returns the beginnings of MaxBuckets buckets up to the one that begins at last. There are fewer if the oldest
// one is among them.
func (b Bucket) Until(oldest, last time.Time) []time.Time {
	times := make([]time.Time, 0, 2*MaxBuckets)
	for at := last; len(times) < MaxBuckets && !at.Before(oldest); at = b.Floor(at.Add(-time.Nanosecond)) {
		times = append(times, at)
	}
	slices.Reverse(times)
	return times
}

// Label returns the text of the bucket of a time.
func (b Bucket) Label(t time.Time) string { return t.Format(item.TimeLayout)[:b] }

// Floor returns the beginning of the bucket of a time.
func (b Bucket) Floor(t time.Time) time.Time {
	switch b {
	case Year:
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	case Month:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	case Day:
		return t.Truncate(24 * time.Hour)
	default:
		return t.Truncate(time.Hour)
	}
}

// Next returns the beginning of the bucket after the one that begins at a time.
func (b Bucket) Next(t time.Time) time.Time {
	switch b {
	case Year:
		return t.AddDate(1, 0, 0)
	case Month:
		return t.AddDate(0, 1, 0)
	case Day:
		return t.AddDate(0, 0, 1)
	default:
		return t.Add(time.Hour)
	}
}
