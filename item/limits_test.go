package item_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/item"
)

func number(text string) item.Value { return item.Value{Kind: item.Number, Text: text} }

func nested(depth int) item.Value {
	v := item.StringValue("x")
	for i := range depth {
		if i%2 == 0 {
			v = item.ListValue([]item.Value{v})
		} else {
			v = item.MapValue(item.Item{{Name: "a", Value: v}})
		}
	}
	return v
}

func TestCheck(t *testing.T) {
	const (
		none   = "must be a number"
		digits = "must have at most 38 significant digits"
		limits = "must be 0 or from 1E-130 to 9.9E+125, positive or negative"
		deep   = "must not be nested deeper than 32 levels"
	)
	nines := strings.Repeat("9", 38)
	for _, tt := range []struct {
		name  string
		value item.Value
		want  string
	}{
		{"an int", item.NumberValue(math.MinInt64), ""},
		{"a BigInt of 38 digits", number(nines), ""},
		{"one of 39", number(nines + "9"), digits},
		{"zeros around 38 digits", number("-00" + nines[:20] + "." + nines[20:] + "000"), ""},
		{"39 digits around a point", number("0." + nines + "9"), digits},
		{"one digit and 120 zeros", number("1" + strings.Repeat("0", 120)), ""},
		{"the largest", number("9.9999999999999999999999999999999999999E+125"), ""},
		{"one larger", number("1E126"), limits},
		{"one larger in digits", number("-1" + strings.Repeat("0", 126)), limits},
		{"the smallest", number("1e-130"), ""},
		{"one smaller", number("-1E-131"), limits},
		{"one smaller in digits", number("0." + strings.Repeat("0", 130) + "1"), limits},
		{"an exponent beyond int", number("1E99999999999999999999"), limits},
		{"one below", number("1E-99999999999999999999"), limits},
		{"zero in another form", number("-0.000E+999"), ""},
		{"the largest Float", item.FloatValue(math.MaxFloat64), limits},
		{"the smallest Float", item.FloatValue(math.SmallestNonzeroFloat64), limits},
		{"a Float", item.FloatValue(-0.1), ""},
		{"NaN", item.FloatValue(math.NaN()), none},
		{"Inf", item.FloatValue(math.Inf(1)), none},
		{"-Inf", item.FloatValue(math.Inf(-1)), none},
		{"nothing", number(""), none},
		{"a sign", number("-"), none},
		{"two signs", number("--1"), none},
		{"two points", number("1.2.3"), none},
		{"no exponent", number("1E"), none},
		{"a word for an exponent", number("1Ex"), none},
		{"hexadecimal", number("0x10"), none},
		{"underscores", number("1_000"), none},
		{
			"a number in a list in a map",
			item.MapValue(item.Item{{Name: "l", Value: item.ListValue([]item.Value{number("NaN")})}}), none,
		},
		{"32 levels", nested(32), ""},
		{"33 levels", nested(33), deep},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := item.Item{{Name: "ok", Value: item.StringValue("x")}, {Name: "v", Value: tt.value}}.Check()
			var wrong *item.ValueError
			got := ""
			if errors.As(err, &wrong) {
				got = wrong.Problem
			}
			if got != tt.want || got != "" && wrong.Attribute != "v" {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
