package design_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestReconcile: an item whose key and attributes disagree has the identity of its key, and what it lacks. The rest is
// as its attributes have it, and no such attribute names an owner.
func TestReconcile(t *testing.T) {
	base := keys.Key{PK: "ORDER#o1", SK: "ORDER#o1"}
	copied := keys.Key{PK: "USER#7", SK: "ORDER#" + at + "#o1"}
	entry := keys.Key{PK: "STATUS#PAID#3", SK: at + "#o1"}
	none := keys.Key{}
	for _, tt := range []struct {
		name, parent, field string
		item                item.Item
		// want are the attributes that differ from those of the item, contested those that are.
		want      item.Item
		contested []string
		damaged   bool
	}{
		{name: "agrees", parent: "User", field: "orders", item: storedText(copied, none, order()...)},
		{
			name: "another id", parent: "Query", field: "order", item: storedText(base, none, order(text("id", "o2"))...),
			want: item.Item{text("id", "o1")}, contested: []string{"id"},
		},
		{
			name: "an id in another case", parent: "Query", field: "order",
			item: storedText(base, none, order(text("id", "O1"))...), want: item.Item{text("id", "o1")},
			contested: []string{"id"},
		},
		{
			name: "no id", parent: "Query", field: "order",
			item: storedText(base, none, order(item.Attribute{Name: "id"})...), want: item.Item{text("id", "o1")},
		},
		{
			name: "an id of another kind", parent: "Query", field: "order",
			item: storedText(base, none, order(item.Attribute{Name: "id", Value: item.ListValue(nil)})...),
			want: item.Item{text("id", "o1")}, contested: []string{"id"},
		},
		{
			name: "copy of another user", parent: "User", field: "orders",
			item: storedText(copied, none, order(text("userId", "8"))...), contested: []string{"userId"},
		},
		{
			name: "copy without a user", parent: "User", field: "orders",
			item: storedText(copied, none, order(item.Attribute{Name: "userId"})...), want: item.Item{text("userId", "7")},
		},
		{
			name: "copy of another time", parent: "User", field: "orders",
			item: storedText(copied, none, order(text("createdAt", "2026-01-31"))...), contested: []string{"createdAt"},
		},
		{
			name: "entry that is behind", parent: "Query", field: "ordersByStatus",
			item: storedText(base, entry, order(text("status", "SENT"))...), contested: []string{"status"},
		},
		{
			name: "entry in the index, of a copy of another user", parent: "Query", field: "ordersByStatus",
			item: storedText(copied, entry, order(text("userId", "8"))...), contested: []string{"userId"},
		},
		{
			name: "entry with a key that no entry has", parent: "Query", field: "ordersByStatus",
			item: storedText(base, keys.Key{PK: "STATUS#PAID#3", SK: "x"}, order()...),
		},
		{
			name: "key of no order", parent: "User", field: "orders",
			item: storedText(keys.Key{PK: "USER#7", SK: "ORDER#" + at}, none, order()...), damaged: true,
		},
		{
			name: "key of another tenant", parent: "Query", field: "order",
			item: storedText(keys.Key{PK: keys.Tenant("a#").Cut("b#ORDER#o1"), SK: "ORDER#o1"}, none, order()...), damaged: true,
		},
	} {
		before := slices.Clone(tt.item)
		got, ok := shop.MustField(tt.parent, tt.field).Reconcile(shop.Type("Order"), tt.item)
		if ok == tt.damaged {
			t.Errorf("%s: the key is one of the type: %v", tt.name, ok)
			continue
		}
		isSame := func(a, b item.Attribute) bool { return a.Name == b.Name && a.Value.Equal(b.Value) }
		if !slices.EqualFunc(before, tt.item, isSame) {
			t.Errorf("%s: the item that was read is changed", tt.name)
		}
		for _, name := range []string{"id", "userId", "status", "createdAt"} {
			want, _ := tt.item.Find(name)
			if v, is := tt.want.Find(name); is {
				want = v
			}
			if v, _ := got.Find(name); ok && !v.Equal(want) {
				t.Errorf("%s: %s is %+v, want %+v", tt.name, name, v, want)
			}
			if got.IsContested(name) != slices.Contains(tt.contested, name) {
				t.Errorf("%s: %s is contested: %v", tt.name, name, got.IsContested(name))
			}
		}
	}
}
