package run_test

import (
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestLarge migrates a table of 200,000 items in the long form, of 400 in the short one: with the units and in the time
// of the plan, at its rate, and in a bounded memory.
func TestLarge(t *testing.T) {
	notes, took := 200, time.Second
	if soak.Times(1) > 1 {
		notes, took = 100_000, 8*time.Minute
	} else {
		t.Parallel()
	}
	p := migratetest.Load(t, "key")
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	loadNotes(t, p, e.Load, notes)
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	plan, err := run.Plan(t.Context(), tab, p.From, p.To)
	fatal.If(t, err)
	read, written := plan.Units(false)
	rate := (read + written) / took.Seconds()
	m, err := run.Open(t.Context(), tab, run.Options{
		Name: "test", UnitsPerSecond: rate, Log: slog.New(slog.DiscardHandler), Every: 100 * time.Millisecond,
		Stream: promptly,
		Lease:  time.Minute,
	})
	fatal.If(t, err)
	fatal.If(t, m.Begin(t.Context(), p.To))
	heap := watchHeap(t)
	begin := time.Now()
	fatal.If(t, m.Run(t.Context(), migrate.Switched))
	actual, grown := time.Since(begin), heap()
	now := m.Progress()
	units := now.ReadUnits + now.WriteUnits
	t.Logf("%d items: %.0f units, %.0f planned; %s, %s planned; %.0f units a second, %.0f allowed; the heap grew by %d MB",
		plan.Items, units, read+written, actual.Round(time.Second), took, units/actual.Seconds(), rate, grown>>20)
	if units > 1.2*(read+written) {
		t.Error("more units than 1.2 times the plan")
	}
	if units > rate*actual.Seconds()+2*rate { // the limiter lets the units of a second through at once
		t.Error("more units a second than allowed")
	}
	if notes > 200 && (actual > took*3/2 || grown > 64<<20) {
		t.Error("more time than 1.5 times the plan, or more memory than 64 MB")
	}
	fatal.If(t, m.Run(t.Context(), migrate.Latter))
	fatal.If(t, m.Close(t.Context()))
}

// loadNotes puts the items of notes, a thousand at a time.
func loadNotes(t *testing.T, p migratetest.Pair, load func(testing.TB, ...item.Item), n int) {
	t.Helper()
	d, typ := p.From.Design, p.From.Type("Note")
	var all []item.Item
	for i := range n {
		all = append(all, itemsOf(t, d, typ, item.Item{
			{Name: item.EntityType, Value: item.StringValue("Note")},
			{Name: "slug", Value: item.StringValue(fmt.Sprintf("note%06d", i))},
			{Name: "shelf", Value: item.StringValue(fmt.Sprint("shelf", i%997))},
			{Name: "rank", Value: item.NumberValue(i % 1000)},
			{Name: "color", Value: item.StringValue(fmt.Sprint("color", i%89))},
		})...)
		if len(all) >= 1000 || i == n-1 {
			load(t, all...)
			all = nil
		}
	}
}

func itemsOf(t *testing.T, d *design.Design, typ *design.Type, it item.Item) []item.Item {
	t.Helper()
	items, err := write.ItemsOf(d, typ, it)
	fatal.If(t, err)
	for i := range items {
		items[i] = d.ToStored(items[i]).WithoutNulls()
	}
	return items
}

// watchHeap looks at the live heap until the function is called that it returns, which returns by how much it grew at
// most.
func watchHeap(t *testing.T) (grown func() int) {
	t.Helper()
	live := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before, stop, most := live(), make(chan struct{}), make(chan int)
	go func() {
		peak := 0
		for {
			select {
			case <-stop:
				most <- max(peak, live()) - before
				return
			case <-time.After(time.Second):
				peak = max(peak, live())
			}
		}
	}()
	return func() int {
		close(stop)
		return <-most
	}
}
