package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

const stores = `
type Query {
  node(id: ID!): Node
  stores(country: String!): %[1]sConnection @query(index: "GSI1", pk: "COUNTRY#{country}")
}
type %[1]s implements Node %[2]s { id: ID! country: String! number: Int! %[3]s }
`

func storesWith(stored string) string { return fmt.Sprintf(stores, "Store", stored, "") }

const byCountry = `@item(pk: "STORE#{country}", sk: "{number:04}") @index(pk: "COUNTRY#{country}", sk: "{number:04}")`

// TestCursorsAfterMigration: a cursor is rejected once it is no position in its connection any longer, and only then.
func TestCursorsAfterMigration(t *testing.T) {
	replaced := func(pairs ...string) string { return storesWith(strings.NewReplacer(pairs...).Replace(byCountry)) }
	for name, c := range map[string]struct {
		to     string
		isKept bool
	}{
		"nothing":      {storesWith(byCountry), true},
		"a new copy":   {storesWith(byCountry + ` @copy(pk: "ALL", sk: "{country}#{number:04}")`), true},
		"its sort key": {replaced(`sk: "{number:04}")`, `sk: "{number:06}")`), false},
		"shards": {
			replaced(`{country}", sk: "{number:04}")`, `{country}", sk: "{country}#{number:04}", shards: 2)`), false,
		},
		"the item": {replaced("STORE#", "SHOP#"), false},
		"a renamed field": {strings.NewReplacer("number: Int!", `digits: Int! @was(name: "number")`, "{number", "{digits").
			Replace(storesWith(byCountry)), true},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := version(t, storesWith(byCountry)), version(t, c.to)
			text := ""
			ways := [][2]migrate.Version{{from, to}}
			if !c.isKept { // Back again, too: nobody knows how old they are.
				ways = append(ways, [2]migrate.Version{to, from})
			}
			for _, v := range ways {
				before := stillHas(t, v[0], v[0], text)
				cursor := storesOf(t, before).Cursor(0, item.Item{
					{Name: "PK", Value: item.StringValue("STORE#fr")}, {Name: "SK", Value: item.StringValue("0007")},
					{Name: "GSI1PK", Value: item.StringValue("COUNTRY#fr")}, {Name: "GSI1SK", Value: item.StringValue("fr#0007")},
				})
				var err error
				if text, err = migrate.HistoryAfter(text, v[0], v[1]); err != nil {
					t.Fatal(err)
				}
				bound := storesOf(t, stillHas(t, v[1], v[1], text))
				if _, err := bound.ParseCursor("after", cursor); (err == nil) != c.isKept {
					t.Errorf("kept is %v, with %q: %v", !c.isKept, text, err)
				}
				if _, err := storesOf(t, before).ParseCursor("after", cursor); err != nil {
					t.Error(err)
				}
			}
			if c.isKept != (text == "") {
				t.Errorf("the history is %q", text)
			}
		})
	}
}

func stillHas(t *testing.T, api, stored migrate.Version, text string) *design.Design {
	t.Helper()
	d, err := migrate.WithHistory(api.Design, api, stored, text)
	fatal.If(t, err)
	return d
}

// storesOf returns the condition of the stores of a country.
func storesOf(t *testing.T, d *design.Design) *design.Condition {
	t.Helper()
	values := keys.Values{{Name: "country", Value: keys.StringValue("fr")}}
	c, err := d.MustField("Query", "stores").Bind(values.Get).Condition()
	fatal.If(t, err)
	return &c
}

// TestIDsAfterMigration: the global ids of all versions name the same objects, as far as they have the values, also by
// the names of a gateway with a former schema.
func TestIDsAfterMigration(t *testing.T) {
	versions := []migrate.Version{
		version(t, storesWith(`@item(pk: "COUNTRY#{country}", sk: "S#{number:04}")
			@index(pk: "COUNTRY#{country}", sk: "{number:04}")`)),
		version(t, strings.NewReplacer("number: Int!", `digits: Int! @was(name: "number")`, "{number", "{digits").
			Replace(fmt.Sprintf(stores, "Shop", `@was(name: "Store")
			@item(pk: "N#{number:04}", sk: "SHOP") @index(pk: "COUNTRY#{country}", sk: "{number:04}")`, ""))),
		version(t, strings.NewReplacer("number: Int!", "digits: Int!", "{number", "{digits").
			Replace(fmt.Sprintf(stores, "Shop", `@item(pk: "N#{number:04}", sk: "{zip}")
			@index(pk: "COUNTRY#{country}", sk: "{number:04}")`, "zip: String!"))),
	}
	first, err := migrate.HistoryAfter("", versions[0], versions[1])
	fatal.If(t, err)
	second, err := migrate.HistoryAfter(first, versions[1], versions[2])
	fatal.If(t, err)
	for _, c := range []struct {
		stored   int
		text     string
		id, want keys.ID
	}{
		{1, first, keys.NewID("Store", "fr", "7"), keys.NewID("Shop", "7")},
		{1, first, keys.NewID("Shop", "7"), keys.NewID("Shop", "7")},
		{2, second, keys.NewID("Shop", "7", "z"), keys.NewID("Shop", "7", "z")},
		{2, second, keys.NewID("Shop", "7"), keys.NewID("Shop", "7")}, // without the zip
		{2, second, keys.NewID("Store", "fr", "7"), keys.NewID("Store", "fr", "7")},
	} {
		v := versions[c.stored]
		if got := stillHas(t, v, v, c.text).CurrentID(c.id); got != c.want {
			t.Errorf("%q is %q, want %q", c.id, got, c.want)
		}
	}
	// The names of a former schema, over the last version.
	short := keys.NewID("Store", "7")
	if d := stillHas(t, versions[0], versions[1], first); d.CurrentID(short) != short {
		t.Error("an id without the country has one")
	}
}

func TestDamagedHistory(t *testing.T) {
	v := version(t, storesWith(byCountry))
	if _, err := migrate.WithHistory(v.Design, v, v, "{"); err == nil {
		t.Error("a damaged history is accepted")
	}
	if _, err := migrate.HistoryAfter("{", v, v); err == nil {
		t.Error("a damaged history is accepted")
	}
}
