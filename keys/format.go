package keys

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/item"
)

// Format is how a value is stored, in its attribute and in keys.
type Format uint8

// The formats of @stored(as:). Plain is the format of a field without one: a Time in item.TimeLayout, a Date
// as yyyy-mm-dd, an integer as a Number.
const (
	Plain Format = iota
	// EpochSeconds and EpochMillis are the time since 1970-01-01 as a Number; in keys its digits.
	EpochSeconds
	EpochMillis
	// Seconds is a time without a fraction, such as 2024-01-15T10:30:00Z.
	Seconds
	// DayOnly is a time cut to its day, such as 2024-01-15.
	DayOnly
	// NumberText is an integer as a String.
	NumberText
)

// formatNames are the values of the enum StoredFormat.
var formatNames = [...]string{
	Plain: "", EpochSeconds: "EPOCH_SECONDS", EpochMillis: "EPOCH_MILLIS", Seconds: "SECONDS", DayOnly: "DATE",
	NumberText: "NUMBER_TEXT",
}

// String returns the value of the enum StoredFormat, "" for Plain.
func (f Format) String() string { return formatNames[f] }

// GoString returns the format as a Go expression.
func (f Format) GoString() string {
	return "keys." + [...]string{"Plain", "EpochSeconds", "EpochMillis", "Seconds", "DayOnly", "NumberText"}[f]
}

// FormatOf returns the format with that name in the enum StoredFormat, Plain for any other name.
func FormatOf(name string) Format { return Format(max(0, slices.Index(formatNames[:], name))) }

// secondsLayout is the layout of Seconds.
const secondsLayout = "2006-01-02T15:04:05Z"

// isTime reports whether the format is one of a Time.
func (f Format) isTime() bool { return f != Plain && f != NumberText }

// IsNumber reports whether an attribute in the format is a Number.
func (f Format) IsNumber() bool { return f == EpochSeconds || f == EpochMillis }

// unit is the precision of a time in the format.
func (f Format) unit() time.Duration {
	switch f {
	case EpochSeconds, Seconds:
		return time.Second
	case DayOnly:
		return 24 * time.Hour
	default:
		return time.Millisecond
	}
}

// Digits is how many digits a Number of the format has today, 0 if it is no Number: padded to as many, its text order
// is that of the times from 1970 to 2286.
func (f Format) Digits() int {
	switch f {
	case EpochSeconds:
		return 10
	case EpochMillis:
		return 13
	default:
		return 0
	}
}

// text returns a canonical text in the format; ok is false for a text that is no time.
func (f Format) text(canonical string) (text string, ok bool) {
	if !f.isTime() {
		return canonical, true
	}
	at, err := parseCanonical(canonical)
	switch {
	case err != nil:
		return "", false
	case f == EpochSeconds:
		return strconv.FormatInt(at.Unix(), 10), true
	case f == EpochMillis:
		return strconv.FormatInt(at.UnixMilli(), 10), true
	case f == Seconds:
		return at.Format(secondsLayout), true
	default:
		return at.Format(time.DateOnly), true
	}
}

// canonical returns the canonical text of a text in the format; ok is false for a text in another format.
func (f Format) canonical(text string) (canonical string, ok bool) {
	switch f {
	case Plain:
		return text, true
	case NumberText:
		n, err := strconv.ParseInt(text, 10, 64)
		return strconv.FormatInt(n, 10), err == nil
	}
	at, err := f.parse(text)
	if err != nil || at.Year() < 0 || at.Year() > 9999 {
		return "", false
	}
	return at.UTC().Format(item.TimeLayout), true
}

func (f Format) parse(text string) (time.Time, error) {
	switch f {
	case Seconds:
		// time.Parse accepts a fraction that the layout does not have.
		if len(text) != len(secondsLayout) {
			return time.Time{}, errors.New("keys: not a time in whole seconds")
		}
		return time.Parse(secondsLayout, text)
	case DayOnly:
		return time.Parse(time.DateOnly, text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if f == EpochMillis {
		return time.UnixMilli(n), err
	}
	return time.Unix(n, 0), err
}

// parseCanonical reads a canonical time, or a date.
func parseCanonical(text string) (time.Time, error) {
	if len(text) == len(time.DateOnly) {
		return time.Parse(time.DateOnly, text)
	}
	return time.Parse(item.TimeLayout, text)
}

// atLeast returns the earliest value of the format that is not before the lower end of a range.
func (f Format) atLeast(from Value) Value {
	if !f.isTime() || f.unit() == time.Millisecond {
		return from
	}
	at, err := parseCanonical(from.text)
	if err != nil {
		return from
	}
	if cut := at.Truncate(f.unit()); cut.Before(at) {
		from = TimeValue(cut.Add(f.unit()))
	}
	return from
}

// fromStored returns the canonical value of an attribute. A text that is not in the format is returned with foreignMark
// before it, so that it is found to be damaged: it may be a time in the default format.
func (f Format) fromStored(kind Kind, v item.Value) item.Value {
	if f == Plain || v.Kind != item.String && v.Kind != item.Number {
		return v
	}
	if f.IsNumber() != (v.Kind == item.Number) {
		return marked(v)
	}
	text := v.Text
	if f.IsNumber() {
		// DynamoDB may have written it with an exponent.
		n, err := item.AsInt64(v)
		if err != nil {
			return v
		}
		text = strconv.FormatInt(n, 10)
	}
	canonical, ok := f.canonical(text)
	switch {
	case !ok:
		return marked(v)
	case f == NumberText:
		return item.Value{Kind: item.Number, Text: canonical}
	case kind == Date:
		return item.StringValue(canonical[:len(time.DateOnly)])
	default:
		return item.StringValue(canonical)
	}
}

// Rounded returns a canonical value of the attribute as it is read once it has been stored: the format may be less
// precise.
func (a Attribute) Rounded(v item.Value) item.Value { return a.As.fromStored(a.Kind, a.As.toStored(v)) }

// marked returns a String with foreignMark before it.
func marked(v item.Value) item.Value {
	if v.Kind == item.String {
		v.Text = foreignMark + v.Text
	}
	return v
}

// toStored returns a canonical value as it is stored.
func (f Format) toStored(v item.Value) item.Value {
	if f == Plain || v.Kind != item.String && v.Kind != item.Number {
		return v
	}
	if text, isMarked := strings.CutPrefix(v.Text, foreignMark); isMarked {
		return item.StringValue(text)
	}
	text, ok := f.text(v.Text)
	switch {
	case !ok:
		return v
	case f.IsNumber():
		return item.Value{Kind: item.Number, Text: text}
	default:
		return item.StringValue(text)
	}
}
