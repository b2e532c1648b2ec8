package table_test

import (
	"strconv"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// BenchmarkTenant is what the border adds to a BatchGetItem of 100 keys: its request, and the keys of its items.
func BenchmarkTenant(b *testing.B) {
	tenant := must(stored.DefaultLayout().Tenant("acme"))
	batch, items := request.BatchGetItem{}, make([]item.Item, request.MaxBatchKeys)
	for i := range items {
		pk := "USER#" + strconv.Itoa(i)
		batch.Keys = append(batch.Keys, keys.Key{PK: keys.PK(pk), SK: "S"})
		items[i] = tabletest.Stored("acme#"+pk, "S", "name", "x", "GSI1PK", "acme#ALL", "GSI1SK", pk)
	}
	b.Run("request", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			batch.Of(tenant)
		}
	})
	stored := table.Schema{Indexes: []string{"GSI1"}}
	b.Run("items", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stored.FromTenant(tenant, items)
			for _, it := range items { // back again, in place
				for i := range it {
					if it[i].Name == "PK" || it[i].Name == "GSI1PK" {
						it[i].Value.Text = "acme#ALL"
					}
				}
			}
		}
	})
}
