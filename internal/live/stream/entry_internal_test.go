package stream

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// TestEntries: what a replica publishes is read by another one as it was, with values of all kinds, and not by itself.
// An item of the table itself has nothing but its place in the shard.
func TestEntries(t *testing.T) {
	const text = `{"PK":{"S":"a"},"S":{"S":"<&>\"\\\u2028é\u0000"},"N":{"N":"1e-7"},"B":{"B":"AP8="},"T":{"BOOL":true},` +
		`"F":{"BOOL":false},"0":{"NULL":true},"M":{"M":{"l":{"L":[{"M":{}},{"N":"2"}]}}},"L":{"L":[]},` +
		`"SS":{"SS":["a","b"]},"NS":{"NS":["1","2.50"]},"BS":{"BS":["/w=="]}}`
	it, err := wire.ParseItem(text)
	fatal.If(t, err)
	records := []*record{
		{shard: "shard", sequence: "1", at: time.UnixMilli(1234), new: it},
		{shard: "shard", sequence: "2", at: time.UnixMilli(5678), old: it[:1], new: it},
		{shard: "shard", sequence: "3", at: time.UnixMilli(9012), old: it},
		{shard: "shard", sequence: "4", at: time.UnixMilli(9013), new: reserved()},
	}
	sent := publish(table.Schema{}, records)
	encoded, err := sent.encode()
	fatal.If(t, err)
	if own, err := decodeEntry(encoded, sent.from); own != nil || err != nil {
		t.Errorf("its own entry is %v, %v", own, err)
	}
	received, err := decodeEntry(encoded, "another one")
	fatal.If(t, err)
	if received.from != sent.from || len(received.Parts) != 1 {
		t.Fatalf("it receives %+v", received)
	}
	got := recordsOf(received)
	if len(got) != len(records) || !last(got).isReserved || last(got).change != nil {
		t.Fatalf("it receives %d records, the last one is %+v", len(got), last(got))
	}
	for i, one := range got[:3] {
		away := one.change.Away
		var items record
		fatal.If(t, items.decode(string(sent.items[away.From:away.From+away.Bytes]), away.Old))
		one.change.Bring(live.Items{Old: items.old, New: items.new})
		if diff := cmp.Diff(records[i].change, one.change, cmpopts.IgnoreFields(live.Change{}, "Scope")); diff != "" {
			t.Error(diff)
		}
		if len(away.Places) != 1 {
			t.Errorf("%d places, want that of the table", len(away.Places))
		}
	}
}

// publish returns an entry with records.
func publish(s table.Schema, records []*record) *entry {
	e := &entry{from: uuid.NewString(), Stream: "arn", Items: "items", Parts: []part{{Shard: "shard"}}}
	encoder := newEncoder(s)
	for _, one := range records {
		var h head
		h, e.items = encoder.encode(one, &live.Change{}, e.items)
		e.Parts[0].heads = append(e.Parts[0].heads, h)
	}
	return e
}

// recordsOf returns the records of an entry.
func recordsOf(e *entry) []*record {
	return e.Parts[0].records("", e.Items, 0)
}

func reserved() item.Item {
	layout := stored.DefaultLayout()
	return layout.StoredKey(layout.ReadersKey())
}

// TestDamagedEntries: whatever the store has, it is an entry or an error, and so are items.
func TestDamagedEntries(t *testing.T) {
	it, at := stored.DefaultLayout().StoredKey(keys.Key{PK: "a", SK: "b"}), time.UnixMilli(1234)
	sent := publish(table.Schema{}, []*record{
		{sequence: "1", at: at, new: reserved()}, {sequence: "2", at: at, new: it}, {sequence: "3", at: at, old: it},
	})
	whole, err := sent.encode()
	fatal.If(t, err)
	if e, err := decodeEntry(whole, "another one"); err != nil || len(recordsOf(e)) != 3 {
		t.Fatalf("the whole entry is %+v, %v", e, err)
	}
	text, err := s2.Decode(nil, []byte(whole[idBytes:]))
	fatal.If(t, err)
	for n := range text {
		if e, err := decodeEntry(sent.from+string(s2.Encode(nil, text[:n])), "another one"); err == nil {
			t.Errorf("%d of %d bytes are the entry %+v", n, len(text), e)
		}
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			changed := slices.Clone(text)
			changed[n] = b
			if e, err := decodeEntry(sent.from+string(s2.Encode(nil, changed)), "another one"); err == nil {
				for i := range e.Parts {
					_ = e.Parts[i].records("", "", 0)
				}
			}
		}
	}
	if d := (decoder{text: "\x03ab"}); d.string() != "ab" || !d.isDamaged {
		t.Error("a text that is cut off is not damaged")
	}
	counted := func(records string) string {
		changed := strings.Replace(string(text), `"records":3`, `"records":`+records, 1)
		return sent.from + string(s2.Encode(nil, []byte(changed)))
	}
	for _, damaged := range []string{
		"", sent.from, sent.from + "x", counted("2"), counted("4"), counted("-1"), counted("9e18"),
	} {
		if e, err := decodeEntry(damaged, "another one"); err == nil {
			t.Errorf("%q is the entry %+v", damaged, e)
		}
	}
	image := `{"PK":{"S":"a"}}`
	for block, old := range map[string]int{
		"": 0, "x": 0, image: 0, string(s2.Encode(nil, nil)): 0, string(s2.Encode(nil, []byte(image+"x"))): len(image),
		string(s2.Encode(nil, []byte(image))): len(image) + 1, string(s2.Encode(nil, []byte(image))) + "x": 0,
	} {
		if r := (&record{}); r.decode(block, old) == nil {
			t.Errorf("%q is the record %+v", block, r)
		}
	}
}

// TestSchemes: replicas agree about the places of changes if their schemes are equal. Another index, name or owner
// makes another scheme.
func TestSchemes(t *testing.T) {
	base := table.SchemaOf(orders)
	others := map[string]table.Schema{"tenants": base, "owner": base, "indexes": base, "no design": base}
	change := func(name string, by func(*table.Schema)) {
		s := others[name]
		by(&s)
		others[name] = s
	}
	change("tenants", func(s *table.Schema) { s.Tenants = true })
	change("owner", func(s *table.Schema) { s.Owner = &table.Owner{Name: "a"} })
	change("indexes", func(s *table.Schema) { s.Indexes = nil })
	change("no design", func(s *table.Schema) { s.Design = nil })
	again := base
	if schemeOf(&again) != schemeOf(&base) {
		t.Error("the same schema has two schemes")
	}
	seen := map[string]string{schemeOf(&base): "the schema"}
	for name, s := range others {
		scheme := schemeOf(&s)
		if other, found := seen[scheme]; found {
			t.Errorf("%s has the scheme of %s", name, other)
		}
		seen[scheme] = name
	}
}
