package table

import (
	"fmt"
	"testing"

	"github.com/partita/partita/internal/hotkeys"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// counts are what is done to count the units of requests.
func counts(tb testing.TB) map[string]func() {
	opened := openNowhere(tb).WithUsage(hotkeys.NewUsage(func(*hotkeys.Units, hotkeys.Count) {}))
	batch := request.BatchGetItem{Keys: make([]keys.Key, request.MaxBatchKeys)}
	for i := range batch.Keys {
		batch.Keys[i].PK = keys.PK(fmt.Sprint("ORDER#", i))
	}
	put := wire.Write{Kind: wire.Put, Item: texts("PK", "A", "SK", "1", "GSI1PK", "X", "GSI1SK", "1")}
	update := wire.Write{
		Kind: wire.Update, Item: texts("PK", "A", "SK", "2"), Update: "SET #n0 = :v1, #n1 = :v0 REMOVE #n2",
		Names: []string{"GSI1PK", "text", "gone"}, Values: []item.Value{item.StringValue("text"), item.StringValue("Y")},
	}
	pass := opened.newGate([]wire.Write{put, update}, true)
	result := &request.Result{ReadUnits: 50, WriteUnits: 7}
	return map[string]func(){
		"GetItem":            func() { opened.countRead(request.GetItem{Key: keys.Key{PK: "A", SK: "1"}}, result) },
		"BatchGetItem":       func() { opened.countRead(batch, result) },
		"Query":              func() { opened.countRead(request.Query{Index: "GSI1", PK: "X"}, result) },
		"TransactWriteItems": func() { pass.count(result) },
	}
}

// TestCountsAllocateNothing: every request is counted.
func TestCountsAllocateNothing(t *testing.T) {
	for name, count := range counts(t) {
		if n := testing.AllocsPerRun(100, count); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	for name, count := range counts(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				count()
			}
		})
	}
}
