package design_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// TestValuesInEntriesOfEarlierShards: a value that only the key of an index has does not include the shard, which may
// be a present or an earlier one.
func TestValuesInEntriesOfEarlierShards(t *testing.T) {
	for _, c := range []struct {
		shards int
		pk     string
	}{{1, "TOPIC#a"}, {4, "TOPIC#a#3"}} {
		post := &design.Type{
			Name: "Post", Identity: []string{"id"}, MaxBytes: 1024,
			Attributes: []design.Attribute{{Name: "id", Kind: keys.String}, {Name: "topic", Kind: keys.String}},
			Item:       keys.Shape{PK: keys.MustTemplate("POST#{id}"), SK: keys.MustTemplate("POST#{id}")},
			Indexes: []design.Index{{
				Name: "GSI1", Shards: c.shards,
				Shape: keys.Shape{PK: keys.MustTemplate("TOPIC#{topic}"), SK: keys.MustTemplate("{id}")},
			}},
		}
		design := design.MustDesign(stored.DefaultLayout(), []*design.Type{post}, nil)
		key := keys.Key{PK: "POST#p1", SK: "POST#p1"}
		it := design.FromStored(storedText(key, keys.Key{PK: keys.PK(c.pk), SK: "p1"}))
		if topic, _ := it.Get("topic"); !topic.Equal(item.StringValue("a")) {
			t.Errorf("%d shards, %s: the topic is %q", c.shards, c.pk, topic.Text)
		}
	}
}

// TestTimesOnlyInKeysOfBuckets: of a time that only keys have, the partition key has the month. The value is that of
// the sort key, whatever delimiter separates its parts.
func TestTimesOnlyInKeysOfBuckets(t *testing.T) {
	for _, delimiter := range []string{"#", "|", "/", ":", "::", "-"} {
		join := func(parts ...string) string { return strings.Join(parts, delimiter) }
		layout := &stored.Layout{PK: keys.Named("PK"), SK: keys.Named("SK"), Delimiter: delimiter}
		design := design.MustDesign(layout, []*design.Type{{
			Name: "Reading", Identity: []string{"device", "at"},
			Attributes: []design.Attribute{
				{Name: "device", Kind: keys.String}, {Name: "at", Kind: keys.Time, As: keys.Seconds},
			},
			Item: keys.Shape{
				PK: keys.MustDelimited(delimiter, join("DEVICE", "{device}", "{at:month}")),
				SK: keys.MustDelimited(delimiter, join("R", "{at}")),
			},
		}}, nil)
		key := keys.Key{PK: keys.PK(join("DEVICE", "a", "2024-01")), SK: keys.SK(join("R", "2024-01-15T10:30:00Z"))}
		it := design.FromStored(storedText(key, keys.Key{}))
		if at, device := it.Text("at"), it.Text("device"); at != "2024-01-15T10:30:00.000Z" || device != "a" {
			t.Errorf("%s is of device %q at %q", key, device, at)
		}
		built, err := design.Types[0].BaseKey(func(name string) keys.Value { return keys.AttributeValue(it, name) })
		if err != nil || built != key {
			t.Errorf("the key is %s, not %s: %v", built, key, err)
		}
		if !design.Types[0].Agrees(it) {
			t.Errorf("%s does not agree", key)
		}
	}
}

// TestTypeOfTimes: {at} holds any text, but no time begins with a letter, so "Join:" begins the key of another type,
// whichever is declared first.
func TestTypeOfTimes(t *testing.T) {
	room := keys.MustTemplate("ROOM#{room}")
	message := &design.Type{
		Name: "Message", Identity: []string{"room", "at"},
		Attributes: []design.Attribute{{Name: "room", Kind: keys.String}, {Name: "at", Kind: keys.Time}},
		Item:       keys.Shape{PK: room, SK: keys.MustTemplate("{at}")},
	}
	connection := &design.Type{
		Name: "Connection", Identity: []string{"room", "user"},
		Attributes: []design.Attribute{{Name: "room", Kind: keys.String}, {Name: "user", Kind: keys.String}},
		Item:       keys.Shape{PK: room, SK: keys.MustTemplate("Join:{user}")},
	}
	if design.CanShareKey(message, message.Item, connection, connection.Item) ||
		design.CanShareKey(connection, connection.Item, message, message.Item) {
		t.Error("a time may begin with Join:")
	}
	for _, types := range [][]*design.Type{{message, connection}, {connection, message}} {
		d := design.MustDesign(&stored.Layout{PK: keys.Named("PK"), SK: keys.Named("SK"), Delimiter: "#"}, types, nil)
		for sk, want := range map[keys.SK]*design.Type{
			"2024-01-15T10:30:00.000Z": message, "Join:ada": connection, "Leave:ada": nil,
		} {
			got := d.TypeOf(keys.Key{PK: "ROOM#a", SK: sk})
			if want == nil && got != nil || want != nil && (got == nil || got.Name != want.Name) {
				t.Errorf("the type of %s is %v", sk, got)
			}
		}
	}
}

