package item_test

import (
	"testing"

	"github.com/partita/partita/item"
)

func TestEqual(t *testing.T) {
	one := item.MapValue(item.Item{{Name: "a", Value: item.NumberValue(1)}, {Name: "b", Value: item.StringValue("x")}})
	other := item.MapValue(item.Item{{Name: "b", Value: item.StringValue("x")}, {Name: "a", Value: item.NumberValue(1)}})
	for _, tt := range []struct {
		name string
		v, w item.Value
		want bool
	}{
		{"the order of a map", one, other, true},
		{"another value in a map", one, item.MapValue(item.Item{{Name: "a", Value: item.NumberValue(2)}, {Name: "b", Value: item.StringValue("x")}}), false},
		{"another name in a map", one, item.MapValue(item.Item{{Name: "a", Value: item.NumberValue(1)}, {Name: "c", Value: item.StringValue("x")}}), false},
		{"a smaller map", one, item.MapValue(item.Item{{Name: "a", Value: item.NumberValue(1)}}), false},
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
