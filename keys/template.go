package keys

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/partita/partita/item"
)

// Delimiter joins the segments of a key, unless the Layout has another delimiter. No value that is
// written may contain it.
const Delimiter = "#"

// Segment is the part of a template between two delimiters: a literal, a variable, or a literal
// followed by a variable.
type Segment struct {
	Literal  string
	Variable string
	// Width is the number of digits to which an Int is padded, 0 for no padding.
	Width int
	// Bucket is the time bucket to which a time is cut, 0 for none.
	Bucket Bucket

	// as is the format in which the variable's attribute is stored.
	as Format
	// number is set for the variable of a key attribute that is a Number: see numberText.
	number bool
	// fixed is the number of bytes of a time or a date whose text contains the delimiter, otherwise 0.
	fixed int
	// stored is set if the value is from an item, not from a caller, so that it may contain the delimiter.
	stored bool
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
	segments  []Segment
}

// ParseTemplate reads literals and {variable}, {variable:04} or {variable:day} joined by '#'. The
// error is for the author of the schema.
func ParseTemplate(text string) (Template, error) { return ParseDelimited(Delimiter, text) }

// ParseDelimited is ParseTemplate with another delimiter, such as "|" or "::".
func ParseDelimited(delimiter, text string) (Template, error) {
	t := Template{text: text}
	if delimiter != Delimiter {
		t.delimiter = delimiter
	}
	if text == "" {
		return t, nil
	}
	for _, part := range splitSegments(text, delimiter) {
		s, err := parseSegment(part, delimiter)
		if err != nil {
			return Template{}, err
		}
		t.segments = append(t.segments, s)
	}
	return t, nil
}

// splitSegments splits at delimiters outside of braces: a format such as {n:04} may contain one.
func splitSegments(text, delimiter string) []string {
	var parts []string
	begin, inside := 0, false
	for i := 0; i < len(text); {
		switch {
		case !inside && strings.HasPrefix(text[i:], delimiter):
			parts = append(parts, text[begin:i])
			i += len(delimiter)
			begin = i
			continue
		case text[i] == '{':
			inside = true
		case text[i] == '}':
			inside = false
		}
		i++
	}
	return append(parts, text[begin:])
}

// MustTemplate is ParseTemplate for templates that have been checked, such as those in generated
// code. It panics on an error.
func MustTemplate(text string) Template { return MustDelimited(Delimiter, text) }

