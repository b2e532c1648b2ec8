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
	// SecondsNoZone is a time in UTC without a fraction and without its zone, such as 2024-01-15T10:30:00.
	SecondsNoZone
	// EpochSecondsText is EpochSeconds as a String.
	EpochSecondsText
	// Set is a list as a set of Strings or Numbers. A list without elements has no attribute.
	Set
	// Number is a text that is a decimal number, as a Number.
	Number
)

// formatNames are the values of the enum StoredFormat.
var formatNames = [...]string{
	Plain: "", EpochSeconds: "EPOCH_SECONDS", EpochMillis: "EPOCH_MILLIS", Seconds: "SECONDS", DayOnly: "DATE",
	NumberText: "NUMBER_TEXT", SecondsNoZone: "SECONDS_NO_ZONE", EpochSecondsText: "EPOCH_SECONDS_TEXT",
	Set: "SET", Number: "NUMBER",
}

// String returns the value of the enum StoredFormat, "" for Plain.
func (f Format) String() string { return formatNames[f] }

// GoString returns the format as a Go expression.
func (f Format) GoString() string {
	return "keys." + [...]string{
		"Plain", "EpochSeconds", "EpochMillis", "Seconds", "DayOnly", "NumberText", "SecondsNoZone", "EpochSecondsText",
		"Set", "Number",
	}[f]
}

// FormatOf returns the format with that name in the enum StoredFormat, Plain for any other name.
func FormatOf(name string) Format { return Format(max(0, slices.Index(formatNames[:], name))) }

// Layout returns the layout of a time in the format, as package time has it, "" for a Number and for a text of digits.
func (f Format) Layout() string {
	switch f {
	case Seconds:
		return "2006-01-02T15:04:05Z"
	case SecondsNoZone:
		return "2006-01-02T15:04:05"
	case DayOnly:
		return time.DateOnly
	default:
		return ""
	}
}

// KeyLayout returns the layout of a value of the kind in a key, where a time may be cut to a bucket. It is "" for a
// value of variable width.
func (f Format) KeyLayout(kind Kind, bucket Bucket) string {
	switch {
	case kind == Time && bucket > 0:
		return item.TimeLayout[:bucket]
	case f.Layout() != "":
		return f.Layout()
	case kind == Date && f == Plain:
		return time.DateOnly
	case kind == Time && f == Plain:
		return item.TimeLayout
	default:
		return ""
	}
}

// isTime reports whether the format is one of a Time.
func (f Format) isTime() bool { return f != Plain && f != NumberText && f != Set && f != Number }

// IsNumber reports whether an attribute in the format is a Number.
func (f Format) IsNumber() bool { return f == EpochSeconds || f == EpochMillis || f == Number }

// unit is the precision of a time in the format.
func (f Format) unit() time.Duration {
	switch f {
	case EpochSeconds, EpochSecondsText, Seconds, SecondsNoZone:
		return time.Second
	case DayOnly:
		return 24 * time.Hour
	default:
		return time.Millisecond
	}
}

// Digits is how many digits a time of the format has today, 0 if it does not consist of digits: padded to as many, its
// text order is that of the times from 1970 to 2286.
func (f Format) Digits() int {
	switch f {
	case EpochSeconds, EpochSecondsText:
		return 10
	case EpochMillis:
		return 13
	default:
		return 0
	}
}

// Text returns a canonical text in the format; ok is false for a text that is no time, or no number: of the texts of a
// number, only the shortest without an exponent is one.
func (f Format) Text(canonical string) (text string, ok bool) {
	if f == Number {
		text, ok = decimal(canonical)
		return text, ok && text == canonical
	}
	if !f.isTime() {
		return canonical, true
	}
	at, err := parseCanonical(canonical)
	switch {
	case err != nil:
		return "", false
	case f == EpochMillis:
		return strconv.FormatInt(at.UnixMilli(), 10), true
	case f.Digits() > 0:
		return strconv.FormatInt(at.Unix(), 10), true
	default:
		return at.Format(f.Layout()), true
	}
}

