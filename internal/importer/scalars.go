package importer

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// scalar is the type of a value and how it is stored.
type scalar struct {
	// typ is the GraphQL type, such as String or Time.
	typ    string
	format keys.Format
}

// timeName matches the name of an attribute that can be a time as a number.
var timeName = regexp.MustCompile(`(?i:time|timestamp|date|epoch|expiry|expires|until|since|created|updated|joined)$` +
	`|(?i:^|_)(?i:at|on|ts|ms|ttl|seen|due)$|[a-z](At|On|Ts|Ms)$`)

func textsOf(values []item.Value) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.Text
	}
	return texts
}

// layouts are the formats of times as texts.
var layouts = []struct {
	layout string
	scalar
}{
	{item.TimeLayout, scalar{typ: "Time"}},
	{keys.Seconds.Layout(), scalar{typ: "Time", format: keys.Seconds}},
	{keys.SecondsNoZone.Layout(), scalar{typ: "Time", format: keys.SecondsNoZone}},
	{time.DateOnly, scalar{typ: "Date"}},
}

// scalarOf returns the type of the texts in a key: a time if all are one in the same format, an Int if they are padded
// with zeros, or else a String.
func scalarOf(texts []string) scalar {
	for _, l := range layouts {
		if every(texts, func(text string) bool {
			at, err := time.Parse(l.layout, text)
			return err == nil && at.Format(l.layout) == text
		}) {
			return l.scalar
		}
	}
	if !every(texts, isDigits) || !every(texts, func(text string) bool { return len(text) == len(texts[0]) }) {
		return scalar{typ: "String"}
	}
	for _, format := range [...]keys.Format{keys.EpochSeconds, keys.EpochMillis} {
		if len(texts[0]) == format.Digits() && every(texts, func(text string) bool {
			n, err := strconv.ParseInt(text[:10], 10, 64)
			return err == nil && isEpoch(n)
		}) {
			return scalar{"Time", format}
		}
	}
	isPadded := func(text string) bool { return text[0] == '0' && len(text) > 1 }
	if len(texts[0]) <= 9 && slices.ContainsFunc(texts, isPadded) {
		return scalar{typ: "Int"}
	}
	return scalar{typ: "String"}
}

// isEpoch reports whether a number can be a time in seconds since 1970, from 2000 to 2100.
func isEpoch(n int64) bool { return n >= 946684800 && n < 4102444800 }

// maxDigits is how many significant digits a Float keeps.
const maxDigits = 17

// isLong reports whether a number has more digits than Int64 and Float keep.
func isLong(number string) bool {
	if _, err := strconv.ParseInt(number, 10, 64); err == nil {
		return false
	}
	digits, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(number, "+-")), "e")
	if whole, fraction, ok := strings.Cut(digits, "."); ok {
		digits = whole + strings.TrimRight(fraction, "0")
	} else {
		digits = strings.TrimRight(digits, "0")
	}
	return len(strings.TrimLeft(digits, "0")) > maxDigits
}

// numberOf returns Int for integers of 32 bits, Int64 for those of 64 bits, or else Float.
func numberOf(texts []string) scalar {
	typ := "Int"
	for _, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return scalar{typ: "Float"}
		}
		if n > math.MaxInt32 || n < math.MinInt32 {
			typ = "Int64"
		}
	}
	return scalar{typ: typ}
}

var buckets = [...]keys.Bucket{keys.Month, keys.Day, keys.Hour, keys.Year}

// cut returns the bucket of a time, "" if the value is none.
func cut(v item.Value, b keys.Bucket) string {
	for _, text := range [...]string{time.RFC3339, keys.SecondsNoZone.Layout()} {
		if at, err := time.Parse(text, v.Text); err == nil && v.Kind == item.String {
			return b.Label(at.UTC())
		}
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	switch {
	case err == nil && isEpoch(n):
		return b.Label(time.Unix(n, 0).UTC())
	case err == nil && isEpoch(n/1000):
		return b.Label(time.UnixMilli(n).UTC())
	}
	return ""
}

// timeNote returns a comment for texts that are times in several formats.
func timeNote(texts []string) string {
	for _, text := range texts {
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			return ""
		}
	}
	return "Times in a format that Time does not have, or in several: their text order may not be their order."
}
