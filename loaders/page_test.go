package loaders

import (
	"errors"
	"fmt"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// TestAssemble merges the items of shards. A page is written as sort keys, each with its shard. The Limit of each
// Range was one more than the page.
func TestAssemble(t *testing.T) {
	type lists [][]string
	for _, c := range []struct {
		name, field   string
		count         int
		backward, cut bool // cut: there is a cursor
		shards        lists
		want          string
		next, prev    bool
	}{
		{"ascending", "byShop", 5, false, false, lists{{"1", "4"}, {"2"}, {"0", "3"}}, "0/2 1/0 2/1 3/2 4/0", false, false},
		{"one more", "byShop", 4, false, false, lists{{"1", "4"}, {"2"}, {"0", "3"}}, "0/2 1/0 2/1 3/2", true, false},
		{"ties", "byShop", 3, false, true, lists{{"1", "1"}, {"1"}, {"0"}}, "0/2 1/0 1/0", true, true},
		{"backward", "byShop", 3, true, false, lists{{"4", "1"}, {"2"}, {"3", "0"}}, "2/1 3/2 4/0", false, true},
		{"backward ties", "byShop", 3, true, true, lists{{"1"}, {"1"}, {"1", "0"}}, "1/0 1/1 1/2", true, true},
		{"descending", "byShopDown", 3, false, false, lists{{"4", "1"}, {"2"}, {"3", "0"}}, "4/0 3/2 2/1", true, false},
		{"descending ties", "byShopDown", 2, false, false, lists{{"1"}, {"1"}, {"1"}}, "1/2 1/1", true, false},
		{"descending backward", "byShopDown", 3, true, true, lists{{"1", "4"}, {"2"}, {"0", "3"}}, "2/1 1/0 0/2", true, true},
		{"nothing", "byShop", 3, false, false, lists{{}, {}, {}}, "", false, false},
		{"none wanted", "byShop", 0, false, false, lists{{"1"}, {}, {}}, "", true, false},
	} {
		w := plan.Window{Count: c.count, Backward: c.backward}
		if c.cut {
			w.Cursor = &design.CursorPosition{}
		}
		states := make([]*state, len(c.shards))
		for shard, sks := range c.shards {
			states[shard] = &state{}
			for _, sk := range sks {
				states[shard].items = append(states[shard].items, item.Item{text("GSI1SK", sk)})
			}
		}
		var p Page
		fatal.If(t, p.assemble(orders(t, c.field), w, []int{0, 1, 2}, states))
		got := ""
		for i, it := range p.Items {
			got += fmt.Sprintf(" %s/%d", it.Text("GSI1SK"), p.partitions[i])
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.want || p.HasNextPage != c.next || p.HasPreviousPage != c.prev {
			t.Errorf("%s: %s, next %v, previous %v; want %s, %v, %v",
				c.name, got, p.HasNextPage, p.HasPreviousPage, c.want, c.next, c.prev)
		}
		if (p.StartCursor() == nil) != (c.want == "") || (p.EndCursor() == nil) != (c.want == "") {
			t.Errorf("%s: the cursors are %v, %v", c.name, p.StartCursor(), p.EndCursor())
		}
	}
}

func TestAssembleFailsAsAWhole(t *testing.T) {
	broken := errors.New("shard 1")
	states := []*state{{}, {err: broken}, {}}
	err := new(Page).assemble(orders(t, "byShop"), plan.Window{Count: 3}, []int{0, 1, 2}, states)
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}
