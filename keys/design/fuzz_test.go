package design_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// hostile are texts that could end a segment early, widen a range, or that
// DynamoDB cannot store.
var hostile = []string{
	"", "7", "#", "7#", "#7", "7#ORDER#", "USER#7", "$", " ", "\x00", "7\n", "\x7f", "\u0085", "\u2028", "\xff", "a\xc3",
	"\U0010FFFF", "\U0010FFFFa", "York", "Zoë", "%", ":", "{id}", strings.Repeat("x", 1000), strings.Repeat("x", 1025),
	strings.Repeat("x", 2044), strings.Repeat("x", 2049), strings.Repeat("€", 3000),
	"2026-01-31T09:30:00Z", "2026-03-01T00:00:00.0009+01:00", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.9999Z",
	"VXNlcjo3", "VXNlcjo", "VXNlcjojNyM", "T3JkZXI6Nw",
	keys.NewID("User", "a#b").Encode(), keys.NewID("User", "\x01").Encode(),
}

// messages are all messages that a caller may get about a value: fixed sentences that do not
// contain the value.
var messages = []string{
	"* must not be empty",
	"* must not contain '#' or a control character",
	"* must be valid UTF-8",
	"* must be a time",
	"* must have both from and to: the collection is stored in time buckets",
	"* spans more than 48 time buckets; ask for a shorter span",
	"*.from must not be after *.to",
	"* is too long: a key holds at most 2048 bytes",
	"* must be between 0 and 9999",
	"* must be between 0 and 99",
	"* must be between 0 and 9999999",
	"* is the id of another type; pass an id of type User",
	"* is not an id of this API; pass an id of type User exactly as a response gave it",
	"*: an id has at most 9216 bytes; pass an id exactly as a response gave it",
	"*: a time must be written as in RFC 3339, such as 2026-01-31T09:30:00.000Z",
	"*: a time must lie in the years 0000 to 9999",
	"* is not a cursor of this connection; pass one that it returned for the same arguments, or none",
	"* lies outside of createdAt; start again without it, or ask for the span it came from",
	"* lies outside of at; start again without it, or ask for the span it came from",
	"this is not an id of this API; pass an id exactly as a response gave it",
	"no object can be read by this id: a value in it contains '#', which joins the parts of keys",
	"the values are too long together: a partition key holds at most 2048 bytes",
	"the values are too long together: a sort key holds at most 1024 bytes",
}

// rejected reports whether there is an error. Its message must be one of messages.
func rejected(t *testing.T, err error) bool {
	if err == nil {
		return false
	}
	var in *keys.InputError
	if !errors.As(err, &in) {
		t.Fatalf("not an InputError: %v", err)
	}
	known := func(sentence string) bool { return strings.ReplaceAll(sentence, "*", in.Argument) == in.Message }
	if !slices.ContainsFunc(messages, known) {
		t.Fatalf("an error about %q that callers must not see: %q", in.Argument, in.Message)
	}
	return true
}

// storable checks what holds for every key value.
func storable[K ~string](t *testing.T, key K, limit int) {
	readable(t, key, limit)
	if strings.ContainsFunc(string(key), unicode.IsControl) {
		t.Fatalf("%q has a control character", key)
	}
}

// readable checks what holds for every key of a table, also one that another program has written.
func readable[K ~string](t *testing.T, key K, limit int) {
	text := string(key)
	if text == "" || len(text) > limit || !utf8.ValidString(text) {
		t.Fatalf("%q cannot be a key", key)
	}
}

// within checks that a range lies inside of the sort keys that begin with the
// prefix.
func within(t *testing.T, c design.Condition, prefix keys.SK) {
	from, to := c.Bounds()
	if c.Prefix != prefix || from < prefix || to > keys.EndOf(prefix) || from > to {
		t.Fatalf("%q to %q of %q lies not within %q", from, to, c.Prefix, prefix)
	}
	storable(t, from, keys.MaxSKBytes)
	storable(t, to, keys.MaxSKBytes)
}

