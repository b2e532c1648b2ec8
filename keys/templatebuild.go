package keys

import (
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/partita/partita/item"
)

// Describe returns the key value as a text for people: see KeyAttributes.Show. For a value that is unset or not allowed
// in a key, it contains the result of unknown.
func (t Template) Describe(values func(name string) Value, unknown func(name string) string) string {
	var b strings.Builder
	for i, s := range t.segments {
		if i > 0 && !s.Glued {
			b.WriteString(t.shownDelimiter())
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		text, err := "", error(nil)
		v := values(s.Variable)
		if v.IsSet() && v.bounds == nil {
			if text, err = s.Format(v, t.Delimiter()); s.number && err == nil {
				text = KeyNumber(text)
			}
		}
		if text == "" || err != nil {
			text = unknown(s.Variable)
		}
		b.WriteString(text)
	}
	return b.String()
}

// Build returns the key value with the values of the variables. It ends before the first one that is Optional and
// unset. The error is an InputError for another value that is unset, and for one that is not allowed in a key.
func (t Template) Build(values func(name string) Value) (string, error) {
	var b strings.Builder
	b.Grow(len(t.text) + 32)
	delimiter := t.Delimiter()
	for i := range t.segments {
		s := &t.segments[i]
		if i > 0 && !s.Glued {
			b.WriteString(delimiter)
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		v := values(s.Variable)
		if !v.IsSet() {
			if s.Optional {
				break
			}
			return "", InputErrorf(s.Variable, "%s must be given", s.Variable)
		}
		text, err := s.Format(v, delimiter)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// FormatAtLeast is Format of the earliest value of the segment that is not before the lower end of a range.
func (s *Segment) FormatAtLeast(lower Value, delimiter string) (string, error) {
	return s.Format(s.as.atLeast(lower), delimiter)
}

// Format returns the text of a value in this segment of a template with the delimiter.
func (s *Segment) Format(v Value, delimiter string) (string, error) {
	if v.err != nil {
		return "", NamedError(s.Variable, v.err)
	}
	if v.bounds != nil {
		return "", InputErrorf(s.Variable, "%s must be one value, not a range", s.Variable)
	}
	text := v.text
	if s.stored || v.stored || s.number || s.fixed > 0 || s.Bucket > 0 || s.as.isTime() {
		delimiter = ""
	}
	if text == "" && s.Optional {
		return "", nil
	}
	if err := CheckDelimited(s.Variable, text, delimiter); err != nil {
		return "", err
	}
	switch {
	case s.Bucket > 0:
		return s.bucketOf(text)
	case s.Case != AsIs:
		return s.Case.Of(text), nil
	}
	text, ok := s.as.Text(text)
	switch {
	case !ok && s.as == Number:
		return "", InputErrorf(s.Variable, "%s must be a number", s.Variable)
	case !ok || s.fixed > 0 && !s.isWhole(text):
		return "", InputErrorf(s.Variable, "%s must be a time", s.Variable)
	}
	if s.number {
		return s.numberText(text)
	}
	if width := s.Width; width > 0 {
		if !isNumber(text) || len(text) > width {
			return "", InputErrorf(s.Variable, "%s must be between %s and %s",
				s.Variable, s.limit("0"), s.limit(strings.Repeat("9", width)))
		}
		return strings.Repeat("0", width-len(text)) + text, nil
	}
	return text, nil
}

// numberText returns the text of a Number. Of the texts that a number can have, only one is allowed.
func (s *Segment) numberText(number string) (string, error) {
	only, ok := decimal(number)
	switch {
	case !ok || only != number:
		return "", InputErrorf(s.Variable, "%s must be a number", s.Variable)
	case s.isInteger() && strings.Contains(number, "."):
		return "", InputErrorf(s.Variable, "%s must be a whole number", s.Variable)
	}
	text, _ := TextOfNumber(number)
	return text, nil
}

// isInteger reports whether the values of the segment, which is a Number, are whole numbers.
func (s *Segment) isInteger() bool { return s.kind != Float && s.as != Number }

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
func (s *Segment) bucketOf(text string) (string, error) {
	if len(text) >= int(s.Bucket) {
		// The text may be from a global ID, so it may be no time.
		if _, err := time.Parse(item.TimeLayout[:s.Bucket], text[:s.Bucket]); err == nil {
			return text[:s.Bucket], nil
		}
	}
	return "", InputErrorf(s.Variable, "%s must be a time", s.Variable)
}

// NamedError adds the name of the variable to an error about its value, if the error has none.
func NamedError(variable string, err error) error {
	var in *InputError
	if errors.As(err, &in) && in.Argument == "" {
		return InputErrorf(variable, "%s: %s", variable, in.Message)
	}
	return err
}

// CheckText returns an InputError if a value of a variable is not allowed in a key: it contains the
// default delimiter, or DynamoDB cannot store it.
func CheckText(variable, text string) error { return CheckDelimited(variable, text, Delimiter) }

// CheckDelimited is CheckText for a key with another delimiter, or with "" for one that has none after the value.
func CheckDelimited(variable, text, delimiter string) error {
	if text == "" {
		return InputErrorf(variable, "%s must not be empty", variable)
	}
	if len(text) > MaxPKBytes {
		return InputErrorf(variable, "%s is too long: a key holds at most %d bytes", variable, MaxPKBytes)
	}
	if !utf8.ValidString(text) {
		return InputErrorf(variable, "%s must be valid UTF-8", variable)
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
		return InputErrorf(variable, "%s must not contain a control character", variable)
	}
	if delimiter == "" {
		delimiter = Delimiter
	}
	end := ""
	if len(delimiter) > 1 {
		end = " or end with a part of it,"
	}
	return InputErrorf(variable, "%s must not contain '%s'%s or a control character", variable, delimiter, end)
}
