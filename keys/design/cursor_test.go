package design_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

const notACursor = "after is not a cursor of this connection; pass one that it returned for the same arguments, or none"

func orderCopy(sk string) item.Item {
	return item.Item{{Name: "SK", Value: item.StringValue(sk)}, {Name: "PK", Value: item.StringValue("USER#7")}}
}

func indexed(sk, basePK, baseSK string) item.Item {
	return item.Item{
		{Name: "PK", Value: item.StringValue(basePK)}, {Name: "SK", Value: item.StringValue(baseSK)},
		{Name: "GSI1PK", Value: item.StringValue("STATUS#PAID#2")}, {Name: "GSI1SK", Value: item.StringValue(sk)},
	}
}

// place returns a position in the table.
func place(partition int, sk keys.SK) design.CursorPosition {
	return design.CursorPosition{Partition: partition, Position: keys.Position{SK: sk}}
}

func TestCursorRoundTrip(t *testing.T) {
	orders := mustCondition(t, "User", "orders", map[string]any{"id": "7"})
	byStatus := mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PAID"})
	rapid.Check(t, func(t *rapid.T) {
		at := build(t, "{at}", keys.TimeValue(instant(t, "at")))
		id := value(t, "id")
		t.Logf("order %q at %s", id, at)

		got, err := orders.ParseCursor("after", orders.Cursor(0, orderCopy("ORDER#"+at+"#"+id)))
		if want := place(0, keys.SK("ORDER#"+at+"#"+id)); err != nil || got != want {
			t.Fatalf("in the table: %+v, %v, want %+v", got, err, want)
		}

		shard := rapid.IntRange(0, 3).Draw(t, "shard")
		got, err = byStatus.ParseCursor("after", byStatus.Cursor(shard, indexed(at+"#"+id, "ORDER#"+id, "ORDER#"+id)))
		want := place(shard, keys.SK(at+"#"+id))
		want.Base = keys.Key{PK: keys.PK("ORDER#" + id), SK: keys.SK("ORDER#" + id)}
		if err != nil || got != want {
			t.Fatalf("in an index: %+v, %v, want %+v", got, err, want)
		}
	})
}

// TestCursorOfADamagedItem: the cursor of an item that has a key of no shape leads on, whatever the key contains.
func TestCursorOfADamagedItem(t *testing.T) {
	orders := mustCondition(t, "User", "orders", map[string]any{"id": "7"})
	for _, sk := range []keys.SK{"ORDER#?", "ORDER#", "ORDER#\x00\x01", "ORDER#\n", keys.EndOf("ORDER#")} {
		got, err := orders.ParseCursor("after", orders.Cursor(0, orderCopy(string(sk))))
		if want := place(0, sk); err != nil || got != want {
			t.Errorf("in the table: %+v, %v, want %+v", got, err, want)
		}
	}
	byStatus := mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PAID"})
	for _, text := range []string{"?", "\x01", "\x00", "\u0085", "\U0010FFFF\U0010FFFF"} {
		got, err := byStatus.ParseCursor("after", byStatus.Cursor(2, indexed(text, text, text)))
		want := place(2, keys.SK(text))
		want.Base = keys.Key{PK: keys.PK(text), SK: keys.SK(text)}
		if err != nil || got != want {
			t.Errorf("in an index: %+v, %v, want %+v", got, err, want)
		}
	}
}

// TestCursorTexts pins the text of cursors, because clients may keep them over a release.
func TestCursorTexts(t *testing.T) {
	orders := mustCondition(t, "User", "orders", map[string]any{"id": "7"})
	text := orders.Cursor(0, orderCopy("ORDER#2026-01-31T09:30:00.000Z#o1"))
	if want := "AsBha1Q9xzAk3tEIcAyvw7PGHkZ8lBk5vGRNopUd6LjR6vxdyyVTxTCL-A0nVA"; text != want {
		t.Errorf("the cursor is %q, want %q", text, want)
	}
	byStatus := mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PAID"})
	text = byStatus.Cursor(2, indexed("2026-01-31T09:30:00.000Z#o1", "ORDER#o1", "ORDER#o1"))
	if want := "AlLHiMBTDsWDNnBfIlknWWDwGElp8dx7yqiygXfpbcQrkyUBbGI0STHy54rVk1TddxeoWCXNNBO7tKpF57Duz6U"; text != want {
		t.Errorf("the cursor is %q, want %q", text, want)
	}
}

// foreignCursor is a cursor that is none of the condition.
type foreignCursor struct {
	condition *design.Condition
	cursor    string
}

