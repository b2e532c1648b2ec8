package keys_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestValuesInEntriesOfEarlierShards: a value that only the key of an index has does not include the shard, which may
// be a present or an earlier one.
func TestValuesInEntriesOfEarlierShards(t *testing.T) {
	for _, c := range []struct {
		shards int
		was    []int
		pk     string
	}{
		{1, nil, "TOPIC#a"}, {4, nil, "TOPIC#a#3"},
		{1, []int{4}, "TOPIC#a#3"}, {1, []int{4}, "TOPIC#a"}, {4, []int{1}, "TOPIC#a"},
	} {
		post := &keys.Type{
			Name: "Post", Identity: []string{"id"}, MaxBytes: 1024,
			Attributes: []keys.Attribute{{Name: "id", Kind: keys.String}, {Name: "topic", Kind: keys.String}},
			Item:       keys.Shape{PK: keys.MustTemplate("POST#{id}"), SK: keys.MustTemplate("POST#{id}")},
			Indexes: []keys.Index{{
				Name: "GSI1", Shards: c.shards, Was: c.was,
				Shape: keys.Shape{PK: keys.MustTemplate("TOPIC#{topic}"), SK: keys.MustTemplate("{id}")},
			}},
		}
		design := keys.MustDesign(keys.DefaultLayout(), []*keys.Type{post}, nil)
		key := keys.Key{PK: "POST#p1", SK: "POST#p1"}
		it := design.FromStored(stored(key, keys.Key{PK: keys.PK(c.pk), SK: "p1"}))
		if topic, _ := it.Get("topic"); !topic.Equal(item.StringValue("a")) {
			t.Errorf("%d shards after %v, %s: the topic is %q", c.shards, c.was, c.pk, topic.Text)
		}
	}
}
