package write_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

func flagged() *keys.Type {
	return &keys.Type{
		Name: "Flag",
		Attributes: []keys.Attribute{
			{Name: "id", Kind: keys.IDKind, Ref: "Flag", NonNull: true},
			{Name: "size", Kind: keys.Int},
			{Name: "on", Kind: keys.Boolean},
			{Name: "extra", Kind: keys.Other},
		},
		Identity: []string{"id"},
		MaxBytes: 400,
		Item:     shape("FLAG#{id}", "FLAG"),
		Copies:   []keys.Copy{{Shape: shape("FLAGS", "{id}")}},
		Indexes:  []keys.Index{{Name: "GSI1", Shape: shape("SIZE#{size}", "{id}"), Shards: 1}},
	}
}

func TestItemsOf(t *testing.T) {
	t.Parallel()
	typ := flagged()
	design := keys.MustDesign(nil, []*keys.Type{typ}, nil)
	stored := must(write.Items(typ, item.Item{
		{Name: "id", Value: keys.IDAttribute(keys.NewID("Flag", "f"))},
		{Name: "size", Value: item.NumberValue(-3)},
		{Name: "on", Value: item.BoolValue(true)},
		{Name: "extra", Value: item.MapValue(nil)},
		{Name: "undeclared", Value: item.StringValue("kept")},
	}))
	for _, it := range stored {
		again, err := write.ItemsOf(design, typ, it)
		if err != nil {
			t.Fatal(err)
		}
		for i := range again {
			if line(again[i]) != line(stored[i]) {
				t.Errorf("got %s, want %s", line(again[i]), line(stored[i]))
			}
		}
	}
	for name, change := range map[string]item.Attribute{
		"an id that is missing":      {Name: "id"},
		"an id that is a number":     {Name: "id", Value: item.NumberValue(1)},
		"a number that is a text":    {Name: "size", Value: item.StringValue("3")},
		"a fraction":                 {Name: "size", Value: item.FloatValue(1.5)},
		"a number with a zero":       {Name: "size", Value: item.Value{Kind: item.Number, Text: "03"}},
		"a sign alone":               {Name: "size", Value: item.Value{Kind: item.Number, Text: "-"}},
		"a Boolean that is a number": {Name: "on", Value: item.NumberValue(1)},
	} {
		it := slices.Clone(stored[0])
		for i := range it {
			if it[i].Name == change.Name {
				it[i] = change
			}
		}
		if _, err := write.ItemsOf(design, typ, it); err == nil {
			t.Errorf("%s is a flag", name)
		}
	}
}

func TestIfUnchanged(t *testing.T) {
	t.Parallel()
	typ := flagged()
	field := &keys.Field{
		Parent: "Flag", Name: "all", Kind: keys.Query, Result: keys.Connection, Count: "size",
		PK: keys.MustTemplate("FLAGS"),
	}
	design := keys.MustDesign(nil, []*keys.Type{typ}, []*keys.Field{field})
	it := must(write.Items(typ, item.Item{
		{Name: "id", Value: keys.IDAttribute(keys.NewID("Flag", "f"))},
		{Name: "size", Value: item.NumberValue(3)},
	}))[1]
	var names []string
	for _, c := range write.IfUnchanged(design, it) {
		names = append(names, c.Name)
	}
	if want := []string{item.EntityType, "id"}; !slices.Equal(names, want) {
		t.Errorf("the conditions are on %v, want %v", names, want)
	}
}
