package write_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// TestUpdateWhileShardsChange: an object whose entry has not been moved yet can be changed, also if a copy moves.
func TestUpdateWhileShardsChange(t *testing.T) {
	sharded := func(shards int, was ...int) *design.Design {
		return design.MustDesign(nil, []*design.Type{{
			Name: "Post", Identity: []string{"id"}, MaxBytes: 400, Item: shape("POST#{id}", "POST#{id}"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.String, NonNull: true}, {Name: "author", Kind: keys.String, NonNull: true},
				{Name: "topic", Kind: keys.String, NonNull: true},
			},
			Copies:  []design.Copy{{Shape: shape("AUTHOR#{author}", "POST#{id}")}},
			Indexes: []design.Index{{Name: "GSI1", Shape: shape("TOPIC#{topic}", "{id}"), Shards: shards, Was: was}},
		}}, nil)
	}
	stored := func(d *design.Design, author, topic string) []item.Item {
		return must(write.Items(d.Type("Post"), item.Item{text("id", "p1"), text("author", author), text("topic", topic)}))
	}
	d := sharded(4, 1)
	base := keys.Key{PK: "POST#p1", SK: "POST#p1"}
	m := memoryOf(stored(sharded(1), "ada", "news")...)
	if !m.transact(t, must(write.Update(d, stored(d, "ada", "news"), stored(d, "bob", "news")))) {
		t.Fatal("the copy was not moved")
	}
	if at := m[base]["GSI1PK"]; at != "TOPIC#news" {
		t.Errorf("the entry is in %s", at)
	}
	if !m.transact(t, must(write.Update(d, stored(d, "bob", "news"), stored(d, "bob", "sport")))) {
		t.Fatal("the entry was not changed")
	}
	if at, want := m[base]["GSI1PK"], stored(d, "bob", "sport")[0].Text("GSI1PK"); at != want {
		t.Errorf("the entry is in %s, want %s", at, want)
	}
}