func TestExpiry(t *testing.T) {
	shape := keys.Shape{PK: keys.MustTemplate("{id}"), SK: keys.MustTemplate("{id}")}
	id := design.Attribute{Name: "id", Kind: keys.String, NonNull: true}
	until := design.Attribute{Name: "until", Kind: keys.Time, Stored: "ttl", As: keys.EpochSeconds}
	d := design.MustDesign(nil, []*design.Type{
		{Name: "User", Item: shape, Attributes: []design.Attribute{id}},
		{Name: "Session", Item: shape, Attributes: []design.Attribute{id, until}, Expires: "until"},
		{Name: "Code", Item: shape, Attributes: []design.Attribute{id}, Expires: "ttl"},
	}, nil)
	if got := d.ExpiryAttribute(); got != "ttl" {
		t.Errorf("the attribute is %q", got)
	}
	number := func(n int64, end string) item.Value {
		return item.Value{Kind: item.Number, Text: strconv.FormatInt(n, 10) + end}
	}
	now := time.Date(2026, 1, 31, 9, 30, 0, 999e6, time.UTC)
	second := now.Truncate(time.Second)
	for name, tt := range map[string]struct {
		typ, attribute string
		value          item.Value
		expired        bool
	}{
		"a time":                       {"Session", "until", item.TimeValue(second), true},
		"a later time":                 {"Session", "until", item.TimeValue(second.Add(time.Second)), false},
		"a number":                     {"Code", "ttl", item.IntValue(second.Unix()), true},
		"a later number":               {"Code", "ttl", item.IntValue(second.Unix() + 1), false},
		"a time with a fraction":       {"Code", "ttl", number(second.Unix()-1, ".5"), true},
		"a fraction later":             {"Code", "ttl", number(second.Unix(), ".5"), false},
		"a field with a fraction":      {"Session", "until", number(second.Unix()-1, ".5"), true},
		"an exponent":                  {"Code", "ttl", number(second.Unix()/1000, "E+3"), true},
		"a number of 38 digits":        {"Code", "ttl", number(second.Unix(), strings.Repeat("9", 28)), false},
		"milliseconds":                 {"Code", "ttl", item.IntValue(second.UnixMilli()), false},
		"five years ago":               {"Code", "ttl", item.IntValue(second.AddDate(-5, 0, 0).Unix()), true},
		"longer ago":                   {"Code", "ttl", item.IntValue(second.AddDate(-5, 0, 0).Unix() - 1), false},
		"0 for never":                  {"Code", "ttl", item.IntValue(0), false},
		"a text":                       {"Code", "ttl", item.TimeValue(second), false},
		"an item of another type":      {"User", "ttl", item.IntValue(second.Unix()), true},
		"a claim":                      {"Claim", "ttl", item.IntValue(second.Unix()), true},
		"the time of something else":   {"User", "until", item.TimeValue(second), false},
		"an attribute of another name": {"Code", "until", item.IntValue(second.Unix()), false},
		"none":                         {"Session", "until", item.Value{}, false},
	} {
		it := item.Item{
			{Name: item.EntityType, Value: item.StringValue(tt.typ)}, {Name: tt.attribute, Value: tt.value},
		}
		e := d.ExpiryAt(now)
		if e.IsExpired(it) != tt.expired || e.IsMissing(it) != tt.expired {
			t.Errorf("%s: expired is %v", name, !tt.expired)
		}
	}
	if design.MustDesign(nil, d.Types[:1], nil).ExpiryAt(now).IsExpired(item.Item{
		{Name: keys.AttributeExpiry, Value: item.IntValue(second.Unix())},
	}) {
		t.Error("an item has expired although no type of the design does")
	}
	code := design.MustDesign(nil, d.Types[2:], nil)
	if !code.ExpiryAt(now).IsExpired(item.Item{
		{Name: item.EntityType, Value: item.StringValue("Code")}, {Name: "ttl", Value: item.IntValue(second.Unix())},
	}) {
		t.Errorf("an item has not expired by %q, which is no field", code.ExpiryAttribute())
	}
}