// MustDelimited is ParseDelimited for templates that have been checked. It panics on an error.
func MustDelimited(delimiter, text string) Template {
	t, err := ParseDelimited(delimiter, text)
	if err != nil {
		panic("keys: bug in generated code: " + err.Error())
	}
	return t
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

func parseSegment(part, delimiter string) (Segment, error) {
	literal, rest, hasVariable := strings.Cut(part, "{")
	for _, r := range literal {
		if !isLiteral(r) {
			return Segment{}, fmt.Errorf("%q is not allowed in a key: "+
				"write literals and {field} variables, with '%s' between them", r, delimiter)
		}
	}
	if !hasVariable {
		return Segment{Literal: literal}, nil
	}
	inside, after, closed := strings.Cut(rest, "}")
	if !closed {
		return Segment{}, fmt.Errorf("'{' without '}' in %q", part)
	}
	if after != "" {
		return Segment{}, fmt.Errorf("there must be a '%s' between {%s} and %q: it is the only delimiter",
			delimiter, inside, after)
	}
	name, format, hasFormat := strings.Cut(inside, ":")
	if !isName(name) {
		return Segment{}, fmt.Errorf("{%s} does not name a field", inside)
	}
	s := Segment{Literal: literal, Variable: name}
	if !hasFormat {
		return s, nil
	}
	if b, ok := bucketNames[format]; ok {
		s.Bucket = b
		return s, nil
	}
	width, err := strconv.Atoi(format)
	if err != nil || width < 1 || width > 19 || !strings.HasPrefix(format, "0") {
		return Segment{}, fmt.Errorf("{%s}: a format is a zero and a width of 1 to 19 digits, such as {%s:04}, "+
			"or year, month, day, hour", inside, name)
	}
	s.Width = width
	return s, nil
}

// isLiteral reports whether a literal may have the character: any that can be printed, except braces and a space.
func isLiteral(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '{' && r != '}'
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
	format := ""
	switch {
	case s.Width > 0:
		format = fmt.Sprintf(":0%d", s.Width)
	case s.Bucket > 0:
		for name, b := range bucketNames {
			if b == s.Bucket {
				format = ":" + name
			}
		}
	}
	return s.Literal + "{" + s.Variable + format + "}"
}

// renamed returns the template with other names for its variables.
func (t Template) renamed(name func(variable string) string) Template {
	t.segments = slices.Clone(t.segments)
	parts := make([]string, len(t.segments))
	for i := range t.segments {
		if s := &t.segments[i]; s.Variable != "" {
			s.Variable = name(s.Variable)
		}
		parts[i] = t.segments[i].String()
	}
	t.text = strings.Join(parts, t.Delimiter())
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

// Describe returns the key value as a text for people: see KeyAttributes.Show. For a value that is unset or not allowed
// in a key, it contains the result of unknown.
func (t Template) Describe(values func(name string) Value, unknown func(name string) string) string {
	parts := make([]string, len(t.segments))
	for i, s := range t.segments {
		parts[i] = s.Literal
		if s.Variable == "" {
			continue
		}
		text, err := "", error(nil)
		v := values(s.Variable)
		if v.IsSet() && v.bounds == nil {
			if text, err = s.format(v, t.Delimiter()); s.number && err == nil {
				text = KeyNumber(text)
			}
		}
		if text == "" || err != nil {
			text = unknown(s.Variable)
		}
		parts[i] += text
	}
	return strings.Join(parts, t.shownDelimiter())
}

// shownDelimiter is Delimiter for people.
func (t Template) shownDelimiter() string {
	if t.separated {
		return shownSeparator
	}
	return t.Delimiter()
}

// Build returns the key value with the values of the variables. The error is an InputError for a
// value that is unset or not allowed in a key.
func (t Template) Build(values func(name string) Value) (string, error) {
	var b strings.Builder
	b.Grow(len(t.text) + 32)
	delimiter := t.Delimiter()
	for i, s := range t.segments {
		if i > 0 {
			b.WriteString(delimiter)
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		v := values(s.Variable)
		if !v.IsSet() {
			return "", inputErrorf(s.Variable, "%s must be given", s.Variable)
		}
		text, err := s.format(v, delimiter)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// format returns the text of a value in this segment of a template with the delimiter.
func (s Segment) format(v Value, delimiter string) (string, error) {
	if v.err != nil {
		return "", named(s.Variable, v.err)
	}
	if v.bounds != nil {
		return "", inputErrorf(s.Variable, "%s must be one value, not a range", s.Variable)
	}
	text := v.text
	if s.stored || v.stored || s.number || s.fixed > 0 || s.Bucket > 0 || s.as.isTime() {
		delimiter = ""
	}
	if err := checkText(s.Variable, text, delimiter); err != nil {
		return "", err
	}
	if s.Bucket > 0 {
		return s.bucketOf(text)
	}
	text, ok := s.as.text(text)
	if !ok || s.fixed > 0 && !s.isWhole(text) {
		return "", inputErrorf(s.Variable, "%s must be a time", s.Variable)
	}
	if s.number {
		if text, ok = numberText(text); !ok {
			return "", inputErrorf(s.Variable, "%s must be a number", s.Variable)
		}
		return text, nil
	}
	if width := s.Width; width > 0 {
		if !isNumber(text) || len(text) > width {
			return "", inputErrorf(s.Variable, "%s must be between %s and %s",
				s.Variable, s.limit("0"), s.limit(strings.Repeat("9", width)))
		}
		return strings.Repeat("0", width-len(text)) + text, nil
	}
	return text, nil
}

// limit returns the value with these digits, for an error.
func (s *Segment) limit(digits string) string {
	if canonical, ok := s.as.canonical(digits); ok {
		return canonical
	}
	return digits
}

// isWhole reports whether a text is a time or a date in the segment's format.
func (s *Segment) isWhole(text string) bool {
	if s.as == Plain {
		_, err := parseCanonical(text)
		return err == nil && len(text) == s.fixed
	}
	_, ok := s.as.canonical(text)
	return ok
}

// bucketOf returns a time or a date, cut to the segment's bucket.
func (s Segment) bucketOf(text string) (string, error) {
	if len(text) >= int(s.Bucket) {
		// The text may be from a global ID, so it may be no time.
		if _, err := time.Parse(item.TimeLayout[:s.Bucket], text[:s.Bucket]); err == nil {
			return text[:s.Bucket], nil
		}
	}
	return "", inputErrorf(s.Variable, "%s must be a time", s.Variable)
}

// named adds the name of the variable to an error about its value, if the error has none.
func named(variable string, err error) error {
	var in *InputError
	if errors.As(err, &in) && in.Argument == "" {
		return inputErrorf(variable, "%s: %s", variable, in.Message)
	}
	return err
}

// CheckText returns an InputError if a value of a variable is not allowed in a key: it contains the
// default delimiter, or DynamoDB cannot store it.
func CheckText(variable, text string) error { return checkText(variable, text, Delimiter) }

func checkText(variable, text, delimiter string) error {
	if text == "" {
		return inputErrorf(variable, "%s must not be empty", variable)
	}
	if len(text) > MaxPKBytes {
		return inputErrorf(variable, "%s is too long: a key holds at most %d bytes", variable, MaxPKBytes)
	}
	if !utf8.ValidString(text) {
		return inputErrorf(variable, "%s must be valid UTF-8", variable)
	}
	for _, r := range text {
		// EndOf requires that the last code point, a noncharacter, is above all keys.
		if r == unicode.MaxRune || unicode.IsControl(r) {
			return forbidden(variable, delimiter)
		}
	}
	// With the delimiter "::", a value that ends with ':' would be divided elsewhere.
	if delimiter != "" && strings.Index(text+delimiter, delimiter) < len(text) {
		return forbidden(variable, delimiter)
	}
	return nil
}

func forbidden(variable, delimiter string) error {
	if delimiter == separator {
		return inputErrorf(variable, "%s must not contain a control character", variable)
	}
	if delimiter == "" {
		delimiter = Delimiter
	}
	end := ""
	if len(delimiter) > 1 {
		end = " or end with a part of it,"
	}
	return inputErrorf(variable, "%s must not contain '%s'%s or a control character", variable, delimiter, end)
}
