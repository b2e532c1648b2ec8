package condition

import (
	"testing"

	"github.com/partita/partita/item"
)

// TestCanBeSet: DynamoDB rejects a request with a set that is empty, or has equal elements or several types. The local
// engine does not.
func TestCanBeSet(t *testing.T) {
	text, number := item.StringValue, item.NumberValue
	list := func(elements ...item.Value) item.Value { return item.ListValue(elements) }
	for name, c := range map[string]struct {
		v  item.Value
		is bool
	}{
		"texts":          {list(text("a"), text("b")), true},
		"numbers":        {list(number(1), number(2)), true},
		"no elements":    {list(), false},
		"equal elements": {list(text("a"), text("b"), text("a")), false},
		"several types":  {list(text("1"), number(1)), false},
		"Booleans":       {list(item.BoolValue(true)), false},
		"lists":          {list(list(text("a"))), false},
		"a set":          {item.SetValue([]item.Value{text("a")}), false},
		"a text":         {text("a"), false},
	} {
		if canBeSet(c.v) != c.is {
			t.Errorf("%s can be a set: %v", name, !c.is)
		}
	}
}