func (c foreignCursor) check(t *testing.T, name string) {
	_, err := c.condition.ParseCursor("after", c.cursor)
	if err == nil {
		t.Errorf("a cursor %s is accepted", name)
		return
	}
	wantInputError(t, err, "after", notACursor)
}

func TestCursorOfAnotherCollection(t *testing.T) {
	orders := mustCondition(t, "User", "orders", map[string]any{"id": "7"})
	mine := orders.Cursor(0, orderCopy("ORDER#2026-01-31T09:30:00.000Z#o1"))
	paid := mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PAID"})
	stores := map[string]any{"chain": "x", "country": "US", "state": "PA", "city": "York"}
	york := mustCondition(t, "Query", "stores", stores).Cursor(0, orderCopy("COUNTRY#US#STATE#PA#CITY#York#1"))
	for name, c := range map[string]foreignCursor{
		"of another user":  {mustCondition(t, "User", "orders", map[string]any{"id": "8"}), mine},
		"of another field": {mustCondition(t, "User", "following", map[string]any{"id": "7"}), mine},
		"of another status": {
			mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PENDING"}),
			paid.Cursor(0, indexed("2026-01-31T09:30:00.000Z#o1", "ORDER#o1", "ORDER#o1")),
		},
		"of another city": {
			mustCondition(t, "Query", "stores",
				map[string]any{"chain": "x", "country": "US", "state": "PA", "city": "Leeds"}),
			york,
		},
		"of a wider region": {mustCondition(t, "Query", "stores", map[string]any{"chain": "x", "country": "US"}), york},
		"empty":             {orders, ""},
		"cut":               {orders, mine[:len(mine)-1]},
		"padded":            {orders, mine + "="},
		"broken":            {orders, mine[:8] + "\n" + mine[8:]},
		"an id":             {orders, keys.NewID("Order", "o1").Encode()},
		"too long":          {orders, strings.Repeat("A", 100_000)},
	} {
		c.check(t, name)
	}
}

func TestEachChangedBitOfACursorIsNoticed(t *testing.T) {
	c := mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PAID"})
	cursor := c.Cursor(2, indexed("2026-01-31T09:30:00.000Z#o1", "ORDER#o1", "ORDER#o1"))
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(raw) {
		raw[i/8] ^= 1 << (i % 8)
		if p, err := c.ParseCursor("after", base64.RawURLEncoding.EncodeToString(raw)); err == nil {
			t.Errorf("with bit %d changed, the cursor is %+v", i, p)
		}
		raw[i/8] ^= 1 << (i % 8)
	}
}

func TestCursorOutsideOfTheSpan(t *testing.T) {
	orders := func(from string) *design.Condition {
		return mustCondition(t, "User", "orders", map[string]any{"id": "7", "createdAt": map[string]any{"from": from}})
	}
	const sk = "ORDER#2026-01-31T09:30:00.000Z#o1"
	cursor := orders("2026-01-01T00:00:00Z").Cursor(0, orderCopy(sk))
	got, err := orders("2026-01-31T09:30:00Z").ParseCursor("after", cursor)
	if want := place(0, sk); err != nil || got != want {
		t.Errorf("in a narrower span the cursor is %+v, %v, want %+v", got, err, want)
	}
	_, err = orders("2026-02-01T00:00:00Z").ParseCursor("after", cursor)
	wantInputError(t, err, "after",
		"after lies outside of createdAt; start again without it, or ask for the span it came from")
}

func TestCursorOutsideOfTheBuckets(t *testing.T) {
	days := func(from, to string) *design.Condition {
		span := map[string]any{"from": from, "to": to}
		return mustCondition(t, "Query", "readings", map[string]any{"device": "d", "at": span})
	}
	three := days("2026-01-01T00:00:00Z", "2026-01-03T23:00:00Z")
	cursor := three.Cursor(1, orderCopy("2026-01-02T09:30:00.000Z#01"))

	// A wider span has the same bucket at another place.
	got, err := days("2025-12-30T00:00:00Z", "2026-01-03T23:00:00Z").ParseCursor("after", cursor)
	if want := place(3, "2026-01-02T09:30:00.000Z#01"); err != nil || got != want {
		t.Errorf("in a wider span the cursor is %+v, %v, want %+v", got, err, want)
	}
	_, err = days("2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z").ParseCursor("after", cursor)
	wantInputError(t, err, "after", "after lies outside of at; start again without it, or ask for the span it came from")
	_, err = days("2026-01-02T10:00:00Z", "2026-01-04T00:00:00Z").ParseCursor("after", cursor)
	wantInputError(t, err, "after", "after lies outside of at; start again without it, or ask for the span it came from")
}

