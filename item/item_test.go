package item_test

import (
	"testing"

	"github.com/partita/partita/item"
)

func TestEqual(t *testing.T) {
	a := item.Attribute{Name: "a", Value: item.NumberValue(1)}
	two := item.Attribute{Name: "a", Value: item.NumberValue(2)}
	b := item.Attribute{Name: "b", Value: item.StringValue("x")}
	c := item.Attribute{Name: "c", Value: item.StringValue("x")}
	one, other := item.MapValue(item.Item{a, b}), item.MapValue(item.Item{b, a})
	for _, tt := range []struct {
		name string
		v, w item.Value
		want bool
	}{
		{"the order of a map", one, other, true},
		{"another value in a map", one, item.MapValue(item.Item{two, b}), false},
		{"another name in a map", one, item.MapValue(item.Item{a, c}), false},
		{"a smaller map", one, item.MapValue(item.Item{a}), false},
		{"a number and its text", item.NumberValue(1), item.StringValue("1"), false},
		{"lists", item.ListValue([]item.Value{one}), item.ListValue([]item.Value{other}), true},
		{"the order of a list", item.ListValue([]item.Value{one, {}}), item.ListValue([]item.Value{{}, one}), false},
		{"NULL", item.Value{}, item.Value{}, true},
	} {
		if got := tt.v.Equal(tt.w); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
