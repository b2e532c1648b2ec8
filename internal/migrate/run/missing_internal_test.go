package run

import (
	"testing"

	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/item"
)

// TestMissingWithin: a field of an object within an attribute that must not be null is looked for in each object.
func TestMissingWithin(t *testing.T) {
	const sdl = `
type Query { shop(id: ID!): Shop @get(pk: "SHOP#{id}", sk: "SHOP") }
type Shop implements Node @item(pk: "SHOP#{id}", sk: "SHOP") { id: ID! hours: [Hours!] }
type Hours { day: Int! note: String within: Hours }
`
	shop := migratetest.Version(t, sdl).Design.Type("Shop")
	day := item.Attribute{Name: "day", Value: item.NumberValue(1)}
	note := item.Attribute{Name: "note", Value: item.StringValue("late")}
	within := func(o ...item.Attribute) item.Attribute {
		return item.Attribute{Name: "within", Value: item.MapValue(o)}
	}
	for want, objects := range map[string][]item.Value{
		"":                 {item.MapValue(item.Item{day, within(day, note)}), item.MapValue(item.Item{day})},
		"hours.day":        {item.MapValue(item.Item{day}), item.MapValue(item.Item{note})},
		"hours.within.day": {item.MapValue(item.Item{day, within(note)})},
	} {
		if got := missingWithin(shop, "Hours", "hours", item.ListValue(objects)); got != want {
			t.Errorf("missing is %q, want %q", got, want)
		}
	}
}
