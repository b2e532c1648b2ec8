package keys

import (
	"encoding/json"
	"io"
	"strconv"
	"time"
)

// CalendarDate is the GraphQL scalar Date: a day of the proleptic Gregorian
// calendar as yyyy-mm-dd (RFC 3339 full-date), so that text order is day order.
type CalendarDate string

// MarshalGQL writes the date as a JSON string. A stored date may be any text.
func (d CalendarDate) MarshalGQL(w io.Writer) {
	text, _ := json.Marshal(string(d)) // of a string cannot fail
	_, _ = w.Write(text)
}

// UnmarshalGQL reads a date. The error is an InputError for anything but an existing day in
// yyyy-mm-dd.
func (d *CalendarDate) UnmarshalGQL(v any) error {
	s, ok := v.(string)
	if ok {
		_, err := time.Parse(time.DateOnly, s)
		ok = err == nil
	}
	if !ok {
		return InputErrorf("", "a date must be an existing day written as yyyy-mm-dd, such as 2026-01-31")
	}
	*d = CalendarDate(s)
	return nil
}

// DateOf returns the UTC day of t.
func DateOf(t time.Time) CalendarDate { return CalendarDate(t.UTC().Format(time.DateOnly)) }

// ParseInt64 reads a value of the GraphQL scalar Int64: a whole number of 64 bits, as a JSON number or as a text of
// digits. The error is an InputError for anything else, such as a number with a fraction or an exponent.
//
// https://protobuf.dev/programming-guides/json/ has the same representation of 64-bit integers.
func ParseInt64(v any) (int64, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case int:
		return int64(v), nil
	case json.Number:
		return parseInt64(v.String())
	case string:
		return parseInt64(v)
	default:
		return parseInt64("")
	}
}

func parseInt64(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, InputErrorf("", "an Int64 must be a whole number of 64 bits, such as \"9007199254740993\" or 42")
	}
	return n, nil
}
