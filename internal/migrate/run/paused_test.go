package run_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/table"
)

// TestPaused: a migration that is paused excludes another one, and goes on once it may.
func TestPaused(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	tab := p.Start(t).Table.WithSchema(table.SchemaOf(p.From.Design))
	store := record.Open(tab)
	fatal.If(t, store.Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	w := migratetest.Writer{Design: p.From.Design, Table: tab}
	if errs, err := migratetest.Of("create", "Shelf", "name", "s", nil).By(t, w); err != nil || errs != "" {
		t.Fatal(errs, err)
	}
	fatal.If(t, store.SetRate(t.Context(), 0))
	renewed := make(chan run.Progress, 1000)
	o := run.Options{
		Name: "first", Every: 20 * time.Millisecond, Lease: 2 * time.Second, Log: slog.New(slog.DiscardHandler),
		Stream:         promptly,
		UnitsPerSecond: 0.001, // one unit, so that it cannot end before the pause is known
		Report: func(p run.Progress) {
			select {
			case renewed <- p:
			default:
			}
		},
	}
	m, err := run.Open(t.Context(), tab, o)
	fatal.If(t, err)
	fatal.If(t, m.Begin(t.Context(), p.To))
	ended := make(chan error, 1)
	go func() { ended <- m.Run(t.Context(), migrate.Switched) }()
	for range 3 {
		<-renewed
	}
	held := &record.HeldError{}
	if _, err := run.Open(t.Context(), tab, o); !errors.As(err, &held) || held.Name != "first" {
		t.Errorf("the error of the second is %v", err)
	}
	select {
	case err := <-ended:
		t.Fatal("it has not paused:", err)
	default:
	}
	fatal.If(t, store.SetRate(t.Context(), 1e6))
	fatal.If(t, <-ended)
	fatal.If(t, m.Close(t.Context()))
}
