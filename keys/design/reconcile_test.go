package design_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/partita/partita/internal/soak" // the cases of rapid
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

// stored returns an item with attributes and the key of the table; the key of GSI1 is set if it is not empty.
func storedText(key, indexKey keys.Key, attributes ...item.Attribute) item.Item {
	it := item.Item{
		{Name: keys.AttributePK, Value: item.StringValue(string(key.PK))},
		{Name: keys.AttributeSK, Value: item.StringValue(string(key.SK))},
	}
	if indexKey != (keys.Key{}) {
		it = append(it,
			item.Attribute{Name: keys.IndexPK("GSI1"), Value: item.StringValue(string(indexKey.PK))},
			item.Attribute{Name: keys.IndexSK("GSI1"), Value: item.StringValue(string(indexKey.SK))})
	}
	return append(it, attributes...)
}

func text(name, value string) item.Attribute {
	return item.Attribute{Name: name, Value: item.StringValue(value)}
}

func number(name, digits string) item.Attribute {
	return item.Attribute{Name: name, Value: item.Value{Kind: item.Number, Text: digits}}
}

func agrees(parent, name, typeName string, it item.Item) bool {
	return shop.MustField(parent, name).Agrees(shop.Type(typeName), it)
}

const at = "2026-01-31T09:30:00.000Z"

// order are the attributes of an order of user 7.
func order(changed ...item.Attribute) []item.Attribute {
	attributes := []item.Attribute{text("id", "o1"), text("userId", "7"), text("status", "PAID"), text("createdAt", at)}
	for _, c := range changed {
		attributes = slices.DeleteFunc(attributes, func(a item.Attribute) bool { return a.Name == c.Name })
		if c.Value.Kind != item.Null {
			attributes = append(attributes, c)
		}
	}
	return attributes
}

