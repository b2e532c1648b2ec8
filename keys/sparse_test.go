package keys_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// An item of an existing table is in an index on its own attributes if it has all of them.
func TestSparseIndexOnAttributes(t *testing.T) {
	text := func(name string) keys.Attribute { return keys.Attribute{Name: name, Kind: keys.String} }
	layout := &keys.Layout{
		PK: "tenant", SK: "sk", Delimiter: "#",
		Indexes: []keys.IndexLayout{{Name: "by-role", PK: "tenant", SK: "role"}},
	}
	design := keys.MustDesign(layout, []*keys.Type{{
		Name: "Member", Attributes: []keys.Attribute{text("tenant"), text("name"), text("role")},
		Identity: []string{"tenant", "name"},
		Item:     keys.Shape{PK: keys.MustTemplate("{tenant}"), SK: keys.MustTemplate("MEMBER#{name}")},
		Indexes: []keys.Index{{
			Name: "by-role", Shape: keys.Shape{PK: keys.MustTemplate("{tenant}"), SK: keys.MustTemplate("{role}")}, Shards: 1,
		}},
	}}, nil)
	stored := item.Item{
		{Name: "tenant", Value: item.StringValue("acme")}, {Name: "sk", Value: item.StringValue("MEMBER#ada")},
	}
	entry := func(it item.Item) [2]string {
		return [2]string{it.Text(keys.IndexPK("by-role")), it.Text(keys.IndexSK("by-role"))}
	}
	if got := entry(design.FromStored(stored)); got != [2]string{} {
		t.Errorf("without a role, the item is in the index under %q", got)
	}
	stored = append(stored, item.Attribute{Name: "role", Value: item.StringValue("admin")})
	if got, want := entry(design.FromStored(stored)), [2]string{"acme", "admin"}; got != want {
		t.Errorf("the item is in the index under %q, not %q", got, want)
	}
}
