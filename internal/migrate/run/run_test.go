package run_test

import (
	"context"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// promptly are settings of a stream that has each change soon.
var promptly = stream.Settings{
	Interval: 20 * time.Millisecond, Lease: 100 * time.Millisecond, Settled: time.Millisecond,
}

// migrator opens the migration of a table whose data follow From.
func migrator(t *testing.T, tab *table.Table) *run.Migrator {
	t.Helper()
	m, err := run.Open(t.Context(), tab, run.Options{
		Name: "test", Every: 50 * time.Millisecond, Stream: promptly, Lease: time.Second, Log: slog.New(slog.DiscardHandler),
	})
	fatal.If(t, err)
	return m
}

// equal reports how two tables differ, byte by byte.
func equal(t *testing.T, what string, got, want map[keys.Key]item.Item) {
	t.Helper()
	for key, it := range want {
		if strings.HasPrefix(string(key.PK), "PARTITA#") {
			continue
		}
		if keys.IsDeleted(it) && keys.IsDeleted(got[key]) || keys.IsDeleted(it) && got[key] == nil {
			continue // the empty place of the latest object, with the time of its last change
		}
		// An object that is filled has its first version.
		have := migratetest.Describe(migratetest.Without(got[key], write.AttributeVersion))
		if is := migratetest.Describe(migratetest.Without(it, write.AttributeVersion)); have != is {
			t.Errorf("%s: %v is\n %s, want\n %s", what, key, have, is)
		}
	}
	for key, it := range got {
		if want[key] == nil && !keys.IsDeleted(it) && !strings.HasPrefix(string(key.PK), "PARTITA#") {
			t.Errorf("%s: %v is left: %s", what, key, migratetest.Describe(it))
		}
	}
}

// TestMigration: a table whose migration is undone equals what it was, and one that is then migrated to the end equals
// one that had the other design from the beginning.
func TestMigration(t *testing.T) {
	t.Parallel()
	for _, name := range soak.Some(slices.Sorted(maps.Keys(migratetest.Pairs)), 3) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			migrates(t, migratetest.Load(t, name))
		})
	}
}

// TestTenants: the same for a table that gets tenants, whose items are those of the tenant then.
func TestTenants(t *testing.T) {
	t.Parallel()
	for _, name := range soak.Some(slices.Sorted(maps.Keys(migratetest.Pairs)), 2) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			migrates(t, migratetest.GettingTenants(t, name))
		})
	}
}

func migrates(t *testing.T, p migratetest.Pair) {
	r := rand.New(rand.NewPCG(1, 2))
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	store := record.Open(tab)
	fatal.If(t, store.Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	alone := [2]migratetest.Writer{p.Alone(t, migrate.From), p.Alone(t, migrate.To)}
	now := migratetest.Writer{Design: p.From.Design, Table: tab}
	do := func(o migratetest.Operation) {
		for i, w := range []migratetest.Writer{alone[1], alone[0], now} {
			if rejected, err := o.By(t, w); err != nil {
				t.Fatal(err)
			} else if rejected != "" && i == 0 {
				break // what is not possible by To would stop the migration
			}
		}
	}
	fill := func(n int) {
		for range n {
			do(migratetest.Draw(r, p))
		}
	}
	for _, shelf := range []string{"s", "t"} {
		do(migratetest.Of("create", "Shelf", "name", shelf, nil))
	}
	fill(40)
	for _, goal := range []migrate.State{migrate.Former, migrate.Latter} {
		m := migrator(t, tab)
		fatal.If(t, m.Begin(t.Context(), p.To))
		fatal.If(t, m.Run(t.Context(), migrate.Switched))
		now = p.Writer(e, migrate.Switched)
		fill(10)
		fatal.If(t, m.Run(t.Context(), goal))
		fatal.If(t, m.Close(context.Background()))
		equal(t, goal.String(), migratetest.Scan(t, tab), migratetest.Scan(t, alone[goal.Reads()].Table))
		wanted := p.From
		if goal == migrate.Latter {
			wanted = p.To
			if migrate.GetsTenants(p.From, p.To) {
				wanted = p.To.With(migrate.Tenancy{Kind: migrate.WithTenants, First: "acme"})
			}
		}
		if got, err := store.Get(t.Context()); err != nil || !got.IsStable() || got.From != wanted.SDL {
			t.Errorf("%+v %v", got.State, err)
		}
	}
}
