package predicate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/predicate"
)

var seat = item.Item{
	{Name: "status", Value: item.StringValue("HELD")},
	{Name: "heldBy", Value: item.StringValue("7")},
	{Name: "heldUntil", Value: item.StringValue("2026-08-01T10:00:00.000Z")},
	{Name: "price", Value: item.Value{Kind: item.Number, Text: "900"}},
	{Name: "isOpen", Value: item.BoolValue(true)},
}

var now = time.Date(2026, 8, 1, 9, 55, 0, 0, time.UTC)

func value(o predicate.Operand) item.Value {
	switch o.Text {
	case predicate.Viewer:
		return item.StringValue("7")
	case predicate.Now:
		return item.TimeValue(o.Time(now))
	default:
		v, _ := seat.Get(o.Text)
		return v
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`status = HELD`:                          true,
		`status != HELD`:                         false,
		`status in [FREE, HELD]`:                 true,
		`status in [FREE]`:                       false,
		`status = "HELD"`:                        true,
		`heldBy = {viewer} and heldUntil>{now}`:  true,
		`heldUntil > {now+PT10M}`:                false,
		`heldUntil > {now-P1D}`:                  true,
		`price < 1000`:                           true, // numbers are not compared as texts
		`price >= 900.0 and price <= 900`:        true,
		`price > -1`:                             true,
		`price = 900.00`:                         true,
		`price = {price}`:                        true,
		`price < "zzz"`:                          false, // no order of different types
		`isOpen = true`:                          true,
		`isOpen < true`:                          false,
		`soldTo = null`:                          true,
		`status = null`:                          false,
		`status != null`:                         true,
		`soldTo = SOMEBODY`:                      false,
		`soldTo != SOMEBODY`:                     true,
		`soldTo in [SOMEBODY, null]`:             true,
		`soldTo < 5`:                             false,
		`soldTo = {soldTo}`:                      true,
		`status = HELD and heldBy = "8"`:         false,
		`status in [ FREE,HELD ] and price!=901`: true,
	} {
		p, err := predicate.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := p.Holds(seat, value); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                         "it ends where a field is expected",
		`status`:                   "it ends where one of = != < <= > >= in is expected",
		`status HELD`:              "HELD where one of = != < <= > >= in is expected",
		`status = `:                "it ends where a value is expected",
		`status = HELD or x = 1`:   `or where "and" is expected`,
		`status in HELD`:           "HELD where [ is expected",
		`status in [HELD`:          "it ends where , or ] is expected",
		`status = {}`:              "} where the name of a variable is expected",
		`status = {viewer`:         "it ends where } is expected",
		`heldUntil > {now+10}`:     "10 where an ISO 8601 duration such as PT10M is expected",
		`heldUntil > {viewer+P1D}`: "+ where } is expected",
		`heldUntil < null`:         "null is compared by = and != alone",
		`name = "a`:                `"a where a value is expected`,
		`price = -x`:               "x where a value is expected",
	} {
		if _, err := predicate.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	p := predicate.MustParse("a = {x} and b in [{y}, {x}] and a != Z and c > {now-PT1H}")
	if got := p.Fields(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Error(got)
	}
	if got := p.Variables(); !slices.Equal(got, []string{"x", "y", "now"}) {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"a = B", `a in [1, -2.5, "c"] and b != {now+P1DT2H}`, "a = {", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := predicate.Parse(text)
		if err == nil && (len(p.Comparisons) == 0 || strings.TrimSpace(text) == "") {
			t.Errorf("%q has no comparison", text)
		}
	})
}