// partitions checks that these and no others are read.
func partitions(t *testing.T, c design.Condition, want ...string) {
	if len(c.Partitions) != len(want) {
		t.Fatalf("%d partitions, want %d", len(c.Partitions), len(want))
	}
	for i, p := range c.Partitions {
		if string(p.PK) != want[i] {
			t.Fatalf("partition %d is %q, want %q", i, p.PK, want[i])
		}
		storable(t, p.PK, keys.MaxPKBytes)
	}
}

// FuzzCondition sends any three texts as the values of each kind of field. The keys are exactly
// those of the values, or there is an InputError.
func FuzzCondition(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, hostile[(i+1)%len(hostile)], "x")
		f.Add("x", text, hostile[(i+3)%len(hostile)])
		f.Add("x", "y", text)
	}
	send := func(parent, name string, values map[string]any) (design.Condition, error) {
		return conditionOf(shop.MustField(parent, name), values)
	}
	f.Fuzz(func(t *testing.T, x, y, z string) {
		if c, err := send("Query", "latest", map[string]any{"doc": x}); !rejected(t, err) {
			if c.Key != (keys.Key{PK: keys.PK("DOC#" + x), SK: "LATEST"}) {
				t.Fatalf("the key is %q", c.Key)
			}
			storable(t, c.Key.PK, keys.MaxPKBytes)
		}
		if c, err := send("User", "follows", map[string]any{"id": x, "userId": y}); !rejected(t, err) {
			id, err := keys.ParseID(y)
			if want := (keys.Key{PK: keys.PK("USER#" + x), SK: keys.SK("FOLLOWS#" + id.Value())}); err != nil || c.Key != want {
				t.Fatalf("the key is %q, want %q, %v", c.Key, want, err)
			}
			storable(t, c.Key.PK, keys.MaxPKBytes)
			storable(t, c.Key.SK, keys.MaxSKBytes)
		}
		paid := map[string]any{"status": x, "createdAt": map[string]any{"from": y, "to": z}}
		if c, err := send("Query", "ordersByStatus", paid); !rejected(t, err) && !c.IsEmpty() {
			partitions(t, c, "STATUS#"+x+"#0", "STATUS#"+x+"#1", "STATUS#"+x+"#2", "STATUS#"+x+"#3")
			within(t, c, "")
		}
		until := map[string]any{"to": y}
		if c, err := send("User", "orders", map[string]any{"id": x, "createdAt": until}); !rejected(t, err) {
			partitions(t, c, "USER#"+x)
			within(t, c, "ORDER#")
		}
		if c, err := send("Query", "stores", map[string]any{"chain": x, "country": y, "state": z}); !rejected(t, err) {
			partitions(t, c, "CHAIN#"+x)
			within(t, c, keys.SK("COUNTRY#"+y+"#STATE#"+z+"#CITY#"))
		}
		if c, err := send("Query", "userByBoth", map[string]any{"email": x, "id": y}); !rejected(t, err) {
			id, _ := keys.ParseID(y)
			partitions(t, c, "EMAIL#"+x)
			if want := keys.SK("USER#" + id.Value()); c.From != want || c.To != want {
				t.Fatalf("%q to %q, want only %q", c.From, c.To, want)
			}
		}
		span := map[string]any{"device": x, "at": map[string]any{"from": y, "to": z}}
		if c, err := send("Query", "readings", span); !rejected(t, err) && !c.IsEmpty() {
			var days []string
			for _, p := range c.Partitions {
				if len(p.Label) != len("2006-01-02") || len(days) > 0 && days[len(days)-1] >= "DEVICE#"+x+"#"+p.Label {
					t.Fatalf("the days are %v", c.Partitions)
				}
				days = append(days, "DEVICE#"+x+"#"+p.Label)
			}
			if len(days) == 0 || len(days) > keys.MaxBuckets {
				t.Fatalf("%d time buckets", len(days))
			}
			partitions(t, c, days...)
			within(t, c, "")
		}
	})
}