// canonical returns the canonical text of a text in the format; ok is false for a text in another format.
func (f Format) canonical(text string) (canonical string, ok bool) {
	switch f {
	case Plain:
		return text, true
	case Number:
		return f.Text(text)
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
	if layout := f.Layout(); layout != "" {
		// time.Parse accepts a fraction that the layout does not have.
		if len(text) != len(layout) {
			return time.Time{}, errors.New("keys: not a time in the format")
		}
		return time.Parse(layout, text)
	}
	if !isNumber(strings.TrimPrefix(text, "-")) {
		// Of several texts of one number, a condition would find only that which is written.
		return time.Time{}, errors.New("keys: not a whole number without padding")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if f == EpochMillis {
		return time.UnixMilli(n), err
	}
	return time.Unix(n, 0), err
}

// ParseMoment reads a time or a date, which is its first moment in UTC.
func ParseMoment(text string) (time.Time, error) {
	if len(text) == len(time.DateOnly) {
		return time.Parse(time.DateOnly, text)
	}
	return ParseTime(text)
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

// FromStored returns the canonical value of an attribute. A text that is not in the format is returned with ForeignMark
// before it, so that it is found to be damaged: it may be a time in the default format. ToStored returns what was
// stored, also in another form than that of the format.
func (f Format) FromStored(kind Kind, v item.Value) item.Value {
	if f == Plain || f == Set || v.Kind != item.String && v.Kind != item.Number {
		return v
	}
	if f == Number && v.Kind == item.String { // A String would be read as the value of the field.
		return item.Value{Kind: item.Number, Text: v.Text}.StoredAs(v)
	}
	if f.IsNumber() != (v.Kind == item.Number) {
		return marked(v)
	}
	text := v.Text
	if f == Number {
		return fromNumber(v)
	}
	if f.IsNumber() {
		// DynamoDB may have written it with an exponent.
		n, err := item.AsInt64(v)
		if err != nil {
			return v
		}
		text = strconv.FormatInt(n, 10)
	}
	canonical, ok := f.canonical(text)
	if !ok {
		return marked(v)
	}
	isOther := text != v.Text || f.isInteger() && !isInteger(text)
	out := item.StringValue(canonical)
	switch {
	case f == NumberText:
		out = item.Value{Kind: item.Number, Text: canonical}
	case kind == Date:
		out.Text = canonical[:len(time.DateOnly)]
		isOther = isOther || canonical[len(time.DateOnly):] != midnight
	}
	if isOther {
		return out.StoredAs(v)
	}
	return out
}

// fromNumber returns the canonical value of a Number that is a text in the schema.
func fromNumber(v item.Value) item.Value {
	text, ok := decimal(v.Text)
	switch out := item.StringValue(text); {
	case !ok:
		return v
	case text != v.Text: // DynamoDB may have written it with an exponent.
		return out.StoredAs(v)
	default:
		return out
	}
}

// midnight is the rest of a canonical time after its day.
const midnight = "T00:00:00.000Z"

// isInteger reports whether a text in the format is a whole number.
func (f Format) isInteger() bool { return f == NumberText || f == EpochSecondsText }

// marked returns a value that is not in the format: a String with ForeignMark before it.
func marked(v item.Value) item.Value {
	if v.Kind == item.String {
		v.Text = ForeignMark + v.Text
		return v
	}
	return v.StoredAs(v)
}

// ToStored returns a canonical value as it is stored.
func (f Format) ToStored(v item.Value) item.Value {
	if f == Plain || f == Set || v.Kind != item.String && v.Kind != item.Number {
		return v
	}
	if stored, has := v.Stored(); has {
		return stored
	}
	if text, isMarked := strings.CutPrefix(v.Text, ForeignMark); isMarked {
		return item.StringValue(text)
	}
	text, ok := f.Text(v.Text)
	switch {
	case !ok:
		return v
	case f.IsNumber():
		return item.Value{Kind: item.Number, Text: text}
	default:
		return item.StringValue(text)
	}
}

// ForeignMark begins the name of an attribute that no field declares and whose own name is that of another one, and a
// value that is not in the format of its field.
const ForeignMark = "="
