package design_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func BenchmarkCondition(b *testing.B) {
	from, to := "2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999Z"
	for name, values := range map[string]map[string]any{
		"User.orders":          {"createdAt": map[string]any{"from": from, "to": to}},
		"Order.customer":       {},
		"Query.ordersByStatus": {"status": "PENDING"},
		"Query.version":        {"doc": "a", "version": int64(12)},
	} {
		parent := item.Item{
			{Name: "id", Value: item.StringValue("0193b2e4-7a10-7c3e-9d5f-1a2b3c4d5e6f")},
			{Name: "userId", Value: item.StringValue("7")},
		}
		for _, f := range shop.Fields {
			if f.Coordinate() != name {
				continue
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c, err := f.Bind(func(name string) keys.Value {
						if a := f.Argument(name); a != nil {
							return keys.ArgumentValue(*a, values[name])
						}
						return keys.AttributeValue(parent, name)
					}).Condition()
					if err != nil || c.IsEmpty() {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkID(b *testing.B) {
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = keys.NewID("User", "0193b2e4-7a10-7c3e-9d5f-1a2b3c4d5e6f").Encode()
		}
	})
	text := keys.NewID("User", "0193b2e4-7a10-7c3e-9d5f-1a2b3c4d5e6f").Encode()
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := keys.ParseID(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCursor(b *testing.B) {
	c := mustCondition(b, "User", "orders", map[string]any{"id": "7"})
	it := orderCopy("ORDER#2026-01-31T09:30:00.000Z#0193b2e4-7a10-7c3e-9d5f-1a2b3c4d5e6f")
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = c.Cursor(0, it)
		}
	})
	text := c.Cursor(0, it)
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.ParseCursor("after", text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAdjacent(b *testing.B) {
	key := keys.Key{PK: "USER#7", SK: "USER#7"}
	b.ReportAllocs()
	for b.Loop() {
		if shop.Adjacent(key, "ORDER#") != design.Above {
			b.Fatal("apart")
		}
	}
}

func BenchmarkAgrees(b *testing.B) {
	it := storedText(keys.Key{PK: "USER#7", SK: "ORDER#" + at + "#o1"}, keys.Key{}, order()...)
	f, t := shop.MustField("User", "orders"), shop.Type("Order")
	b.ReportAllocs()
	for b.Loop() {
		if !f.Agrees(t, it) {
			b.Fatal("the copy does not agree with its key")
		}
	}
}
