package item_test

import (
	"testing"

	"github.com/partita/partita/item"
)

func TestDifference(t *testing.T) {
	number := func(digits string) item.Value { return item.Value{Kind: item.Number, Text: digits} }
	text := item.StringValue("seven")
	for _, c := range []struct{ of, less, want item.Value }{
		{number("7"), number("3"), number("4")},
		{number("3"), number("7"), number("-4")},
		{number("-3"), number("-7"), number("4")},
		{number("7"), number("0"), number("7")},
		{number("0.3"), number("0.1"), number("0.2")},
		{number("1.5"), number("0.5"), number("1")},
		{number("1E2"), number("1"), number("99")},
		{number("1E-3"), number("1"), number("-0.999")},
		{number("9223372036854775807"), number("-1"), number("9223372036854775808")},
		{number("-9223372036854775808"), number("1"), number("-9223372036854775809")},
		{number("-9223372036854775808"), number("-9223372036854775808"), number("0")},
		{number("0"), number("-9223372036854775808"), number("9223372036854775808")},
		{number("99999999999999999999999999999999999999"), number("1"), number("99999999999999999999999999999999999998")},
		{item.Value{}, number("1"), item.Value{}},
		{number("1"), item.Value{}, item.Value{}},
		{text, item.Value{}, item.Value{}},
		{text, number("1"), text},
		{number("1"), text, text},
	} {
		if got := item.Difference(c.of, c.less); !got.Equal(c.want) || got.Text != c.want.Text {
			t.Errorf("%v - %v = %v, want %v", c.of, c.less, got, c.want)
		}
	}
}

func TestWithDifference(t *testing.T) {
	it := make(item.Item, 0, 4)
	it = append(it, item.Attribute{Name: "a", Value: item.IntValue(5)}, item.Attribute{Name: "b", Value: item.IntValue(2)})
	first, second := it.WithDifference("d", "a", "b"), it.WithDifference("d", "b", "a")
	if first.Text("d") != "3" || second.Text("d") != "-3" || len(it) != 2 {
		t.Errorf("the differences are %s and %s; the item has %d attributes", first.Text("d"), second.Text("d"), len(it))
	}
	if _, has := it.WithDifference("d", "a", "c").Get("d"); has {
		t.Error("a difference of a missing attribute is not missing")
	}
}
