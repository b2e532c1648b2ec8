package run_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/table"
)

// TestKilled: migrators that end at any point are replaced by others, and the table is that of one migration.
func TestKilled(t *testing.T) {
	t.Parallel()
	for seed := range soak.Seeds(2) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := migratetest.Load(t, "key")
		e := p.Start(t)
		tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
		store := record.Open(tab)
		fatal.If(t, store.Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
		alone := [2]migratetest.Writer{p.Alone(t, migrate.From), p.Alone(t, migrate.To)}
		for range 40 {
			o := migratetest.Draw(r, p)
			for _, w := range []migratetest.Writer{alone[0], alone[1], {Design: p.From.Design, Table: tab}} {
				if _, err := o.By(t, w); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, goal := range []migrate.State{migrate.Switched, migrate.Former, migrate.Switched, migrate.Latter} {
			for attempt := time.Duration(1); ; attempt++ {
				after := time.Duration(r.Int64N(int64(attempt * 20 * time.Millisecond)))
				done, err := attemptTo(t, tab, p, goal, after)
				if err != nil {
					t.Fatal(seed, goal, err)
				}
				if done {
					break
				}
			}
			side := goal.Reads()
			if goal != migrate.Switched {
				equal(t, goal.String(), migratetest.Scan(t, tab), migratetest.Scan(t, alone[side].Table))
			}
		}
	}
}

// attemptTo goes on with a migration for a while. It reports whether the goal is reached.
func attemptTo(t *testing.T, tab *table.Table, p migratetest.Pair, goal migrate.State, d time.Duration) (bool, error) {
	m, err := run.Open(t.Context(), tab, run.Options{
		Name: "test", Every: 5 * time.Millisecond, Lease: 100 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Stream: promptly,
	})
	if held := new(record.HeldError); errors.As(err, &held) {
		return false, nil // The last request of the one that was killed has just arrived.
	}
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	if goal == migrate.Switched {
		err = m.Begin(ctx, p.To)
	}
	if err == nil && m.Record().IsStable() && goal != migrate.Switched {
		return true, m.Close(t.Context()) // The one before has been ended after its last step.
	}
	if err == nil {
		err = m.Run(ctx, goal)
	}
	if ctx.Err() != nil && err != nil {
		return false, nil // It is killed: its right to migrate expires.
	}
	if err != nil {
		return false, err
	}
	return true, m.Close(t.Context())
}
