package loaders

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

func TestWindow(t *testing.T) {
	c := orders(t, "ordersOf")
	cursor := c.Cursor(0, stock(0, 3, 1))
	at := func(sk keys.SK) *keys.CursorPosition {
		return &keys.CursorPosition{Position: keys.Position{SK: sk}}
	}
	for _, ok := range []struct {
		name   string
		paging Paging
		want   window
	}{
		{"first", Paging{First: new(20)}, window{count: 20}},
		{"first 0", Paging{First: new(0)}, window{count: 0}},
		{"first 100", Paging{First: new(100)}, window{count: 100}},
		{"after", Paging{After: &cursor}, window{count: DefaultPage, cursor: at("ORDER#03#1")}},
		{"first after", Paging{First: new(3), After: &cursor}, window{count: 3, cursor: at("ORDER#03#1")}},
		{"last", Paging{Last: new(20)}, window{count: 20, backward: true}},
		{"before", Paging{Before: &cursor}, window{count: DefaultPage, backward: true, cursor: at("ORDER#03#1")}},
	} {
		got, err := ok.paging.window(c)
		if err != nil || !reflect.DeepEqual(got, ok.want) {
			t.Errorf("%s: %+v, %v, want %+v", ok.name, got, err, ok.want)
		}
	}
	const (
		both    = "give first (with after) to page forwards or last (with before) to page backwards, not both"
		foreign = " is not a cursor of this connection; pass a cursor that it returned for the same arguments"
	)
	for _, bad := range []struct {
		paging            Paging
		argument, message string
	}{
		{Paging{}, "first", "give first or last, from 0 to 100"},
		{Paging{First: new(-1)}, "first", "first must be from 0 to 100"},
		{Paging{First: new(101)}, "first", "first must be from 0 to 100"},
		{Paging{Last: new(-1)}, "last", "last must be from 0 to 100"},
		{Paging{Last: new(101)}, "last", "last must be from 0 to 100"},
		{Paging{First: new(1), Last: new(1)}, "", both},
		{Paging{First: new(1), Before: &cursor}, "", both},
		{Paging{After: &cursor, Last: new(1)}, "", both},
		{Paging{After: &cursor, Before: &cursor}, "", both},
		{Paging{After: new("x")}, "after", "after" + foreign},
		{Paging{Before: new("")}, "before", "before" + foreign},
	} {
		_, err := bad.paging.window(c)
		var in *keys.InputError
		if !errors.As(err, &in) || in.Argument != bad.argument || in.Message != bad.message {
			t.Errorf("%+v: %v, want of %q: %s", bad.paging, err, bad.argument, bad.message)
		}
	}
}

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
		w := window{count: c.count, backward: c.backward}
		if c.cut {
			w.cursor = &keys.CursorPosition{}
		}
		results := make([]outcome, len(c.shards))
		for shard, sks := range c.shards {
			for _, sk := range sks {
				it := item.Item{{Name: "GSI1SK", Value: item.StringValue(sk)}}
				results[shard].items = append(results[shard].items, it)
			}
		}
		p, err := assemble(orders(t, c.field), w, []int{0, 1, 2}, results)
		if err != nil {
			t.Fatal(err)
		}
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
	_, err := assemble(orders(t, "byShop"), window{count: 3}, []int{0, 1, 2}, []outcome{{}, {err: broken}, {}})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}
