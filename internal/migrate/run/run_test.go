package run_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// migrator opens the migration of a table whose data follow From.
func migrator(t *testing.T, tab *table.Table) *run.Migrator {
	t.Helper()
	m, err := run.Open(t.Context(), tab, run.Options{
		Name: "test", Every: 50 * time.Millisecond, Lease: time.Second, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// equal reports how two tables differ, byte by byte.
func equal(t *testing.T, what string, got, want map[keys.Key]item.Item) {
	t.Helper()
	for key, it := range want {
		if keys.IsDeleted(it) && keys.IsDeleted(got[key]) || keys.IsDeleted(it) && got[key] == nil {
			continue // the empty place of the latest object, with the time of its last change
		}
		if describe(got[key]) != describe(it) {
			t.Errorf("%s: %v is\n %s, want\n %s", what, key, describe(got[key]), describe(it))
		}
	}
	for key, it := range got {
		if want[key] == nil && !keys.IsDeleted(it) && key.PK != "PARTITA#LIVE" {
			t.Errorf("%s: %v is left: %s", what, key, describe(it))
		}
	}
}

// TestMigration: a table that is migrated to another design equals one that had it from the beginning, and one whose
// migration is undone equals what it was.
func TestMigration(t *testing.T) {
	t.Parallel()
	for name, texts := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pair{version(t, texts[0]), version(t, texts[1])}
			for _, undo := range []bool{false, true} {
				t.Run(fmt.Sprintf("undo %v", undo), func(t *testing.T) { migrates(t, p, undo) })
			}
		})
	}
}

func migrates(t *testing.T, p pair, undo bool) {
	r := rand.New(rand.NewPCG(1, 2))
	e := p.start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.from.Design))
	store := record.Open(tab)
	if err := store.Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.from)); err != nil {
		t.Fatal(err)
	}
	alone := [2]writer{p.alone(t, migrate.From), p.alone(t, migrate.To)}
	now := writer{p.from.Design, tab}
	write := func(n int) {
		for range n {
			o := draw(r, p.from.Design)
			for i, w := range []writer{alone[1], alone[0], now} {
				if rejected, err := o.by(t, w); err != nil {
					t.Fatal(err)
				} else if rejected != "" && i == 0 {
					break // what is not possible by To would stop the migration
				}
			}
		}
	}
	write(40)
	m := migrator(t, tab)
	if err := m.Begin(t.Context(), p.to); err != nil {
		t.Fatal(err)
	}
	if err := m.Run(t.Context(), migrate.Switched); err != nil {
		t.Fatal(err)
	}
	now = p.writer(e, migrate.Switched)
	write(10)
	goal, side := migrate.Latter, migrate.To
	if undo {
		goal, side = migrate.Former, migrate.From
	}
	if err := m.Run(t.Context(), goal); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, goal.String(), scan(t, tab), scan(t, alone[side].table))
	if got, err := store.Get(t.Context()); err != nil || !got.IsStable() || got.From != p.side2(side).SDL {
		t.Errorf("%+v %v", got.State, err)
	}
}

func (p pair) side2(s migrate.Side) migrate.Version {
	if s == migrate.To {
		return p.to
	}
	return p.from
}