func TestAgrees(t *testing.T) {
	base := keys.Key{PK: "ORDER#o1", SK: "ORDER#o1"}
	copied := keys.Key{PK: "USER#7", SK: "ORDER#" + at + "#o1"}
	entry := keys.Key{PK: "STATUS#PAID#3", SK: at + "#o1"}
	line := keys.Key{PK: "ORDER#o1", SK: "ITEM#0012"}
	reading := keys.Key{PK: "DEVICE#d#2026-01-31", SK: at + "#01"}
	for _, tt := range []struct {
		name, parent, field, typeName string
		item                          item.Item
		want                          bool
	}{
		{"base item", "Query", "order", "Order", storedText(base, keys.Key{}, order()...), true},
		{"base item by its global id", "Query", "node", "Order", storedText(base, keys.Key{}, order()...), true},
		{"base item of another id", "Query", "order", "Order", storedText(base, keys.Key{}, order(text("id", "o2"))...),
			false},
		{"base item of another id by a global id", "Query", "node", "Order",
			storedText(base, keys.Key{}, order(text("id", "o2"))...), false},
		{"base item of another user", "Query", "order", "Order",
			storedText(base, keys.Key{}, order(text("userId", "8"))...), true},
		{"copy", "User", "orders", "Order", storedText(copied, keys.Key{}, order()...), true},
		{"copy of another user", "User", "orders", "Order", storedText(copied, keys.Key{}, order(text("userId", "8"))...),
			false},
		{"copy of another time", "User", "orders", "Order",
			storedText(copied, keys.Key{}, order(text("createdAt", "2026-01-31T09:30:00.001Z"))...), false},
		{"copy without a user", "User", "orders", "Order",
			storedText(copied, keys.Key{}, order(item.Attribute{Name: "userId"})...), false},
		{"copy whose user is a number", "User", "orders", "Order",
			storedText(copied, keys.Key{}, order(number("userId", "7"))...), true},
		{"copy whose user is a binary", "User", "orders", "Order", storedText(copied, keys.Key{},
			order(item.Attribute{Name: "userId", Value: item.Value{Kind: item.Binary, Text: "7"}})...), false},
		{"base item in the collection of copies", "User", "orders", "Order", storedText(base, keys.Key{}, order()...), false},
		{"values that are joined differently", "User", "orders", "Order",
			storedText(copied, keys.Key{}, order(text("createdAt", at+"#o1"), text("id", ""))...), false},
		{"entry of the base item", "Query", "ordersByStatus", "Order", storedText(base, entry, order()...), true},
		{"entry in any shard", "Query", "paidOrders", "Order",
			storedText(base, keys.Key{PK: "STATUS#PAID#17", SK: entry.SK}, order()...), true},
		{"entry without a shard", "Query", "ordersByStatus", "Order",
			storedText(base, keys.Key{PK: "STATUS#PAID", SK: entry.SK}, order()...), false},
		{"entry of another status", "Query", "ordersByStatus", "Order",
			storedText(base, entry, order(text("status", "PENDING"))...), false},
		{"entry of another base item", "Query", "ordersByStatus", "Order",
			storedText(keys.Key{PK: "ORDER#o2", SK: "ORDER#o2"}, entry, order()...), false},
		{"entry of a copy", "Query", "ordersByStatus", "Order", storedText(copied, entry, order()...), true},
		{"padded number", "Order", "items", "Item",
			storedText(line, keys.Key{}, text("orderId", "o1"), number("line", "12")), true},
		{"number with an exponent", "Order", "items", "Item",
			storedText(line, keys.Key{}, text("orderId", "o1"), number("line", "1.2E+1")), true},
		{"another number", "Order", "items", "Item",
			storedText(line, keys.Key{}, text("orderId", "o1"), number("line", "120")), false},
		{"no number", "Order", "items", "Item", storedText(line, keys.Key{}, text("orderId", "o1"), number("line", "x")),
			false},
		{"number that is zero", "Order", "items", "Item",
			storedText(keys.Key{PK: "ORDER#o1", SK: "ITEM#0000"}, keys.Key{}, text("orderId", "o1"), number("line", "0")), true},
		{"number of another width", "Order", "items", "Item",
			storedText(keys.Key{PK: "ORDER#o1", SK: "ITEM#012"}, keys.Key{}, text("orderId", "o1"), number("line", "12")),
			false},
		{"key with more segments", "Order", "items", "Item",
			storedText(keys.Key{PK: "ORDER#o1", SK: "ITEM#0012#x"}, keys.Key{}, text("orderId", "o1"), number("line", "12")),
			false},
		{"key with fewer segments", "User", "orders", "Order",
			storedText(keys.Key{PK: "USER#7", SK: "ORDER#" + at}, keys.Key{}, order()...), false},
		{"key with another literal", "User", "orders", "Order",
			storedText(keys.Key{PK: "USERS#7", SK: copied.SK}, keys.Key{}, order()...), false},
		{"bucket", "Query", "readings", "Reading",
			storedText(reading, keys.Key{}, text("device", "d"), text("at", at), number("n", "1")), true},
		{"another bucket", "Query", "readings", "Reading",
			storedText(keys.Key{PK: "DEVICE#d#2026-01-30", SK: reading.SK}, keys.Key{},
				text("device", "d"), text("at", at), number("n", "1")), false},
		{"edge", "User", "following", "Follow",
			storedText(keys.Key{PK: "USER#7", SK: "FOLLOWS#8"}, keys.Key{}, text("followerId", "7"), text("followeeId", "8")),
			true},
		{"inverted", "User", "following", "Follow",
			storedText(keys.Key{PK: "USER#7", SK: "FOLLOWS#8"}, keys.Key{},
				text("followerId", "8"), text("followeeId", "7")), false},
	} {
		if got := agrees(tt.parent, tt.field, tt.typeName, tt.item); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestAgreesWithBuild: a key that was built from an item's values agrees with the item, and a key that was built from
// other values does not.
func TestAgreesWithBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(shop.Types).Draw(t, "type")
		shapes := typ.Shapes()
		shape := shapes[rapid.IntRange(0, len(shapes)-1).Draw(t, "shape")]
		draw := func(label string) (attributes item.Item) {
			for _, name := range append(shape.PK.Variables(), shape.SK.Variables()...) {
				switch name {
				case "at", "createdAt":
					attributes = append(attributes, item.Attribute{Name: name, Value: item.TimeValue(instant(t, label))})
				case "line", "n", "version", "height":
					n := rapid.IntRange(0, 99).Draw(t, label)
					attributes = append(attributes, item.Attribute{Name: name, Value: item.IntValue(int64(n))})
				default:
					attributes = append(attributes, text(name, value(t, label)))
				}
			}
			return attributes
		}
		one, other := draw("one"), draw("other")
		keyOf := func(it item.Item) keys.Key {
			key, err := shape.Key(func(name string) keys.Value { return keys.AttributeValue(it, name) })
			if err != nil {
				t.Fatal(err)
			}
			return key
		}
		for _, with := range []item.Item{one, other} {
			want := keyOf(with) == keyOf(one)
			if got := typ.Agrees(storedText(keyOf(with), keys.Key{}, one...)); got != want {
				t.Fatalf("%v and %v: %v, want %v", keyOf(with), one, got, want)
			}
		}
	})
}

func TestAgreesAllocatesNothing(t *testing.T) {
	it := storedText(keys.Key{PK: "ORDER#o1", SK: "ORDER#o1"}, keys.Key{PK: "STATUS#PAID#3", SK: at + "#o1"}, order()...)
	f, typ := shop.MustField("Query", "ordersByStatus"), shop.Type("Order")
	if n := testing.AllocsPerRun(10, func() { _ = f.Agrees(typ, it) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
