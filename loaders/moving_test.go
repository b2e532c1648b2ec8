package loaders

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// moving returns a design with posts whose entries move between shards.
func moving(shards int, was ...int) *design.Design {
	return design.MustDesign(nil,
		[]*design.Type{{
			Name: "Post", Identity: []string{"id"},
			Item: keys.Shape{PK: keys.MustTemplate("POSTS"), SK: keys.MustTemplate("{id}")},
			Indexes: []design.Index{{
				Name: "GSI1", Shards: shards, Was: was,
				Shape: keys.Shape{PK: keys.MustTemplate("TOPIC"), SK: keys.MustTemplate("{at:02}#{id}")},
			}},
		}},
		[]*design.Field{collection("up", "GSI1", "TOPIC", "", false), collection("down", "GSI1", "TOPIC", "", true)})
}

// TestPagesWhileShardsChange pages through a collection while its entries move between shards, with each size from 1 to
// 7 and 100 in both directions. Each item is found once, in order, also if its entry is in two shards: the shards of a
// page are not read at the same moment.
func TestPagesWhileShardsChange(t *testing.T) {
	changes := map[string]*design.Design{
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

// TestPagesAcrossAChangeOfShards pages through a collection with cursors that were issued before its shards changed,
// while `table repair` moves its entries between the pages: it puts each into its new shard before the old one has lost
// it.
func TestPagesAcrossAChangeOfShards(t *testing.T) {
	for name, change := range map[string][2]*design.Design{
		"1 to 4": {moving(1), moving(4, 1)}, "8 to 2": {moving(8), moving(2, 8)},
		"4 to 8": {moving(4), moving(8, 4)}, "4 to 1": {moving(4), moving(1, 4)},
	} {
		for number, f := range change[0].Fields {
			t.Run(name+" "+f.Name, rapid.MakeCheck(func(t *rapid.T) {
				m := &model{cut: rapid.IntRange(1, 9).Draw(t, "cut")}
				place := func(d *design.Design, it item.Item) item.Item {
					key, err := d.Type("Post").BaseKey(func(string) keys.Value { return keys.StringValue(it.Text("SK")) })
					if err != nil {
						t.Fatal(err)
					}
					ix := d.Type("Post").Indexes[0]
					pk := "TOPIC"
					if ix.Shards > 1 {
						pk += fmt.Sprint("#", keys.Shard(ix.Shards, string(key.SK)))
					}
					return item.Item{it[0], it[1], text("GSI1PK", pk), it[3]}
				}
				var order []item.Item
				for id := range rapid.IntRange(0, 20).Draw(t, "items") {
					at := rapid.IntRange(0, 4).Draw(t, "at")
					order = append(order, place(change[0], item.Item{
						text("PK", "POSTS"), text("SK", fmt.Sprintf("%02d", id)),
						text("GSI1PK", ""), text("GSI1SK", fmt.Sprintf("%02d#%02d", at, id)),
					}))
				}
				m.items = slices.Clone(order)
				slices.SortFunc(order, func(a, b item.Item) int { return cmp.Compare(a.Text("GSI1SK"), b.Text("GSI1SK")) })
				backward := rapid.Bool().Draw(t, "backward")
				if f.Descending != backward {
					slices.Reverse(order)
				}
				want, unmoved := sortKeys(&Page{Items: order}), slices.Clone(m.items)
				before := rapid.IntRange(0, 6).Draw(t, "pages before the change")
				size := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 7, 100}).Draw(t, "size")
				paging, got := Paging{First: &size}, []string(nil)
				if backward {
					paging = Paging{Last: &size}
				}
				for n := range len(order) + 1 {
					d := change[0]
					if n >= before {
						d = change[1]
						for range rapid.IntRange(0, 3).Draw(t, "moves") {
							unmoved = m.move(t, unmoved, func(it item.Item) item.Item { return place(change[1], it) })
						}
					}
					c, err := d.Fields[number].Bind(func(string) keys.Value { return keys.Value{} }).Condition()
					if err != nil {
						t.Fatal(err)
					}
					p, _ := m.page(t, &c, paging)
					items, isMore := sortKeys(p), p.HasNextPage
					if backward {
						slices.Reverse(items)
						isMore, paging.Before = p.HasPreviousPage, p.StartCursor()
					} else {
						paging.After = p.EndCursor()
					}
					if got = append(got, items...); !isMore {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("by %d, backward %v:\n got %v\nwant %v", size, backward, got, want)
				}
			}))
		}
	}
}

// move puts one of the entries that have not moved yet to its new place, or removes it from the old one, and returns
// the others.
func (m *model) move(t *rapid.T, unmoved []item.Item, place func(item.Item) item.Item) []item.Item {
	if len(unmoved) == 0 {
		return nil
	}
	n := rapid.IntRange(0, len(unmoved)-1).Draw(t, "entry")
	old := unmoved[n]
	if moved := place(old); moved.Text("GSI1PK") != old.Text("GSI1PK") {
		isAt := func(pk string) func(item.Item) bool {
			return func(it item.Item) bool { return it.Text("SK") == old.Text("SK") && it.Text("GSI1PK") == pk }
		}
		if !slices.ContainsFunc(m.items, isAt(moved.Text("GSI1PK"))) {
			m.items = append(m.items, moved)
			return unmoved
		}
		m.items = slices.DeleteFunc(m.items, isAt(old.Text("GSI1PK")))
	}
	return slices.Delete(unmoved, n, n+1)
}
