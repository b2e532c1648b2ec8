package loaders

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// moving returns a design with posts whose entries move between shards.
func moving(shards int, was ...int) *keys.Design {
	return keys.MustDesign(nil,
		[]*keys.Type{{
			Name: "Post", Identity: []string{"id"},
			Item: keys.Shape{PK: keys.MustTemplate("POSTS"), SK: keys.MustTemplate("{id}")},
			Indexes: []keys.Index{{
				Name: "GSI1", Shards: shards, Was: was,
				Shape: keys.Shape{PK: keys.MustTemplate("TOPIC"), SK: keys.MustTemplate("{at:02}#{id}")},
			}},
		}},
		[]*keys.Field{collection("up", "GSI1", "TOPIC", "", false), collection("down", "GSI1", "TOPIC", "", true)})
}

// TestPagesWhileShardsChange pages through a collection while its entries move between shards, with each size from 1 to
// 7 and 100 in both directions. Each item is found once, in order, also if its entry is in two shards: the shards of a
// page are not read at the same moment.
func TestPagesWhileShardsChange(t *testing.T) {
	changes := map[string]*keys.Design{
		"1 to 4": moving(4, 1), "8 to 2": moving(2, 8), "4 to 8": moving(8, 4), "4 to 1": moving(1, 4),
		"1 to 2 to 3": moving(3, 1, 2),
	}
	for name, d := range changes {
		for _, f := range d.Fields {
			t.Run(name+" "+f.Name, rapid.MakeCheck(func(t *rapid.T) {
				m := &model{cut: rapid.IntRange(1, 9).Draw(t, "cut")}
				var order []item.Item
				for id := range rapid.IntRange(0, 20).Draw(t, "items") {
					at := rapid.IntRange(0, 4).Draw(t, "at")
					labels := rapid.SliceOfNDistinct(rapid.SampledFrom(f.Shards()), 1, min(2, len(f.Shards())), rapid.ID).
						Draw(t, "shards")
					for i, label := range labels {
						pk := "TOPIC"
						if label != "" {
							pk += "#" + label
						}
						it := item.Item{
							text("PK", "POSTS"), text("SK", fmt.Sprintf("%02d", id)),
							text("GSI1PK", pk), text("GSI1SK", fmt.Sprintf("%02d#%02d", at, id)),
						}
						m.items = append(m.items, it)
						if i == 0 {
							order = append(order, it)
						}
					}
				}
				slices.SortFunc(order, func(a, b item.Item) int { return cmp.Compare(a.Text("GSI1SK"), b.Text("GSI1SK")) })
				if f.Descending {
					slices.Reverse(order)
				}
				c, err := f.Bind(func(string) keys.Value { return keys.Value{} }).Condition()
				if err != nil {
					t.Fatal(err)
				}
				want := sortKeys(&Page{Items: order})
				for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 100} {
					if got := m.forward(t, &c, size); !slices.Equal(got, want) {
						t.Fatalf("forwards by %d:\n got %v\nwant %v", size, got, want)
					}
					if got := m.backward(t, &c, size); !slices.Equal(got, want) {
						t.Fatalf("backwards by %d:\n got %v\nwant %v", size, got, want)
					}
				}
			}))
		}
	}
}
