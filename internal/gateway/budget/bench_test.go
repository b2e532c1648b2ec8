package budget_test

import (
	"testing"

	"github.com/partita/partita/internal/gateway/budget"
	"github.com/partita/partita/internal/storetest"
)

// BenchmarkBudget reserves and commits: in memory, in a store on this machine, and while the store is not reachable.
func BenchmarkBudget(b *testing.B) {
	run := func(b *testing.B, budgets *budget.Budgets, consumed float64) {
		b.ReportAllocs()
		units := budget.NewKind("units", budget.Limit{Maximum: 1e9, Restore: 1})
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				r, _ := budgets.Reserve(b.Context(), units.Charge(ada, 2))
				r.Commit(b.Context(), consumed)
			}
		})
	}
	b.Run("memory", func(b *testing.B) { run(b, budget.New(nil), 1) })
	server := storetest.Start(b)
	store := server.Open(b)
	b.Run("store", func(b *testing.B) { run(b, budget.New(store), 1) })
	b.Run("store, exact estimate", func(b *testing.B) { run(b, budget.New(store), 2) })
	server.Kill()
	b.Run("store is not reachable", func(b *testing.B) { run(b, budget.New(store), 1) })
}
