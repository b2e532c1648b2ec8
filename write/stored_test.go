package write_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

func flagged() *design.Type {
	return &design.Type{
		Name: "Flag",
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind, Ref: "Flag", NonNull: true},
			{Name: "size", Kind: keys.Int},
			{Name: "on", Kind: keys.Boolean},
			{Name: "extra", Kind: keys.Other},
		},
		Identity: []string{"id"},
		MaxBytes: 400,
		Item:     shape("FLAG#{id}", "FLAG"),
		Copies:   []design.Copy{{Shape: shape("FLAGS", "{id}")}},
		Indexes:  []design.Index{{Name: "GSI1", Shape: shape("SIZE#{size}", "{id}"), Shards: 1}},
	}
}

func TestItemsOf(t *testing.T) {
	t.Parallel()
	typ := flagged()
	design := design.MustDesign(nil, []*design.Type{typ}, nil)
	stored := must(write.Items(typ, item.Item{
		{Name: "id", Value: keys.IDAttribute(keys.NewID("Flag", "f"))},
		{Name: "size", Value: item.NumberValue(-3)},
		{Name: "on", Value: item.BoolValue(true)},
		{Name: "extra", Value: item.MapValue(nil)},
		{Name: "undeclared", Value: item.StringValue("kept")},
	}))
	for _, it := range stored {
		again := must(write.ItemsOf(design, typ, it))
		for i := range again {
			if line(again[i]) != line(stored[i]) {
				t.Errorf("got %s, want %s", line(again[i]), line(stored[i]))
			}
		}
	}
	changed := func(change item.Attribute) item.Item {
		it := slices.Clone(stored[0])
		for i := range it {
			if it[i].Name == change.Name {
				it[i] = change
			}
		}
		return it
	}
	entry := func(it item.Item) string { return it.Text(keys.IndexPK("GSI1")) }
	for name, tt := range map[string]struct {
		change item.Attribute
		// valid reports whether the attributes are as declared; entry is that in the index, "error" if the items have no key.
		valid bool
		entry string
	}{
		"an id that is missing":      {item.Attribute{Name: "id"}, false, "error"},
		"an id that is a number":     {item.Attribute{Name: "id", Value: item.NumberValue(1)}, false, "error"},
		"a number that is a text":    {item.Attribute{Name: "size", Value: item.StringValue("3")}, false, "SIZE#-3"},
		"a fraction":                 {item.Attribute{Name: "size", Value: item.FloatValue(1.5)}, false, "SIZE#-3"},
		"a sign alone":               {item.Attribute{Name: "size", Value: number("-")}, false, "SIZE#-3"},
		"a number with a zero":       {item.Attribute{Name: "size", Value: number("03")}, true, "SIZE#3"},
		"a number with an exponent":  {item.Attribute{Name: "size", Value: number("1.2E2")}, true, "SIZE#120"},
		"a Boolean that is a number": {item.Attribute{Name: "on", Value: item.NumberValue(1)}, false, "SIZE#-3"},
		"NULL":                       {item.Attribute{Name: "on"}, true, "SIZE#-3"},
	} {
		it := changed(tt.change)
		if err := write.CheckAttributes(typ, it); (err == nil) != tt.valid {
			t.Errorf("%s: %v", name, err)
		}
		items, err := write.ItemsOf(design, typ, it)
		switch {
		case tt.entry == "error":
			if err == nil {
				t.Errorf("%s has the keys of a flag", name)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case entry(items[0]) != tt.entry:
			t.Errorf("%s: the entry is %s, want %s", name, entry(items[0]), tt.entry)
		default:
			for _, stored := range items {
				if v, has := stored.Find(tt.change.Name); !has || !v.Equal(tt.change.Value) {
					t.Errorf("%s: the item has %v", name, v)
				}
			}
		}
	}
}

func number(text string) item.Value { return item.Value{Kind: item.Number, Text: text} }

func TestIfUnchanged(t *testing.T) {
	t.Parallel()
	typ := flagged()
	field := &design.Field{
		Parent: "Flag", Name: "all", Kind: design.Query, Result: design.Connection, Count: "size",
		PK: keys.MustTemplate("FLAGS"),
	}
	design := design.MustDesign(nil, []*design.Type{typ}, []*design.Field{field})
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
