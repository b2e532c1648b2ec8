package design_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func TestValueCheck(t *testing.T) {
	t.Parallel()
	number := func(text string) item.Value { return item.Value{Kind: item.Number, Text: text} }
	text := item.StringValue
	for _, tt := range []struct {
		check design.ValueCheck
		value item.Value
		want  string
	}{
		{design.ValueCheck{Min: "0.5"}, number("0.5"), ""},
		{design.ValueCheck{Min: "0.5"}, number("0.49999999999999999999"), "must be at least 0.5"},
		{design.ValueCheck{Max: "9007199254740993"}, number("9007199254740993"), ""},
		{design.ValueCheck{Max: "9007199254740993"}, number("9007199254740994"), "must be at most 9007199254740993"},
		{design.ValueCheck{MinLength: 2}, text("é"), "must have at least 2 characters"},
		{design.ValueCheck{MaxLength: 2}, text("éé"), ""},
		{design.ValueCheck{MaxLength: 2}, text("ééé"), "must have at most 2 characters"},
		{design.ValueCheck{Pattern: "^[A-Z]+$"}, text("AB"), ""},
		{design.ValueCheck{Pattern: "^[A-Z]+$"}, text("aB"), "must match ^[A-Z]+$"},
		{design.ValueCheck{Pattern: "^[A-Z]+$", Message: "must be a code"}, text(""), "must be a code"},
		{design.ValueCheck{Min: "1", MinLength: 1}, item.Value{}, ""},
		{design.ValueCheck{Min: "1", MinLength: 1}, item.BoolValue(false), ""},
	} {
		check := tt.check
		d := design.MustDesign(nil, []*design.Type{{
			Name: "Task", Identity: []string{"id"}, MaxBytes: 1024,
			Item:       keys.Shape{PK: keys.MustTemplate("TASK#{id}"), SK: keys.MustTemplate("TASK#{id}")},
			Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind}, {Name: "x", Check: &check}},
		}}, nil)
		if got := d.Type("Task").Attribute("x").Check.Fault(tt.value); got != tt.want {
			t.Errorf("%s: %v is %q, want %q", check.Demands(), tt.value, got, tt.want)
		}
	}
}
