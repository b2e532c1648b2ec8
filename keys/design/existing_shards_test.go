package design_test

import (
	"fmt"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// posts is an existing table without a type attribute. The delimiter is part of the times in its keys. Items, and their
// entries in an index, are spread over shards.
func posts() *design.Design {
	of := func(text string) keys.Template { return keys.MustDelimited(":", text) }
	return design.MustDesign(
		&stored.Layout{
			PK: keys.Named("pk"), SK: keys.Named("sk"), Delimiter: ":",
			Indexes: []stored.IndexLayout{{Name: "by-topic", PK: keys.Named("gpk"), SK: keys.Named("gsk")}},
		},
		[]*design.Type{{
			Name: "Post", Identity: []string{"at"}, Shards: 4, Item: keys.Shape{PK: of("AT:{at}"), SK: of("POST")},
			Attributes: []design.Attribute{{Name: "at", Kind: keys.Time}, {Name: "topic", Kind: keys.String}},
			Indexes: []design.Index{{
				Name: "by-topic", Shape: keys.Shape{PK: of("TOPIC:{topic}"), SK: of("{at}")}, Shards: 2, Was: []int{1},
			}},
		}},
		[]*design.Field{{
			Parent: "Query", Name: "post", Kind: design.Get, PK: of("AT:{at}"), SK: of("POST"),
			Arguments: []keys.Argument{{Name: "at", Kind: keys.Time}},
		}})
}

// TestExistingShards: an item and its values are recognised in each shard, and an entry also where it was before it was
// spread over shards.
func TestExistingShards(t *testing.T) {
	d := posts()
	post := d.Type("Post")
	for _, entry := range []string{"TOPIC:a", "TOPIC:a:0", "TOPIC:a:1"} {
		it := d.FromStored(item.Item{text("pk", "AT:"+at+":3"), text("sk", "POST"), text("gpk", entry), text("gsk", at)})
		for name, want := range map[string]string{item.EntityType: "Post", "at": at, "topic": "a"} {
			if got := it.Text(name); got != want {
				t.Errorf("%s of an item in %s is %q, want %q", name, entry, got, want)
			}
		}
		if !post.Agrees(it) {
			t.Errorf("an item in %s does not agree with its key", entry)
		}
	}
	for _, pk := range []keys.PK{"AT:" + at, "AT:x:3", "AT:" + at + "3", "AT:" + at + ":"} {
		if got := d.TypeOf(keys.Key{PK: pk, SK: "POST"}); got != nil {
			t.Errorf("an item under %q is a %s", pk, got.Name)
		}
	}
}

// TestTimesWithDelimiter: a time is a value of a key whose delimiter is part of it, and nothing else is.
func TestTimesWithDelimiter(t *testing.T) {
	get := posts().MustField("Query", "post")
	c, err := conditionOf(get, map[string]any{"at": at})
	want := keys.Key{PK: keys.PK(fmt.Sprintf("AT:%s:%d", at, keys.Shard(4, at))), SK: "POST"}
	if err != nil || c.Key != want {
		t.Errorf("the key is %v, %v, want %v", c.Key, err, want)
	}
	for _, wrong := range []string{"2026-01-31T09:30:00Z", "a:b", "2026-01-31", "2026-01-31T09:30:00.000Z:1"} {
		if key, err := posts().Type("Post").BaseKey(func(string) keys.Value { return keys.StringValue(wrong) }); err == nil {
			t.Errorf("the key of %q is %v", wrong, key)
		}
	}
}

// TestBucketsOfTimesWithDelimiter: a time is cut to a bucket before the delimiter in it could matter.
func TestBucketsOfTimesWithDelimiter(t *testing.T) {
	pk := keys.MustDelimited(":", "DEVICE:{at:month}")
	values := func(string) keys.Value { return keys.StringValue(at) }
	if got, err := pk.Build(values); err != nil || got != "DEVICE:"+at[:7] {
		t.Errorf("%q, %v", got, err)
	}
}

// TestHasDelimiter: an item that has the delimiter in a time only can be written.
func TestHasDelimiter(t *testing.T) {
	post := posts().Type("Post")
	for topic, want := range map[string]bool{"a": false, "a:b": true} {
		if got := post.HasDelimiter(item.Item{text("at", at), text("topic", topic)}); got != want {
			t.Errorf("%v for the topic %s", got, topic)
		}
	}
}

// TestEntryOfShardedItem: an index on the table's keys has those of the item, with the shard that no template has.
func TestEntryOfShardedItem(t *testing.T) {
	d := posts()
	inverted := stored.IndexLayout{Name: "inverted", PK: keys.Named("sk"), SK: keys.Named("pk")}
	d.Layout.Indexes = append(d.Layout.Indexes, inverted)
	post, it := d.Type("Post"), keys.Key{PK: "AT:x:3", SK: "POST"}
	for name, want := range map[string]keys.Key{
		"inverted": {PK: "POST", SK: "AT:x:3"}, "by-topic": {PK: "TOPIC:a", SK: "x"},
	} {
		if got := post.EntryOf(it, design.Index{Name: name}, keys.Key{PK: "TOPIC:a", SK: "x"}); got != want {
			t.Errorf("the entry in %s is %v, want %v", name, got, want)
		}
	}
}

func TestNothingStored(t *testing.T) {
	d := posts()
	if from, to := d.FromStored(nil), d.ToStored(nil); from != nil || to != nil {
		t.Errorf("no item is translated to %v, %v", from, to)
	}
	if ix := d.Layout.Index(""); ix.PK.String() != "pk" || ix.SK.String() != "sk" {
		t.Errorf("the keys of the table are %s and %s", ix.PK, ix.SK)
	}
}
