package keys

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/partita/partita/item"
)

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
	if !isPlain(text) {
		if !utf8.ValidString(text) {
			return InputErrorf(variable, "%s must be valid UTF-8", variable)
		}
		for _, r := range text {
			// EndOf requires that the last code point, a noncharacter, is above all keys.
			if r == unicode.MaxRune || unicode.IsControl(r) {
				return forbidden(variable, delimiter)
			}
		}
	}
	if delimiter != "" && (strings.Contains(text, delimiter) || movesDelimiter(text, delimiter)) {
		return forbidden(variable, delimiter)
	}
	return nil
}

// isPlain reports whether a text consists of visible ASCII characters and spaces.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// movesDelimiter reports whether the end of a text and the delimiter behind it contain the delimiter earlier: with the
// delimiter "::", a value that ends with ':' would be divided elsewhere.
func movesDelimiter(text, delimiter string) bool {
	for n := 1; n < len(delimiter); n++ {
		if strings.HasSuffix(text, delimiter[:n]) && strings.HasPrefix(delimiter, delimiter[n:]) {
			return true
		}
	}
	return false
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
	text := s.names.stored(v.text)
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
		text = s.Case.Of(text)
		return text, CheckDelimited(s.Variable, text, delimiter) // Other characters may be the delimiter then, or none.
	}
	text, ok := s.as.Text(text)
	switch {
	case !ok && s.as == Number:
		return "", InputErrorf(s.Variable, "%s must be a number", s.Variable)
	case !ok || s.fixed > 0 && !s.isWhole(text):
		return "", InputErrorf(s.Variable, "%s must be a time", s.Variable)
	}
	switch {
	case s.number:
		return s.numberText(text)
	case s.places != "":
		return s.placeText(text)
	}
	if width := s.Width; width > 0 {
		if !isNumber(text) || len(text) > width {
			return "", InputErrorf(s.Variable, "%s must be between %s and %s",
				s.Variable, s.limit("0"), s.limit(strings.Repeat("9", width)))
		}
		return s.padded(text), nil
	}
	return text, nil
}

// FormatPrefix is Format of what the texts of a range begin with.
func (s *Segment) FormatPrefix(v Value, delimiter string) (string, error) {
	if v.text == "" {
		return "", InputErrorf(s.Variable, "%s.prefix must not be empty", s.Variable)
	}
	text, err := s.Format(v, delimiter)
	if err == nil && !strings.HasPrefix(s.Case.Of(v.text+"a"), s.Case.Of(v.text)) {
		// The case of "Σ" depends on what follows it.
		return "", InputErrorf(s.Variable,
			"%s.prefix must not end with a letter that is another one within a word", s.Variable)
	}
	return text, err
}

// padded returns digits with zeros before them.
func (s *Segment) padded(digits string) string {
	return strings.Repeat("0", max(0, s.Width-len(digits))) + digits
}

// placeText returns the place of a value of an enum.
func (s *Segment) placeText(name string) (string, error) {
	place := s.places.of(name)
	if place == 0 {
		names := s.places.Names()
		for i := range names {
			names[i] = s.names.own(names[i])
		}
		return "", InputErrorf(s.Variable, "%s must be %s", s.Variable, strings.Join(names, " or "))
	}
	return s.padded(strconv.Itoa(place)), nil
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

// IsBetween reports whether no value of the segment is between the inclusive ends of a range, although the lower one is
// not above the other.
func (s *Segment) IsBetween(lower, upper Value) bool {
	if !lower.set || !upper.set {
		return false
	}
	from := lower.text
	if lower.below != "" {
		from = lower.below
	}
	return (lower.below != "" || s.as.isTime()) && from <= upper.text
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
	if s.places != "" {
		place, _ := strconv.Atoi(part)
		if part = s.places.name(place); part == "" {
			return "", false
		}
	}
	return s.as.canonical(s.names.own(part))
}

// cut returns what follows the segment with the values of the item in a text, and reports whether the text begins
// with that.
func (s *Segment) cut(text string, it item.Item) (rest string, ok bool) {
	text, ok = strings.CutPrefix(text, s.Literal)
	if !ok || s.Variable == "" {
		return text, ok
	}
	v, _ := it.Get(s.Variable)
	if v.Kind != item.String && v.Kind != item.Number && v.Kind != item.Bool || v.Text == "" {
		return text, s.Optional
	}
	value := s.names.stored(v.Text)
	switch {
	case s.places != "":
		if value, err := s.placeText(value); err == nil {
			return strings.CutPrefix(text, value)
		}
		return "", false
	case s.Case != AsIs:
		return strings.CutPrefix(text, s.Case.Of(value))
	case s.Bucket > 0:
		if v.Kind != item.String || len(value) < int(s.Bucket) {
			return "", false
		}
		value = value[:s.Bucket]
	case s.number:
		number := textOf(s.as.ToStored(v))
		rest, ok = strings.CutPrefix(text, number)
		return rest, ok && number != ""
	case s.as != Plain:
		if value, ok = s.as.Text(value); !ok {
			return "", false
		}
		if s.Width > 0 {
			return s.cutNumber(text, item.Value{Kind: item.Number, Text: value})
		}
	case v.Kind == item.Number:
		return s.cutNumber(text, v)
	}
	return strings.CutPrefix(text, value)
}

// cutNumber is cut for a Number, which DynamoDB may have sent with an exponent.
func (s *Segment) cutNumber(text string, v item.Value) (rest string, ok bool) {
	if s.Width == 0 {
		if rest, ok = strings.CutPrefix(text, v.Text); ok {
			return rest, true
		}
	}
	rest = strings.TrimLeft(strings.TrimPrefix(text, "-"), "0123456789")
	n := len(text) - len(rest)
	digits := text[:n]
	if width := s.Width; width > 0 {
		if n != width {
			return "", false
		}
		if digits = strings.TrimLeft(digits, "0"); digits == "" {
			digits = "0"
		}
	}
	if v.Text == digits {
		return rest, true
	}
	whole, err := item.AsInt64(v)
	return rest, err == nil && strconv.FormatInt(whole, 10) == digits
}

// Holds reports whether the text of the segment's value in a key is that of the item.
func (s *Segment) Holds(text string, it item.Item) bool {
	rest, ok := s.cut(s.Literal+text, it)
	return ok && rest == ""
}
