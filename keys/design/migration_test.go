package design_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// changing is a design of a table that has stores with another name, another id, and without a city.
func changing(t *testing.T, cursors string) *design.Design {
	t.Helper()
	stores := field("Query", "stores", design.Query, "COUNTRY#{country}", "STORE#", argument("country", keys.String))
	stores.Result, stores.Cursors = design.Connection, cursors
	d, err := design.NewDesign(nil, []*design.Type{{
		Name: "Store", Values: []string{"Shop"}, Item: shape("COUNTRY#{country}", "STORE#{number}"),
		Identity:  []string{"country", "number"},
		FormerIDs: []design.IDForm{{"Shop", []string{"number", "country"}}, {"Store", []string{"number"}}},
		Attributes: []design.Attribute{
			{Name: "country", Kind: keys.String}, {Name: "number", Kind: keys.String},
			{Name: "city", Kind: keys.String, NonNull: true, Default: item.StringValue("unknown")},
		},
	}}, []*design.Field{stores})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCurrentID: an id of a former form names the same object, if it has all values of the key.
func TestCurrentID(t *testing.T) {
	d := changing(t, "")
	for id, want := range map[keys.ID]keys.ID{
		keys.NewID("Shop", "7", "fr"):      keys.NewID("Store", "fr", "7"),
		keys.NewID("Store", "fr", "7"):     keys.NewID("Store", "fr", "7"),
		keys.NewID("Store", "7"):           keys.NewID("Store", "7"), // without the country
		keys.NewID("Shop", "7", "fr", "x"): keys.NewID("Shop", "7", "fr", "x"),
		keys.NewID("Other", "7"):           keys.NewID("Other", "7"),
	} {
		if got := d.CurrentID(id); got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
		if got := d.CurrentIDText(id.Encode()); got != want.Encode() {
			t.Errorf("the text of %q is that of %q", id, got)
		}
	}
	if got := d.CurrentIDText("no id"); got != "no id" {
		t.Errorf("a text that is no id is %q", got)
	}
}

// TestFormerItems: an item with the former type has the present one, and the default of what it lacks.
func TestFormerItems(t *testing.T) {
	d := changing(t, "")
	stored := item.Item{
		{Name: "PK", Value: item.StringValue("COUNTRY#fr")}, {Name: "SK", Value: item.StringValue("STORE#7")},
		{Name: item.EntityType, Value: item.StringValue("Shop")},
	}
	it := d.FromStored(stored)
	if it.Type() != "Store" || it.Text("city") != "unknown" {
		t.Errorf("the item is read as %v", it)
	}
	stored = append(stored, item.Attribute{Name: "city", Value: item.StringValue("Lyon")})
	if city := d.FromStored(stored).Text("city"); city != "Lyon" {
		t.Errorf("the city is %q", city)
	}
	if back := d.ToStored(it); back.Text(item.EntityType) != "Store" || back.Text("city") != "unknown" {
		t.Errorf("the item is written as %v", back)
	}
}

// TestCursorsOfFormerConditions: a cursor of another condition of the field is rejected.
func TestCursorsOfFormerConditions(t *testing.T) {
	conditionIn := func(cursors string) design.Condition {
		c, err := conditionOf(changing(t, cursors).MustField("Query", "stores"), map[string]any{"country": "fr"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	former, present := conditionIn(""), conditionIn("1")
	cursor := former.Cursor(0, orderCopy("STORE#7"))
	if _, err := former.ParseCursor("after", cursor); err != nil {
		t.Error(err)
	}
	if _, err := present.ParseCursor("after", cursor); err == nil {
		t.Error("the cursor of a former condition is accepted")
	}
}

// TestNotReady: the reason is there as it is, and the progress as it is when the error is shown.
func TestNotReady(t *testing.T) {
	progress := ""
	reasons := design.NotReady{"Query.stores": "it needs entries"}
	d := changing(t, "").WithNotReady(reasons, func() string { return progress })
	err := d.NotReady("Query", "stores")
	for _, progress = range []string{"", "41 % are done"} {
		want := "it needs entries"
		if progress != "" {
			want += "; " + progress
		}
		if err.Error() != want {
			t.Errorf("the error is %q, want %q", err, want)
		}
	}
	if d.NotReady("Query", "node") != nil || d.IDNotReady("Store") != nil || !d.HasNotReady() {
		t.Error("other fields are not served")
	}
}
