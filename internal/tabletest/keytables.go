package tabletest

import (
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// KeyTable is a table whose primary key is not two Strings, with a few items.
type KeyTable struct {
	Name   string
	Design *design.Design
	// Lines are the items, as an export has them.
	Lines string
	// Keys are the keys of the items as people know them: see stored.Layout.ParseKey.
	Keys [][2]string
}

// Key returns a key with these parts.
func (k KeyTable) Key(tb testing.TB, parts [2]string) keys.Key {
	tb.Helper()
	key, err := k.Design.Layout.ParseKey(parts[0], parts[1])
	fatal.If(tb, err)
	return key
}

// KeyTables returns one table for each kind of primary key: a Number alone, a String alone, a Number with a String, and
// a String with a Number.
func KeyTables() []KeyTable { return []KeyTable{products(), accounts(), movies(), readings()} }

func template(text string) keys.Template { return keys.MustDelimited("#", text) }

func shape(pk, sk string) keys.Shape {
	s := keys.Shape{PK: template(pk)}
	if sk != "" {
		s.SK = template(sk)
	}
	return s
}

// products is like the sample ProductCatalog of Amazon's documentation: items of several types under one Number, told
// apart by an attribute.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AppendixSampleTables.html
func products() KeyTable {
	layout := &stored.Layout{
		PK: keys.Named("Id"), Type: "ProductCategory", Delimiter: "#",
		Indexes: []stored.IndexLayout{{Name: "byBrand", PK: keys.Named("brandKey")}},
	}
	product := func(name, value string) *design.Type {
		return &design.Type{
			Name: name, Value: value, Identity: []string{"id"}, MaxBytes: 1024, Item: shape("{id}", ""),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.Int, Stored: "Id", NonNull: true}, {Name: "title", Kind: keys.String, Stored: "Title"},
				{Name: "brand", Kind: keys.String, Stored: "Brand"},
			},
			Indexes: []design.Index{{Name: "byBrand", Shape: shape("BRAND#{brand}", ""), Shards: 1}},
		}
	}
	return KeyTable{
		Name: "products", Design: design.MustDesign(layout, []*design.Type{product("Book", ""), product("Bicycle", "Bike")},
			nil),
		Lines: `{"Item":{"Id":{"N":"101"},"ProductCategory":{"S":"Book"},"Title":{"S":"Book 101 Title"},` +
			`"Brand":{"S":"Acme"},"brandKey":{"S":"BRAND#Acme"}}}
{"Item":{"Id":{"N":"205"},"ProductCategory":{"S":"Bike"},"Title":{"S":"20-Bike-205"},"Brand":{"S":"Acme"},` +
			`"brandKey":{"S":"BRAND#Acme"}}}
{"Item":{"Id":{"N":"-7"},"ProductCategory":{"S":"Book"},"Title":{"S":"Withdrawn"}}}
`,
		Keys: [][2]string{{"101", ""}, {"205", ""}, {"-7", ""}},
	}
}

// accounts has copies and claims under a String alone.
func accounts() KeyTable {
	layout := &stored.Layout{PK: keys.Named("id"), Type: "kind", Delimiter: "#"}
	return KeyTable{
		Name: "accounts",
		Design: design.MustDesign(layout, []*design.Type{{
			Name: "Account", Identity: []string{"number"}, MaxBytes: 1024, Item: shape("ACCOUNT#{number}", ""),
			Attributes: []design.Attribute{
				{Name: "number", Kind: keys.String, NonNull: true}, {Name: "email", Kind: keys.String},
				{Name: "plan", Kind: keys.String},
			},
			Copies: []design.Copy{{Shape: shape("PUBLIC#{number}", "")}},
			Uniques: []design.Unique{{Attribute: "email", Key: template("EMAIL#{email}"), Claim: "EmailClaim",
				Holder: "account"}},
		}}, nil),
		Lines: `{"Item":{"id":{"S":"ACCOUNT#a"},"kind":{"S":"Account"},"number":{"S":"a"},"email":{"S":"a@x.org"}}}
{"Item":{"id":{"S":"PUBLIC#a"},"kind":{"S":"Account"},"number":{"S":"a"},"email":{"S":"a@x.org"}}}
{"Item":{"id":{"S":"EMAIL#a@x.org"},"kind":{"S":"EmailClaim"},"account":{"S":"a"}}}
`,
		Keys: [][2]string{{"ACCOUNT#a", ""}, {"PUBLIC#a", ""}, {"EMAIL#a@x.org", ""}},
	}
}

// movies is like the sample Movies of Amazon's documentation. The table's own keys are those of an index as well.
func movies() KeyTable {
	layout := &stored.Layout{
		PK: keys.Named("year"), SK: keys.Named("title"), Delimiter: "#",
		Indexes: []stored.IndexLayout{{Name: "byGenre", PK: keys.Named("genre"), SK: keys.Named("year")}},
	}
	return KeyTable{
		Name: "movies",
		Design: design.MustDesign(layout, []*design.Type{{
			Name: "Movie", Identity: []string{"year", "title"}, MaxBytes: 1024, Item: shape("{year}", "{title}"),
			Attributes: []design.Attribute{
				{Name: "year", Kind: keys.Int, NonNull: true}, {Name: "title", Kind: keys.String, NonNull: true},
				{Name: "genre", Kind: keys.String}, {Name: "plot", Kind: keys.String},
			},
			Indexes: []design.Index{{Name: "byGenre", Shape: shape("{genre}", "{year}"), Shards: 1}},
		}}, nil),
		Lines: `{"Item":{"year":{"N":"2013"},"title":{"S":"Rush"},"genre":{"S":"Drama"}}}
{"Item":{"year":{"N":"2013"},"title":{"S":"Gravity"},"genre":{"S":"Drama"}}}
{"Item":{"year":{"N":"987"},"title":{"S":"Annals"},"genre":{"S":"Drama"}}}
`,
		Keys: [][2]string{{"2013", "Rush"}, {"2013", "Gravity"}, {"987", "Annals"}},
	}
}

// readings has times as seconds since 1970.
func readings() KeyTable {
	layout := &stored.Layout{PK: keys.Named("device"), SK: keys.Named("at"), Delimiter: "#"}
	return KeyTable{
		Name: "readings",
		Design: design.MustDesign(layout, []*design.Type{{
			Name: "Reading", Identity: []string{"device", "at"}, MaxBytes: 1024, Item: shape("{device}", "{at}"),
			Attributes: []design.Attribute{
				{Name: "device", Kind: keys.String, NonNull: true},
				{Name: "at", Kind: keys.Time, As: keys.EpochSeconds, NonNull: true}, {Name: "celsius", Kind: keys.Int},
			},
		}}, nil),
		Lines: `{"Item":{"device":{"S":"d1"},"at":{"N":"1700000000"},"celsius":{"N":"20"}}}
{"Item":{"device":{"S":"d1"},"at":{"N":"999999999"},"celsius":{"N":"21"}}}
{"Item":{"device":{"S":"d2"},"at":{"N":"1700000000"},"celsius":{"N":"22"}}}
`,
		Keys: [][2]string{{"d1", "1700000000"}, {"d1", "999999999"}, {"d2", "1700000000"}},
	}
}
