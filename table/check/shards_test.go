package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// posts returns a design whose entries are, and were, in these numbers of shards.
func posts(shards int, was ...int) *design.Design {
	return design.MustDesign(nil, []*design.Type{{
		Name: "Post", Identity: []string{"id"}, MaxBytes: 512, Item: shape("POST#{id}", "POST#{id}"),
		Attributes: []design.Attribute{text("id"), text("topic")},
		Indexes:    []design.Index{{Name: "GSI1", Shape: shape("TOPIC#{topic}", "{id}"), Shards: shards, Was: was}},
	}}, nil)
}

// TestShardsThatHaveChanged: a repair moves the entries into the present shards, and leaves nothing in others.
func TestShardsThatHaveChanged(t *testing.T) {
	stored := func(d *design.Design) content {
		var all []item.Item
		for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			items := must(write.ItemsOf(d, d.Type("Post"), with(nil, "id="+id, "topic=news")))
			all = append(all, items...)
		}
		return contentOf(all)
	}
	for _, c := range []struct{ before, after *design.Design }{
		{posts(1), posts(4, 1)}, {posts(8), posts(2, 8)}, {posts(4), posts(1, 4)},
	} {
		e := start(t, stored(c.before))
		report, err := check.Repair(t.Context(), e.Scanner, check.Options{Design: c.after})
		if err != nil || !report.Clean() || len(report.Repaired) == 0 {
			t.Fatal(describe(report.Violations), err)
		}
		for _, v := range report.Repaired {
			if v.Kind != check.IndexEntryWrong {
				t.Errorf("repaired %s", describe([]check.Violation{v}))
			}
		}
		if diff := cmp.Diff(stored(c.after).texts(), e.content(t).texts()); diff != "" {
			t.Error(diff)
		}
	}
}

// TestItemsInShardsThatAreNotRead: a sample shows that items were written with another number of shards, which cannot
// change.
func TestItemsInShardsThatAreNotRead(t *testing.T) {
	lists := func(shards int) *design.Design {
		return design.MustDesign(nil, []*design.Type{{
			Name: "Post", Identity: []string{"topic", "id"}, MaxBytes: 512, Item: shape("TOPIC#{topic}", "POST#{id}"),
			Shards: shards, Attributes: []design.Attribute{text("id"), text("topic")},
		}}, nil)
	}
	for _, c := range []struct {
		stored, declared int
		want             string
	}{
		{8, 8, ""},
		{8, 2, "write shards: 8 in @item of type Post: the keys of items cannot change"},
		{1, 2, "write shards: 1 in @item of type Post: the keys of items cannot change"},
		{8, 1, "write shards: 8 in @item of type Post: the keys of items cannot change"},
	} {
		d, stored := lists(c.stored), content{}
		for i := range 50 {
			items := must(write.ItemsOf(d, d.Type("Post"), with(nil, fmt.Sprint("id=", i), "topic=news")))
			stored[keys.KeyOf(items[0])] = items[0]
		}
		e := start(t, stored)
		s, err := check.ReadSample(t.Context(), e.Scanner, check.Options{Design: lists(c.declared)}, 100)
		var got string
		for _, u := range s.Unread {
			got += u.Fix
		}
		if got != c.want || err != nil {
			t.Errorf("%d after %d: %q, %v", c.declared, c.stored, got, err)
		}
	}
}

// TestUnreadThatIsLeft: what a repair leaves in its shard is not reported, so that `was` can be removed after a repair.
func TestUnreadThatIsLeft(t *testing.T) {
	d := posts(4)
	post := *d.Type("Post")
	post.Attributes = append(post.Attributes, design.Attribute{Name: "title", Kind: keys.String, NonNull: true})
	post.Expires = "ttl"
	o := check.Options{Design: design.MustDesign(nil, []*design.Type{&post}, nil)}
	entry := func(id string, more ...string) item.Item {
		return with(tabletest.Stored("POST#"+id, "POST#"+id, "entityType", "Post", "id", id, "topic", "news",
			"GSI1PK", "TOPIC#news#4", "GSI1SK", id), more...)
	}
	collections := []check.Collection{{Type: o.Design.Type("Post"), PK: "TOPIC#news"}}
	e := start(t, nil)
	find := func() []check.Unread {
		t.Helper()
		found := must(check.FindUnread(t.Context(), e.Scanner, o, collections))
		return found
	}
	e.Load(t, entry("invalid"), entry("expired", "title=x", fmt.Sprint("ttl:=", time.Now().Unix()-60)),
		entry("deleted", "title=x", "deletedAt=2026-01-01T00:00:00.000Z"))
	if found := find(); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
	e.Load(t, entry("good", "title=x"))
	if found := find(); len(found) != 1 || !strings.Contains(found[0].Problem, "POST#good POST#good in TOPIC#news#4") {
		t.Errorf("found %+v", found)
	}
}
