package design_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// nestedDesign has objects within attributes: one that contains itself, with a name, formats and sets of its own.
func nestedDesign() *design.Design {
	id := keys.MustTemplate("TASK#{id}")
	return design.MustDesign(nil, []*design.Type{{
		Name: "Task", Identity: []string{"id"}, Item: keys.Shape{PK: id, SK: id},
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind, Ref: "Task", NonNull: true},
			{Name: "place", Kind: keys.Other, Object: "Place"},
			{Name: "plain", Kind: keys.Other, Object: "Plain"},
			{Name: "tags", Kind: keys.Other, As: keys.Set, NonNull: true},
		},
		Objects: []design.Object{
			{Name: "Place", Attributes: []design.Attribute{
				{Name: "city", Kind: keys.String, Stored: "City"},
				{Name: "since", Kind: keys.Time, As: keys.EpochSeconds},
				{Name: "code", Kind: keys.Int, As: keys.NumberText},
				{Name: "parts", Kind: keys.Other, Object: "Place", Stored: "Parts"},
				{Name: "names", Kind: keys.Other, As: keys.Set, NonNull: true},
			}},
			{Name: "Plain", Attributes: []design.Attribute{{Name: "x", Kind: keys.Int}}},
		},
	}}, nil)
}

func attribute(name string, v item.Value) item.Attribute { return item.Attribute{Name: name, Value: v} }

func TestNestedAttributes(t *testing.T) {
	d := nestedDesign()
	str, num := item.StringValue, func(s string) item.Value { return item.Value{Kind: item.Number, Text: s} }
	set := func(texts ...string) item.Value {
		return item.SetValue(item.ListOf(texts, item.StringValue).Elements())
	}
	part := item.FieldsValue(item.Item{attribute("City", str("Lund")), attribute("names", set("b", "a"))})
	stored := item.Item{
		text("PK", "TASK#1"), text("SK", "TASK#1"), text("entityType", "Task"), text("id", "1"),
		attribute("place", item.FieldsValue(item.Item{
			attribute("City", str("Boras")), attribute("city", str("undeclared")), attribute("since", num("1705314600")),
			attribute("code", str("007")), attribute("Parts", item.ListValue([]item.Value{part, {}})),
		})),
		attribute("plain", item.FieldsValue(item.Item{attribute("x", num("1")), attribute("y", num("2"))})),
	}
	it := d.FromStored(stored)
	place, _ := it.Get("place")
	for _, want := range []item.Attribute{
		text("city", "Boras"), text("=city", "undeclared"), text("since", "2024-01-15T10:30:00.000Z"),
		attribute("code", num("7")), attribute("names", item.ListValue(nil)),
		attribute("parts", item.ListValue([]item.Value{
			item.FieldsValue(item.Item{text("city", "Lund"), attribute("names", set("a", "b"))}), {},
		})),
	} {
		if v, has := place.Fields().Find(want.Name); !has || !v.Equal(want.Value) {
			t.Errorf("%s is %+v, want %+v", want.Name, v, want.Value)
		}
	}
	if v, has := it.Find("tags"); !has || !v.IsSet() || len(v.Elements()) != 0 {
		t.Errorf("a set without elements is %v", v)
	}
	again := d.ToStored(it)
	if len(again) != len(stored) {
		t.Errorf("got %v", again)
	}
	for _, want := range stored {
		if v, _ := again.Find(want.Name); !v.Equal(want.Value) {
			t.Errorf("%s is stored as %+v", want.Name, v)
		}
	}
}

// TestNestedRoundTrip: whatever is stored, what is read of it is written as it was.
func TestNestedRoundTrip(t *testing.T) {
	d := nestedDesign()
	names := []string{"City", "city", "since", "code", "Parts", "parts", "names", "x"}
	var value func(*rapid.T, int) item.Value
	value = func(t *rapid.T, depth int) item.Value {
		switch rapid.IntRange(0, 5+depth).Draw(t, "kind") {
		case 0:
			return item.StringValue(rapid.SampledFrom([]string{"", "7", "007", "+7", "=x", "2024-01-15T10:30:00Z"}).Draw(t,
				"text"))
		case 1:
			return item.Value{Kind: item.Number, Text: rapid.SampledFrom([]string{"1", "1E2", "0.5", "1705314600"}).Draw(t, "n")}
		case 2:
			return item.Value{}
		case 3:
			return item.SetValue([]item.Value{item.StringValue("a")})
		case 4:
			return item.ListValue([]item.Value{value(t, depth+2), value(t, depth+2)})
		case 5:
			var fields item.Item
			for _, name := range names {
				if rapid.Bool().Draw(t, name) {
					fields = append(fields, attribute(name, value(t, depth+2)))
				}
			}
			return item.FieldsValue(fields)
		default:
			return item.BoolValue(true)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		stored := item.Item{
			text("PK", "TASK#1"), text("SK", "TASK#1"), text("entityType", "Task"), text("id", "1"),
			attribute("place", value(t, 0)), attribute("plain", value(t, 0)),
		}
		sameItem(t, "ToStored", d.ToStored(d.FromStored(stored)), stored)
	})
}
