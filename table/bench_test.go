package table_test

import (
	"fmt"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// BenchmarkRead is one request with the engine's and the proxy's part in it;
// the allocations are the SDK's, ours and the proxy's.
func BenchmarkRead(b *testing.B) {
	e := tabletest.Start(b, schema)
	for i := range 25 {
		sk := fmt.Sprintf("ORDER#%02d", i)
		e.Load(b, tabletest.Stored("USER#7", sk, "status", "PENDING", "total", "1200", "currency", "EUR"))
	}
	b.Run("GetItem", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			must(e.Table.GetItem(b.Context(), request.GetItem{Key: keys.Key{PK: "USER#7", SK: "ORDER#01"}}))
		}
	})
	b.Run("Query", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			must(e.Table.Query(b.Context(), request.Query{PK: "USER#7", Prefix: "ORDER#"}))
		}
	})
}