// FuzzPrefixes checks that the range of the keys of a value contains the keys of no other value.
func FuzzPrefixes(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, text+"x")
		f.Add(text, hostile[(i+1)%len(hostile)])
	}
	f.Add("York", "York$")
	f.Add("York", "York ")
	f.Add("\U0010FFFF", "x")
	shape := shop.Type("Store").Item
	f.Fuzz(func(t *testing.T, city, other string) {
		c, err := conditionOf(shop.MustField("Query", "stores"),
			map[string]any{"chain": "x", "country": "US", "state": "PA", "city": city})
		if rejected(t, err) {
			return
		}
		key, err := shape.Key(func(name string) keys.Value {
			return map[string]keys.Value{
				"chain": keys.StringValue("x"), "country": keys.StringValue("US"), "state": keys.StringValue("PA"),
				"city": keys.StringValue(other), "id": keys.StringValue(other),
			}[name]
		})
		if rejected(t, err) {
			return
		}
		from, to := c.Bounds()
		in, hasPrefix := from <= key.SK && key.SK <= to, strings.HasPrefix(string(key.SK), string(c.Prefix))
		if in != (city == other) || in != hasPrefix {
			t.Fatalf("%q lies in %q to %q: %v", key.SK, from, to, in)
		}
		// The range of all keys of the partition contains every key.
		whole := mustCondition(t, "Query", "stores", map[string]any{"chain": "x"})
		for _, c := range []*design.Condition{whole, {Prefix: "C"}, {Prefix: ""}} {
			if from, to := c.Bounds(); key.SK < from || key.SK > to {
				t.Fatalf("%q lies outside of %q to %q", key.SK, from, to)
			}
		}
		if end := keys.EndOf(""); keys.SK(other) > end {
			t.Fatalf("%q sorts after the end of all keys", other)
		}
	})
}

// FuzzParseID parses any text as a global ID. There is an InputError, or the text is exactly that
// of the ID, which leads to the key of its values.
func FuzzParseID(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
		f.Add(base64.RawURLEncoding.EncodeToString([]byte(text)))
		f.Add(keys.NewID("User", text).Encode())
		f.Add(keys.NewID("Item", "o1", text).Encode())
		f.Add(keys.NewID("Reading", text, "2026-01-31T09:30:00.000Z", "3").Encode())
		f.Add(keys.NewID("Reading", "d", text, "03").Encode())
		f.Add(keys.NewID("Store", "x", text, text, text, text).Encode())
	}
	node := shop.MustField("Query", "node")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := keys.ParseID(text)
		if rejected(t, err) {
			return
		}
		if id.Encode() != text || keys.NewID(id.Type(), id.Values()...) != id {
			t.Fatalf("%q is the text of %q, whose text is %q", text, id, id.Encode())
		}
		c, err := shop.BindNode(node, id).Condition()
		if rejected(t, err) {
			return
		}
		typ := shop.Type(id.Type())
		values := append([]string(nil), id.Values()...)
		for _, part := range []struct {
			template keys.Template
			text     string
		}{{typ.Item.PK, string(c.Key.PK)}, {typ.Item.SK, string(c.Key.SK)}} {
			got, ok := part.template.Match(part.text)
			if !ok {
				t.Fatalf("%q does not match %q", part.text, part.template)
			}
			i := 0
			for _, s := range part.template.Segments() {
				if s.Variable == "" {
					continue
				}
				want := values[slices.Index(typ.Identity, s.Variable)]
				if got[i] != want && (s.Bucket == 0 || got[i] != want[:s.Bucket]) {
					t.Fatalf("%q holds %q for %s, want %q", part.text, got[i], s.Variable, want)
				}
				i++
			}
		}
		storable(t, c.Key.PK, keys.MaxPKBytes)
		storable(t, c.Key.SK, keys.MaxSKBytes)
	})
}

