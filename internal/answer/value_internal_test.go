package answer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/plan"
	_ "github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/scalar"
)

// marshaled returns what gqlgen writes for a value.
func marshaled(m graphql.Marshaler) string {
	var b bytes.Buffer
	m.MarshalGQL(&b)
	return b.String()
}

func anyText(t *rapid.T, name string) string {
	escaped := rapid.SampledFrom([]byte("\t\r\n\\\"<>&\x00\x1f:%"))
	return string(rapid.SliceOf(rapid.OneOf(rapid.Byte(), escaped)).Draw(t, name))
}

// FuzzString: texts are quoted as gqlgen quotes them, also those that are no UTF-8.
func FuzzString(f *testing.F) {
	for _, text := range []string{"", "a", "\"\\\t\r\n", "\x00\x1f\x7f", "<&>", "\u2028", "é", "\xff", "a\xf0\x28b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := string(appendString(nil, text)), marshaled(graphql.MarshalString(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	})
}

func TestStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t, "text")
		if got, want := string(appendString([]byte("x"), text)), "x"+marshaled(graphql.MarshalString(text)); got != want {
			t.Fatalf("%q: %s, want %s", text, got, want)
		}
	})
}

// TestTimes: a stored time is written as package scalar writes it. Go also accepts an hour of one digit, and a comma.
func TestTimes(t *testing.T) {
	check := func(t failer, stored string) {
		parsed, err := item.AsTime(item.StringValue(stored))
		if err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		if got, want := string(appendTime(nil, stored)), marshaled(scalar.MarshalTime(parsed)); got != want {
			t.Fatalf("%s: %s, want %s", stored, got, want)
		}
	}
	for _, stored := range []string{
		"2026-01-31T09:30:00.000Z", "2026-01-31T09:30:00.100Z", "2026-01-31T09:30:00.120Z", "2026-01-31T09:30:00.123Z",
		"2026-01-31T09:30:00.001Z", "2026-01-31T09:30:50.000Z", "2026-01-31T9:30:00.000Z", "2026-01-31T9:30:00.120Z",
		"2026-01-31T09:30:00,120Z", "2026-01-31T9:30:00,000Z", "0001-01-01T00:00:00.000Z",
		"0001-01-01T00:00:00.001Z", "9999-12-31T23:59:59.999Z",
	} {
		check(t, stored)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(-62135596800000, 253402300799999).Draw(t, "milliseconds"))
		check(t, at.UTC().Format(item.TimeLayout))
	})
}

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Fatalf(format string, args ...any)
}

// TestIDs: ids are written as keys.ID writes them.
func TestIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := anyText(t, "raw")
		for _, typ := range []string{"Reader", ""} {
			w := &writer{scratch: []byte("of the previous id")}
			w.id(typ, raw)
			if want := marshaled(keys.NewID(typ, raw)); string(w.out) != want {
				t.Fatalf("%s %q: %s, want %s", typ, raw, w.out, want)
			}
		}
		second, number := anyText(t, "second"), rapid.Int64().Draw(t, "number")
		it := item.Item{
			{Name: "number", Value: item.IntValue(number)},
			{Name: "b", Value: item.StringValue(second)}, {Name: "a", Value: item.StringValue(raw)},
		}
		w := &writer{}
		w.identity(&design.Type{Name: "Reminder", Identity: []string{"a", "b", "number"}}, it)
		want := marshaled(keys.NewID("Reminder", raw, second, fmt.Sprint(number)))
		if string(w.out) != want {
			t.Fatalf("%q %q %d: %s, want %s", raw, second, number, w.out, want)
		}
	})
}

// TestInts: a Number is written as gqlgen writes the int that it is.
func TestInts(t *testing.T) {
	check := func(t failer, text string) {
		v := item.Value{Kind: item.Number, Text: text}
		n, err := item.AsInt(v)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, want := string(appendInt(nil, &v)), marshaled(graphql.MarshalInt(n)); got != want {
			t.Fatalf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"0", "-0", "7", "-7", "007", "7.0", "-7.000", "1E+3", "1e3", "12.5E1", "+5", "2147483647", "-2147483648",
	} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, fmt.Sprint(rapid.Int32().Draw(t, "n"))) })
}

// TestFloats: a Number is written as gqlgen writes the float64 that it is.
func TestFloats(t *testing.T) {
	check := func(t failer, text string) {
		v := item.Value{Kind: item.Number, Text: text}
		n, err := item.AsFloat(v)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		w := &writer{}
		w.value(nil, &plan.Format{Float: true}, &v)
		if want := marshaled(graphql.MarshalFloat(n)); string(w.out) != want {
			t.Fatalf("%s: %s, want %s", text, w.out, want)
		}
	}
	for _, text := range []string{
		"0", "-0", "1", "21", "1.50", "100000", "1000000", "1e20", "1e21", "1E-5", "0.0001", "0.00001", "123456789.5",
		"12345678901234567890123456789012345678", "1" + strings.Repeat("0", 125),
	} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, fmt.Sprint(rapid.Float64().Draw(t, "n"))) })
}

// TestNumbersOfAnything: a Number of any scalar keeps its digits, and is always JSON.
func TestNumbersOfAnything(t *testing.T) {
	for text, want := range map[string]string{
		"7": "7", "-7.50": "-7.50", "1E+3": "1E+3", "007": "7", "+5": "5", ".5": "0.5",
		"12345678901234567890123456789012345678": "12345678901234567890123456789012345678",
	} {
		if got := string(appendNumber(nil, text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
