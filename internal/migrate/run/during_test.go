package run_test

import (
	"sync/atomic"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
)

// TestWrittenDuringProof: an object that is written in each pass, while the proof reads its two forms, is complete.
func TestWrittenDuringProof(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.StartBehindProxy(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	first := migratetest.Writer{Design: p.From.Design, Table: tab}
	if rejected, err := noteOf("create", "a").By(t, first); err != nil || rejected != "" {
		t.Fatal(rejected, err)
	}
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	var isFirst atomic.Bool // of a pass
	second := func(r tabletest.Request) bool {
		if r.Operation == "Scan" {
			isFirst.Store(true)
		}
		return r.Text == "BatchGetItem PAGE#a PAGE, SHELF#s NOTE#a, consistent" && isFirst.Swap(false)
	}
	hold := e.Proxy.Hold(second)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(t.Context(), migrate.Switched) }()
	writes := 0
	for {
		select {
		case err := <-ended:
			if err != nil || writes != 2 { // in the pass that fills, and in the one that proves
				t.Errorf("the error is %v after %d writes", err, writes)
			}
			return
		case <-hold.Arrived():
			w := p.Writer(e.Direct(), migrate.Filling)
			rank := item.Item{{Name: "rank", Value: item.NumberValue(2 + writes)}}
			update := migratetest.Of("update", "Note", "slug", "a", rank)
			if rejected, err := update.By(t, w); err != nil || rejected != "" {
				t.Error(rejected, err)
			}
			writes++
			waiting := hold
			hold = e.Proxy.Hold(second)
			waiting.Release()
		}
	}
}
