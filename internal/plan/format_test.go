package plan_test

import (
	"testing"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestFormatOfTexts: a text fits a scalar only if it is one of its values.
func TestFormatOfTexts(t *testing.T) {
	for _, c := range []struct {
		kind keys.Kind
		text string
		fits bool
	}{
		{keys.String, "anything", true},
		{keys.Date, "2026-02-28", true},
		{keys.Date, "2026-02-30", false},
		{keys.Date, "", false},
		{keys.Date, "\a", false},
		{keys.Time, "2026-02-28T10:00:00.000Z", true},
		{keys.Time, "2026-02-28T10:00:00Z", false},
		{keys.Enum, "PENDING", true},
		{keys.Enum, "pending", false},
	} {
		f := &plan.Format{Kind: c.kind, Names: []string{"PENDING"}}
		v := item.StringValue(c.text)
		if err := f.Check(&v); (err == nil) != c.fits {
			t.Errorf("%s %q: %v", c.kind, c.text, err)
		}
	}
}

// TestFormatOfAnything: a scalar that is known by its name only may have all values of JSON.
func TestFormatOfAnything(t *testing.T) {
	number := func(text string) item.Value { return item.Value{Kind: item.Number, Text: text} }
	binary := item.Value{Kind: item.Binary, Text: "a"}
	field := func(v item.Value) item.Value { return item.FieldsValue(item.Item{{Name: "a", Value: v}}) }
	for _, c := range []struct {
		value item.Value
		fits  bool
	}{
		{item.StringValue("a"), true},
		{item.BoolValue(true), true},
		{number("-1E-5"), true},
		{number("one"), false},
		{item.Value{}, false},
		{item.ListValue([]item.Value{{}, number("1")}), true},
		{item.SetValue([]item.Value{item.StringValue("a")}), true},
		{field(item.Value{}), true},
		{binary, false},
		{item.ListValue([]item.Value{field(binary)}), false},
		{field(item.SetValue([]item.Value{binary})), false},
	} {
		f := &plan.Format{Any: true}
		if err := f.Check(&c.value); (err == nil) != c.fits {
			t.Errorf("%+v: %v", c.value, err)
		}
	}
}
