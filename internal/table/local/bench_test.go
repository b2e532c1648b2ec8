package local_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
)

// BenchmarkLoad fills a local engine on disk with 25,000 items of the demo
// data's size, by BatchWriteItem and by the engine's import.
func BenchmarkLoad(b *testing.B) {
	const n = 25000
	items := func(yield func(item.Item) bool) {
		for i := range n {
			if !yield(tabletest.Stored(fmt.Sprintf("USER#%d", i%200), fmt.Sprintf("ORDER#%d", i), "entityType", "Order",
				"GSI1PK", fmt.Sprintf("STATUS#%d", i%16), "GSI1SK", fmt.Sprint(i), "name", strings.Repeat("x", 60))) {
				return
			}
		}
	}
	b.Run("BatchWriteItem", func(b *testing.B) {
		for b.Loop() {
			opened := must(local.Open(b.Context(), settings(b.TempDir()), schema, discard))
			fatal.If(b, admin.Create(b.Context(), opened.Table))
			must(admin.LoadItems(b.Context(), opened.Table, items))
			opened.Close()
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "items/s")
	})
	b.Run("Seed", func(b *testing.B) {
		for b.Loop() {
			s := settings(b.TempDir())
			s.Seed = items
			opened := must(local.Open(b.Context(), s, schema, discard))
			opened.Close()
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "items/s")
	})
}