// TestCursorShowsNoKey: without the secret, a cursor is its length.
func TestCursorShowsNoKey(t *testing.T) {
	byStatus := mustCondition(t, "Query", "ordersByStatus", map[string]any{"status": "PAID"})
	byStatus.Cursors = keys.NewCursors([]byte("a secret of the tests, 32 bytes or more"))
	it := indexed("2026-01-31T09:30:00.000Z#o1", "ORDER#o1", "ORDER#o1")
	var shown [][]byte
	for shard := range 4 {
		raw, err := base64.RawURLEncoding.DecodeString(byStatus.Cursor(shard, it))
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, raw)
	}
	for _, raw := range shown {
		for _, key := range []string{"2026", "09:30", "o1", "ORDER", "PAID"} {
			if bytes.Contains(raw, []byte(key)) {
				t.Errorf("%q shows %q", raw, key)
			}
		}
	}
	// The cursors of two shards differ in the shard alone. Each byte but the version would be equal in about one of 256.
	for i, raw := range shown {
		for _, other := range shown[:i] {
			equal := 0
			for at := range raw {
				if raw[at] == other[at] {
					equal++
				}
			}
			if len(raw) != len(other) || equal > 5 {
				t.Errorf("%d of %d bytes of %x and %x are equal", equal, len(raw), raw, other)
			}
		}
	}
}

// Replicas agree on a secret. A cursor of another secret, or from before there was one, is rejected.
func TestCursorsOfASecret(t *testing.T) {
	with := func(secret string) *design.Condition {
		c := mustCondition(t, "User", "orders", map[string]any{"id": "7"})
		c.Cursors = keys.NewCursors([]byte(secret))
		return c
	}
	const sk = "ORDER#2026-01-31T09:30:00.000Z#o1"
	cursor := with("one").Cursor(0, orderCopy(sk))
	if again := with("one").Cursor(0, orderCopy(sk)); again != cursor {
		t.Errorf("a replica returns %q, not %q", again, cursor)
	}
	if got, err := with("one").ParseCursor("after", cursor); err != nil || got != place(0, sk) {
		t.Errorf("a replica reads %+v, %v", got, err)
	}
	for name, c := range map[string]foreignCursor{
		"of another secret":     {with("two"), cursor},
		"without a secret":      {with(""), cursor},
		"of no secret":          {with("one"), with("").Cursor(0, orderCopy(sk))},
		"of an earlier release": {with("one"), "AQAbMjAyNi0wMS0zMVQwOTozMDowMC4wMDBaI28xs9-Oag"},
	} {
		c.check(t, name)
	}
}

// TestCursorWithoutASortKey: an index over a table that has a partition key only, a Number, has cursors.
func TestCursorWithoutASortKey(t *testing.T) {
	layout := &stored.Layout{PK: keys.Named("Id"), Type: "type", Delimiter: "#"}
	layout.Indexes = []stored.IndexLayout{
		{Name: "byBrand", PK: keys.Named("brand")}, {Name: "byTitle", PK: keys.Named("brand"), SK: keys.Named("title")},
	}
	brand := keys.MustTemplate("{brand}")
	read := func(name, index string) *design.Field {
		return &design.Field{
			Parent: "Query", Name: name, Kind: design.Query, Index: index, Result: design.Connection, PK: brand,
			Types: []string{"Book"}, Arguments: []keys.Argument{{Name: "brand", Kind: keys.String}},
		}
	}
	design := design.MustDesign(layout, []*design.Type{{
		Name: "Book", Item: keys.Shape{PK: keys.MustTemplate("{id}")}, Identity: []string{"id"},
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.Int, Stored: "Id", NonNull: true}, {Name: "brand", Kind: keys.String},
			{Name: "title", Kind: keys.String},
		},
		Indexes: []design.Index{
			{Name: "byBrand", Shape: keys.Shape{PK: brand}, Shards: 1},
			{Name: "byTitle", Shape: shape("{brand}", "{title}"), Shards: 1},
		},
	}}, []*design.Field{read("byBrand", "byBrand"), read("byTitle", "byTitle")})
	stored := design.FromStored(item.Item{
		{Name: "Id", Value: item.Value{Kind: item.Number, Text: "-7"}}, {Name: "type", Value: item.StringValue("Book")},
		{Name: "brand", Value: item.StringValue("Acme")}, {Name: "title", Value: item.StringValue("Rush")},
	})
	for _, name := range []string{"byBrand", "byTitle"} {
		c, err := conditionOf(design.MustField("Query", name), map[string]any{"brand": "Acme"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.ParseCursor("after", c.Cursor(0, stored))
		if err != nil || got.Base != keys.KeyOf(stored) || got.SK != keys.SK(stored.Text(keys.IndexSK(name))) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
