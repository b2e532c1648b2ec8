package loaders

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// TestJoinsChangeNothing draws a Get and a Range of one partition and compares what they read together with what they
// read one by one, when items are missing, soft-deleted or not in the design.
func TestJoinsChangeNothing(t *testing.T) {
	design := design.MustDesign(nil, []*design.Type{
		typeAt("Tenant", "T#{id}", "TENANT#{id}"),
		typeAt("Member", "T#{tenantId}", "MEMBER#{email}"),
		typeAt("Event", "T#{tenantId}", "EVENT#{at}"),
		typeAt("Account", "T#{id}", "ACCOUNT#{id}"),
		typeAt("Department", "T#{tenantId}", "DEPT#{d}"),
		typeAt("User", "T#{tenantId}", "DEPT#{d}#USER#{u}"),
	}, nil)
	sortKeys := []keys.SK{
		"TENANT#1", "ACCOUNT#1", "ALIEN", "NOBODY", "UNKNOWN", "DEPT#1", "DEPT#1 A", "DEPT#1!", "DEPT#1#USER#1",
		"DEPT#1#USER#2", "DEPT#1$", "DEPT#10", "DEPT#10#USER#1",
	}
	for i := range 9 {
		sortKeys = append(sortKeys, keys.SK(fmt.Sprint("EVENT#", i)), keys.SK(fmt.Sprint("MEMBER#", i)))
	}
	joined, again := false, false
	rapid.Check(t, func(t *rapid.T) {
		m := &model{cut: rapid.IntRange(1, 20).Draw(t, "cut")}
		for _, sk := range sortKeys {
			switch rapid.SampledFrom([]string{"stored", "stored", "stored", "missing", "deleted"}).Draw(t, string(sk)) {
			case "stored":
				m.items = append(m.items, itemAt("T#1", sk))
			case "deleted":
				m.items = append(m.items, append(itemAt("T#1", sk), text(keys.AttributeDeletedAt, instant(0))))
			}
		}
		q := request.Query{
			PK: "T#1", Prefix: rapid.SampledFrom([]keys.SK{"", "", "MEMBER#", "EVENT#", "DEPT#", "DEPT#1"}).Draw(t, "prefix"),
			Descending: rapid.Bool().Draw(t, "descending"),
			Limit:      rapid.IntRange(1, 20).Draw(t, "limit"),
		}
		if rapid.Bool().Draw(t, "goes on") {
			q.Start.SK = q.Prefix + keys.SK(rapid.SampledFrom([]string{"#USER#1", "5", "EVENT#4", "U"}).Draw(t, "start"))
		}
		var children keys.SK
		if q.Prefix == "DEPT#1" {
			children = q.Prefix + "#"
			q.From, q.To = q.Prefix, keys.EndOf(children)
		}
		atMost := rapid.SampledFrom([]int{0, 3, 18}).Draw(t, "at most")
		ranged := plan.Read{Kind: plan.Range, Query: q, Children: children, AtMost: atMost}
		single := plan.Read{Kind: plan.Get, Key: keys.Key{
			PK: "T#1", SK: rapid.SampledFrom([]keys.SK{"TENANT#1", "ACCOUNT#1", "DEPT#1"}).Draw(t, "key"),
		}}

		together, apart := []*state{stateOf(single), stateOf(ranged)}, []*state{stateOf(single), stateOf(ranged)}
		requests := wave(design, together)
		x := executorOf(keyed{m}, 1, places(1))
		x.run(t.Context(), requests)
		if len(requests) == 1 {
			joined = true
			if together[0].again {
				again = true
				x.run(t.Context(), []plannedRequest{{gets: together[:1]}})
			}
		}
		for _, s := range apart {
			executorOf(keyed{m}, 1, places(1)).run(t.Context(), wave(design, []*state{s}))
		}
		for i := range apart {
			if got, want := together[i].items, apart[i].items; len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v\ntogether %v\napart %v", readOf(apart[i]), got, want)
			}
		}
	})
	if !joined || !again {
		t.Errorf("joined: %v, read again: %v", joined, again)
	}
}

// keyed is a model that also has Gets.
type keyed struct{ *model }

func (m keyed) GetItem(_ context.Context, r request.GetItem) (request.Result, error) {
	for i, it := range m.items {
		if keys.KeyOf(it) == r.Key {
			return request.Result{Items: []item.Item{m.items[i]}}, nil
		}
	}
	return request.Result{}, nil
}