// FuzzParseCursor parses any text, and any payload encrypted with the right secret, as a cursor. There is
// an InputError, or the position is in the field's own range.
func FuzzParseCursor(f *testing.F) {
	span := map[string]any{"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}
	open, err := eventsOf("pageDown", "", "")
	if err != nil {
		f.Fatal(err)
	}
	conditions := []*design.Condition{
		&open,
		mustCondition(f, "User", "orders", map[string]any{"id": "7"}),
		mustCondition(f, "User", "orders", map[string]any{"id": "7", "createdAt": span}),
		mustCondition(f, "Query", "ordersByStatus", map[string]any{"status": "PAID", "createdAt": span}),
		mustCondition(f, "Query", "ordersByStatus", map[string]any{"status": "PAID"}),
		mustCondition(f, "Query", "stores", map[string]any{"chain": "x", "country": "US"}),
		mustCondition(f, "Query", "readings", map[string]any{"device": "d", "at": span}),
		mustCondition(f, "Query", "userByBoth", map[string]any{"email": "a", "id": keys.NewID("User", "7").Encode()}),
		mustCondition(f, "Query", "tenant", map[string]any{"tenant": "t"}),
	}
	text := func(parts ...string) (payload []byte) {
		for _, p := range parts {
			payload = append(append(payload, byte(len(p))), p...)
		}
		return payload
	}
	for _, s := range hostile {
		s = s[:min(len(s), 127)]
		f.Add(text("", s))
		f.Add(text("", "2026-01-01T09:30:00.000Z#"+s))
		f.Add(text("2", "2026-01-01T09:30:00.000Z#"+s, "ORDER#"+s, "ORDER#"+s))
		f.Add(text("2", "2026-01-01T09:30:00.000Z#o1", "ORDER#o1", s))
		f.Add(text(s, "2026-01-01T09:30:00.000Z#o1", "ORDER#o1", "ORDER#o1"))
		f.Add(text("\x00", s))
		f.Add(text("\x002", s, "ORDER#o1", "ORDER#o1"))
		f.Add(text("2026-01", "2026-01-01T09:30:00.000Z"))
		f.Add(text("2026-01-01", "2026-01-01T09:30:00.000Z#"+s))
		f.Add(text("", "PA#CITY#York#"+s))
		f.Add([]byte(s))
	}
	for _, c := range conditions {
		sk := string(c.Prefix) + "2026-01-01T09:30:00.000Z#o1"
		f.Add([]byte(c.Cursor(0, indexed(sk, "ORDER#o1", sk))))
	}
	long := append([]byte{0, 0x80 | 100, 0x10}, strings.Repeat("x", 2148)...)
	f.Add(append(long, text("ORDER#o1", "ORDER#o1")...))
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, c := range conditions {
			for _, cursor := range []string{string(payload), base64.RawURLEncoding.EncodeToString(payload), c.Forge(payload)} {
				p, err := c.ParseCursor("after", cursor)
				if rejected(t, err) {
					continue
				}
				from, to := c.Bounds()
				isWhole := c.From == "" && c.Prefix == "" // any sort key
				in := p.Partition >= 0 && p.Partition < len(c.Partitions) && (isWhole || p.SK >= from && p.SK <= to)
				if !in {
					t.Fatalf("%+v lies outside of %q to %q", p, from, to)
				}
				readable(t, p.SK, keys.MaxSKBytes)
				if c.Field.Index == "" {
					if p.Base != (keys.Key{}) {
						t.Fatalf("a base key of the table: %+v", p)
					}
					continue
				}
				readable(t, p.Base.PK, keys.MaxPKBytes)
				readable(t, p.Base.SK, keys.MaxSKBytes)
			}
		}
	})
}

// FuzzTemplateMatch matches any key with any template. The template builds the same key from the
// result.
func FuzzTemplateMatch(f *testing.F) {
	for _, s := range hostile {
		f.Add("USER#{id}", "USER#"+s)
		f.Add("{a}#{b}", s)
		f.Add(s, s)
	}
	f.Add("ORDER#{at}#{id}", "ORDER#2026-01-31T09:30:00.000Z#o1")
	f.Add("ITEM#{n:04}", "ITEM#0000")
	f.Add("v{n:019}", "v0000000000000000012")
	f.Add("{at:month}#{at:year}", "2026-01#2026")
	f.Add("{at:month}", "2026-é")
	f.Fuzz(func(t *testing.T, text, key string) {
		template, err := keys.ParseTemplate(text)
		if err != nil {
			return
		}
		values, ok := template.Match(key)
		if !ok {
			return
		}
		if len(values) != len(template.Variables()) || !strings.HasPrefix(key, template.Leading()) {
			t.Fatalf("%q matches %q as %q", template, key, values)
		}
		next := 0
		again, err := template.Build(func(string) keys.Value { next++; return keys.StringValue(values[next-1]) })
		if err != nil || again != key {
			t.Fatalf("%q matches %q as %q, which builds %q, %v", template, key, values, again, err)
		}
	})
}
