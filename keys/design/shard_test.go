package design_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// The shard is part of what is stored on other people's disks: these numbers
// must never change.
func TestStoredShards(t *testing.T) {
	for _, c := range []struct {
		n        int
		identity []string
		want     int
	}{
		{1, []string{"o1"}, 0},
		{4, []string{"o1"}, 1},
		{4, []string{"0193b2e4-7a10-7c3e-9d5f-1a2b3c4d5e6f"}, 2},
		{4, []string{""}, 1},
		{10, []string{"o1", "0001"}, 7},
		{10, []string{"o1#0001"}, 7},
		{16, []string{"Zoë"}, 12},
		{256, []string{"a", "b", "c"}, 11},
	} {
		if got := keys.Shard(c.n, c.identity...); got != c.want {
			t.Errorf("Shard(%d, %q) is %d, want %d", c.n, c.identity, got, c.want)
		}
	}
	if got := keys.MustTemplate("STATUS#{s}").Shard("STATUS#PENDING", "3"); got != "STATUS#PENDING#3" {
		t.Errorf("shard 3 of STATUS#PENDING is %q", got)
	}
}

func TestShardsAreEven(t *testing.T) {
	const shards, objects = 8, 8000
	var count [shards]int
	for i := range objects {
		count[keys.Shard(shards, fmt.Sprintf("0193b2e4-%04x-7c3e-9d5f-1a2b3c4d5e6f", i))]++
	}
	for shard, n := range count {
		if n < objects/shards*8/10 || n > objects/shards*12/10 {
			t.Errorf("shard %d has %d of %d objects", shard, n, objects)
		}
	}
}

// spread is a design of posts: their items and their entries in an index are spread over shards.
func spread(shards int) *design.Design {
	return design.MustDesign(nil,
		[]*design.Type{
			{
				Name: "Post", Identity: []string{"topic", "n"}, Item: shape("TOPIC#{topic}", "{n:04}"), Shards: 4,
				Attributes: []design.Attribute{{Name: "topic"}, {Name: "n", Kind: keys.Int}},
				Copies:     []design.Copy{{Shape: shape("COPIES#{topic}", "{n:04}")}},
				Indexes:    []design.Index{{Name: "GSI1", Shape: shape("POSTS", "{topic}#{n:04}"), Shards: shards}},
			},
			{Name: "Topic", Identity: []string{"topic"}, Item: shape("TOPIC#{topic}", "TOPIC")},
		},
		[]*design.Field{
			{
				Parent: "Query", Name: "post", Kind: design.Get,
				PK: keys.MustTemplate("TOPIC#{name}"), SK: keys.MustTemplate("{n:04}"),
				Arguments: []keys.Argument{{Name: "name"}, {Name: "n", Kind: keys.Int}},
			},
			{
				Parent: "Query", Name: "posts", Kind: design.Query, Index: "GSI1", Result: design.Connection,
				PK: keys.MustTemplate("POSTS"),
			},
			{
				Parent: "Query", Name: "copies", Kind: design.Query, Result: design.Connection,
				PK:        keys.MustTemplate("COPIES#{name}"),
				Arguments: []keys.Argument{{Name: "name"}},
			},
		})
}

// TestShardsOfItems: a Get and a global ID find an item in the shard that BaseKey stores it in.
func TestShardsOfItems(t *testing.T) {
	d := spread(1)
	post := d.Type("Post")
	for n := range 20 {
		identity := keys.Values{{Name: "topic", Value: keys.StringValue("a")}, {Name: "n", Value: keys.IntValue(n)}}
		want := keys.Key{
			PK: keys.PK(fmt.Sprint("TOPIC#a#", keys.Shard(4, "a", fmt.Sprint(n)))), SK: keys.SK(fmt.Sprintf("%04d", n)),
		}
		if key, err := post.Key(identity.Get); err != nil || key != want || !post.IsBase(key) {
			t.Errorf("the key of %d is %v, %v, want %v", n, key, err, want)
		}
		arguments := keys.Values{{Name: "name", Value: keys.StringValue("a")}, {Name: "n", Value: keys.IntValue(n)}}
		if c, err := d.MustField("Query", "post").Bind(arguments.Get).Condition(); err != nil || c.Key != want {
			t.Errorf("the Get of %d is %v, %v, want %v", n, c.Key, err, want)
		}
		id := keys.NewID("Post", "a", fmt.Sprint(n))
		if c, err := d.BindNode(&design.Field{Kind: design.Node}, id).Condition(); err != nil || c.Key != want {
			t.Errorf("the node %d is %v, %v, want %v", n, c.Key, err, want)
		}
	}
	if post.IsBase(keys.Key{PK: "TOPIC#a", SK: "0001"}) {
		t.Error("an item without a shard is a base item")
	}
	// In its shard, no Topic is stored.
	if side := d.Adjacent(keys.Key{PK: "TOPIC#a", SK: "TOPIC"}, ""); side != design.Apart {
		t.Errorf("a topic is %v of posts in shards", side)
	}
	long := keys.Values{
		{Name: "topic", Value: keys.StringValue(strings.Repeat("x", keys.MaxPKBytes-len("TOPIC#")))},
		{Name: "n", Value: keys.IntValue(1)},
	}
	if _, err := post.Key(long.Get); err == nil {
		t.Error("a partition key that is too long with its shard")
	}
}

// TestShardsOfEntries: reads include all shards, and accept entries there.
func TestShardsOfEntries(t *testing.T) {
	for shards, c := range map[int]struct{ want, wrong string }{
		1: {"POSTS", "POSTS#0"}, 3: {"POSTS#0 POSTS#1 POSTS#2", "POSTS"},
	} {
		f := spread(shards).MustField("Query", "posts")
		bound, err := f.Bind(func(string) keys.Value { return keys.Value{} }).Condition()
		if err != nil {
			t.Fatal(err)
		}
		var pks []string
		for _, p := range bound.Partitions {
			pks = append(pks, string(p.PK))
		}
		if got := strings.Join(pks, " "); got != c.want {
			t.Errorf("%d shards: %s", shards, got)
		}
		if n, _, err := f.PartitionCount(nil, time.Time{}); err != nil || n != len(pks) {
			t.Errorf("%d shards: %d partitions are counted, %v", shards, n, err)
		}
		for _, pk := range append(pks, c.wrong) {
			entry := item.Item{
				text("PK", "TOPIC#a#1"), text("SK", "0007"), text("GSI1PK", pk), text("GSI1SK", "a#0007"),
				text("topic", "a"), {Name: "n", Value: item.IntValue(7)},
			}
			if f.Agrees(f.Matches()[0].Type, entry) != (pk != c.wrong) {
				t.Errorf("%d shards: an entry in %s agrees: %v", shards, pk, pk == c.wrong)
			}
		}
	}
}

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
				Name: "by-topic", Shape: keys.Shape{PK: of("TOPIC:{topic}"), SK: of("{at}")}, Shards: 2,
			}},
		}},
		[]*design.Field{{
			Parent: "Query", Name: "post", Kind: design.Get, PK: of("AT:{at}"), SK: of("POST"),
			Arguments: []keys.Argument{{Name: "at", Kind: keys.Time}},
		}})
}

// TestExistingShards: an item and its values are recognised in each shard.
func TestExistingShards(t *testing.T) {
	d := posts()
	post := d.Type("Post")
	for _, entry := range []string{"TOPIC:a:0", "TOPIC:a:1"} {
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
