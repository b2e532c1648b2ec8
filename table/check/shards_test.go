package check_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// posts returns a design whose entries are in this number of shards.
func posts(shards int) *design.Design {
	return design.MustDesign(nil, []*design.Type{{
		Name: "Post", Identity: []string{"id"}, MaxBytes: 512, Item: shape("POST#{id}", "POST#{id}"),
		Attributes: []design.Attribute{text("id"), text("topic")},
		Indexes:    []design.Index{{Name: "GSI1", Shape: shape("TOPIC#{topic}", "{id}"), Shards: shards}},
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
		{posts(1), posts(4)}, {posts(8), posts(2)}, {posts(4), posts(1)},
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

// TestSampleOfOtherShards: a sample shows that entries and items were written with another number of shards.
func TestSampleOfOtherShards(t *testing.T) {
	lists := func(shards int) *design.Design {
		return design.MustDesign(nil, []*design.Type{{
			Name: "Post", Identity: []string{"topic", "id"}, MaxBytes: 512, Item: shape("TOPIC#{topic}", "POST#{id}"),
			Shards: shards, Attributes: []design.Attribute{text("id"), text("topic")},
		}}, nil)
	}
	for _, of := range []func(int) *design.Design{posts, lists} {
		for _, c := range [][2]int{{8, 8}, {8, 2}, {1, 2}, {8, 1}} {
			d, stored := of(c[0]), content{}
			for i := range 50 {
				for _, it := range must(write.ItemsOf(d, d.Type("Post"), with(nil, fmt.Sprint("id=", i), "topic=news"))) {
					stored[keys.KeyOf(it)] = it
				}
			}
			s, err := check.ReadSample(t.Context(), start(t, stored).Scanner, check.Options{Design: of(c[1])}, 100)
			if err != nil || (len(s.Unfit) > 0) != (c[0] != c[1]) {
				t.Errorf("%d after %d: %d of %d do not fit, %v", c[1], c[0], len(s.Unfit), s.Items, err)
			}
		}
	}
}
