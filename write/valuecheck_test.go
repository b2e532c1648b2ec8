package write_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// TestMutateChecksValues: all faults are found at once, and nothing is sent. A value that is stored stays.
func TestMutateChecksValues(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	m.sent()
	_, got := m.try(t, "createTag", given("name", "X", "text", strings.Repeat("x", 1001)))
	if want := "name: INVALID name must have at least 2 characters; text: INVALID text must be short"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if sent := m.sent(); sent != "" {
		t.Errorf("sent %s", sent)
	}
	tag := m.must(t, "createTag", given("name", "news", "text", "a"))
	_, got = m.try(t, "updateTag", given("id", tag.ID, "text", strings.Repeat("x", 1001)))
	if got != "text: INVALID text must be short" {
		t.Errorf("an update: %s", got)
	}
}

func TestCheckValuesWithin(t *testing.T) {
	t.Parallel()
	atLeast1 := &design.ValueCheck{Min: "1"}
	order := &design.Type{
		Attributes: []design.Attribute{
			{Name: "lines", Object: "Line"}, {Name: "codes", Check: &design.ValueCheck{MinLength: 2}},
		},
		Objects: []design.Object{{
			Name: "Line", Attributes: []design.Attribute{{Name: "quantity", Kind: keys.Int, Check: atLeast1}},
		}},
	}
	line := func(n int) item.Value {
		return item.FieldsValue(item.Item{{Name: "quantity", Value: item.NumberValue(n)}})
	}
	texts := []item.Value{item.StringValue("a"), item.StringValue("bb")}
	var errs write.UserErrors
	errs.Check(order, item.Item{
		{Name: "lines", Value: item.ListValue([]item.Value{line(1), line(0)})},
		{Name: "codes", Value: item.SetValue(texts)}, {Name: "other", Value: item.NumberValue(0)},
	})
	var got []string
	for _, e := range errs.List() {
		got = append(got, *e.Field+" "+e.Message)
	}
	want := "lines.1.quantity quantity must be at least 1, codes codes must have at least 2 characters"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}
