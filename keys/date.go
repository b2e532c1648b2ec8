package keys

import (
	"encoding/json"
	"io"
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
