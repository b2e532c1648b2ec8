package write_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// places have an object and a list within attributes, and a copy.
var places = design.MustDesign(
	&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "_et", Delimiter: "#"},
	[]*design.Type{{
		Name: "Place", Identity: []string{"id"}, MaxBytes: 1024, Item: shape("PLACE#{id}", "PLACE"),
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind, Ref: "Place", NonNull: true}, {Name: "tags", Kind: keys.Other},
			{Name: "address", Kind: keys.Other, Object: "Address"}, {Name: "score", Kind: keys.Other},
		},
		Objects: []design.Object{{Name: "Address", Attributes: []design.Attribute{
			{Name: "city", Kind: keys.String, Stored: "City"}, {Name: "zip", Kind: keys.Int},
		}}},
		Copies: []design.Copy{{Shape: shape("PLACES", "{id}")}},
	}}, nil)

// place returns the items of a place as hand-written Go has it.
func place(city, tag string, zip int) []item.Item {
	address := item.Item{text("city", city)}
	if zip > 0 {
		address = append(address, item.Attribute{Name: "zip", Value: item.NumberValue(zip)})
	}
	return must(write.Items(places.Type("Place"), item.Item{
		idOf("id", "Place", "1"), {Name: "address", Value: item.MapValue(address)},
		{Name: "tags", Value: item.ListOf([]string{tag}, item.StringValue)},
	}))
}

// TestUpdateKeepsOthers: an update by hand-written Go, which has read the declared values alone, keeps the attributes
// of a Map that no field declares, those that only the copy has, and sets.
func TestUpdateKeepsOthers(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(places))
	m := &members{e}
	set := func(tag string) item.Attribute {
		return item.Attribute{Name: "tags", Value: item.SetValue([]item.Value{item.StringValue(tag)})}
	}
	stored := place("Boras", "a", 1)
	for i, note := range []string{"base", "copy"} {
		for n, a := range stored[i] {
			if a.Name == "address" {
				stored[i][n].Value = item.FieldsValue(append(a.Value.Fields(), text("note", note), text("empty", "")))
			}
			if a.Name == "tags" {
				stored[i][n] = set("a")
			}
		}
		stored[i] = append(stored[i], text("own", note))
	}
	m.Load(t, stored...)
	for i, step := range []struct {
		before, after []item.Item
		address, tag  string
		requests      int
	}{
		{place("Boras", "a", 1), place("Lund", "b", 1), "city=Lund empty= zip=1", "b", 3},
		{place("Lund", "b", 1), place("Lund", "b", 0), "city=Lund empty=", "b", 3},
		{place("Lund", "b", 0), place("Lund", "c", 0), "city=Lund empty=", "c", 3},
	} {
		m.Proxy.Reset()
		actions := must(write.Update(places, step.before, step.after))
		var tx write.Transaction
		tx.Add("place", actions...)
		if failed, err := tx.Commit(m.operation(t), "place"); failed != nil || err != nil {
			t.Fatalf("step %d: %v, %v", i, failed, err)
		}
		if log := m.Proxy.Log(); len(log) > step.requests {
			t.Errorf("step %d: %s", i, strings.Join(log, "\n"))
		}
		for _, at := range [][3]string{{"PLACE#1", "PLACE", "base"}, {"PLACES", "1", "copy"}} {
			it := m.stored(t, at[0], at[1])
			address, _ := it.Get("address")
			tags, _ := it.Get("tags")
			want := strings.TrimSpace(strings.Replace(step.address, " zip", " note="+at[2]+" zip", 1))
			if !strings.Contains(want, "note") {
				want += " note=" + at[2]
			}
			if got := describe(address.Fields()); got != want {
				t.Errorf("step %d: the address of the %s is %q, want %q", i, at[2], got, want)
			}
			if !tags.IsSet() || tags.Elements()[0].Text != step.tag || it.Text("own") != at[2] {
				t.Errorf("step %d: the %s is %v", i, at[2], it)
			}
		}
	}
}
