package write_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// albums has objects of up to 3 KB with a copy. Both items have an entry in the first index, the base item also one in
// the second.
var albums = must(design.NewDesign(nil, []*design.Type{{
	Name: "Album", MaxBytes: 3 << 10, Identity: []string{"id"},
	Item: shape("ALBUM#{id}", "ALBUM"), Copies: []design.Copy{{Shape: shape("ARTIST#{artist}", "ALBUM#{id}")}},
	Indexes: []design.Index{
		{Name: "GSI1", Shape: shape("LABEL#{label}", "{id}")},
		{Name: "GSI1", Shape: shape("YEAR#{year}", "{id}")},
		{Name: "GSI2", Shape: shape("GENRE#{genre}", "{id}")},
	},
}}, nil))

func TestUnits(t *testing.T) {
	t.Parallel()
	base, copied := keys.Key{PK: "ALBUM#1", SK: "ALBUM"}, keys.Key{PK: "ARTIST#a", SK: "ALBUM#1"}
	update := func(key keys.Key, names ...string) write.Action {
		a := write.Action{Kind: write.ActionUpdate, Key: key}
		for _, name := range names {
			a.Set = append(a.Set, text(name, "x"))
		}
		return a
	}
	put := func(bytes int, names ...string) write.Action {
		it := item.Item{text(keys.AttributePK, "ALBUM#1"), text(keys.AttributeSK, "ALBUM")}
		for _, name := range names {
			it = append(it, text(name, "x"))
		}
		filler := bytes - it.Size() - len("filler")
		return write.PutItem(append(it, text("filler", strings.Repeat("x", filler))))
	}
	for _, tt := range []struct {
		name  string
		units int
		tx    []write.Action
	}{
		{"a put of 1 KB", 2, []write.Action{put(1024)}},
		{"a put of more", 4, []write.Action{put(1025)}},
		{"a put with an entry", 3, []write.Action{put(1024, "GSI1PK", "GSI1SK")}},
		{"a put with both", 8, []write.Action{put(1025, "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK")}},
		{"a check", 6, []write.Action{write.CheckItem(base, write.IfExists())}},
		{"a deletion", 12, []write.Action{write.DeleteItem(base)}},
		{"the copy's", 9, []write.Action{write.DeleteItem(copied)}},
		{"a counter", 12, []write.Action{write.Count(base, "n", 1)}},
		{"an update", 12, []write.Action{update(base, "title")}},
		{"an update of an entry", 15, []write.Action{update(base, "GSI2PK")}},
		{"an update of both", 18, []write.Action{update(base, "GSI1SK", "GSI2PK")}},
		{"an update of the copy's entry", 12, []write.Action{update(copied, "GSI1SK")}},
		{
			"the end of an entry", 12,
			[]write.Action{{Kind: write.ActionUpdate, Key: base, Remove: []string{"GSI1PK", "GSI1SK"}}},
		},
		{"something else", 2, []write.Action{write.DeleteItem(keys.Key{PK: "TITLE#t", SK: "TITLE#t"})}},
		{"together", 15, []write.Action{write.Count(base, "n", 1), put(1024, "GSI2PK")}},
	} {
		tx := write.Transaction{Actions: tt.tx}
		if got := tx.Units(albums); got != tt.units {
			t.Errorf("%s: %d units, want %d", tt.name, got, tt.units)
		}
	}
}
