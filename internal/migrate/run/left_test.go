package run_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// moved is a table with one note for each name, whose reads have switched.
type moved struct {
	migratetest.Pair
	engine *tabletest.Engine
	table  *table.Table
	m      *run.Migrator
}

func startMoved(t *testing.T, p migratetest.Pair, slugs ...string) moved {
	t.Helper()
	return startMovedWith(t, p, nil, slugs...)
}

// startMovedWith is startMoved for a table with further items.
func startMovedWith(t *testing.T, p migratetest.Pair, further []item.Item, slugs ...string) moved {
	t.Helper()
	s := moved{Pair: p, engine: p.Start(t)}
	s.table = s.engine.Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(s.table).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	w := migratetest.Writer{Design: p.From.Design, Table: s.table}
	for _, slug := range slugs {
		s.do(t, w, noteOf("create", slug))
	}
	s.engine.Load(t, further...)
	s.m = migrator(t, s.table)
	fatal.If(t, s.m.Begin(t.Context(), p.To))
	fatal.If(t, s.m.Run(t.Context(), migrate.Switched))
	return s
}

// noteOf returns an operation on a note.
func noteOf(verb, slug string) migratetest.Operation {
	return migratetest.Of(verb, "Note", "slug", slug, item.Item{
		{Name: "shelf", Value: item.StringValue("s")}, {Name: "rank", Value: item.NumberValue(1)},
	})
}

func (s moved) do(t *testing.T, w migratetest.Writer, o migratetest.Operation) {
	t.Helper()
	if rejected, err := o.By(t, w); err != nil || rejected != "" {
		t.Fatal(o, rejected, err)
	}
}

// TestDeletedMeanwhile: of an object that is deleted in any state on the way to the end, nothing is left by either
// side.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, goal := range []migrate.State{migrate.Latter, migrate.Former} {
		t.Run(goal.String(), func(t *testing.T) {
			t.Parallel()
			names := []string{"a", "b", "c", "d"}
			s := startMoved(t, migratetest.Load(t, "key"), names...)
			next := 0
			seen := map[migrate.State]bool{migrate.Switched: true}
			deletes := func(r migrate.Record) {
				// A record has a state more than once if the migration has to look again.
				if r.IsStable() || seen[r.State] {
					return
				}
				seen[r.State] = true
				s.do(t, s.Writer(s.engine, r.State), noteOf("delete", names[next]))
				next++
			}
			member, err := record.Open(s.table).Join(t.Context(), record.Options{
				Every: 20 * time.Millisecond, Lease: time.Minute, Log: slog.New(slog.DiscardHandler),
				Apply: func(_ context.Context, r migrate.Record) error {
					deletes(r)
					return nil
				},
			})
			fatal.If(t, err)
			fatal.If(t, s.m.Run(t.Context(), goal))
			if err := member.Leave(t.Context()); err != nil || next < 2 {
				t.Fatal(next, err)
			}
			alone := s.Alone(t, goal.Reads())
			for _, slug := range names[next:] {
				s.do(t, alone, noteOf("create", slug))
			}
			equal(t, goal.String(), migratetest.Scan(t, s.table), migratetest.Scan(t, alone.Table))
		})
	}
}

// TestLeft: an item that belongs to no object, and one with an attribute of another program that is nowhere else, stay.
func TestLeft(t *testing.T) {
	t.Parallel()
	s := startMoved(t, migratetest.Load(t, "copy key"), "a")
	orphan := tabletest.Stored("SHELF#s", "NOTE#lost", "entityType", "Note", "slug", "lost", "shelf", "s", "rank", "1")
	s.engine.Load(t, orphan)
	raw := s.table.WithSchema(table.Schema{})
	marked := keys.Key{PK: "SHELF#s", SK: "NOTE#a"}
	_, err := raw.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{{
		Kind: write.ActionUpdate, Key: marked, Set: item.Item{{Name: "seen", Value: item.StringValue("yes")}},
		If: []write.Precondition{write.IfStored()},
	}}})
	fatal.If(t, err)
	fatal.If(t, s.m.Run(t.Context(), migrate.Latter))
	left := migratetest.Scan(t, s.table)
	if left[keys.KeyOf(orphan)] == nil || left[marked].Text("seen") != "yes" {
		t.Errorf("%v and %v", left[keys.KeyOf(orphan)], left[marked])
	}
}

// TestUndoNeedsForm: reads do not go back as long as an object has no form by the former design.
func TestUndoNeedsForm(t *testing.T) {
	t.Parallel()
	small := migratetest.SDL(`@item(pk: "NOTE#{slug}", sk: "NOTE", maxBytes: 200)`, migratetest.PlainFields, "",
		migratetest.GetNote)
	s := startMoved(t, migratetest.Pair{
		From: migratetest.Version(t, small),
		To:   migratetest.Version(t, strings.NewReplacer("NOTE#", "PAGE#", ", maxBytes: 200", "").Replace(small)),
	}, "a")
	long := noteOf("create", "b")
	long.In.Set = append(long.In.Set, item.Attribute{Name: "text", Value: item.StringValue(strings.Repeat("x", 300))})
	s.do(t, s.Writer(s.engine, migrate.Switched), long)
	blocked, is := errors.AsType[*run.BlockedError](s.m.Run(t.Context(), migrate.Former))
	if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != run.TooLarge ||
		s.m.Record().State != migrate.Switched {
		t.Fatalf("%v in %v", blocked, s.m.Record().State)
	}
	s.do(t, s.Writer(s.engine, migrate.Switched), noteOf("delete", "b"))
	fatal.If(t, s.m.Run(t.Context(), migrate.Former))
}

// TestUndoBesideLater: undo ends while a gateway with the later schema writes an attribute that only that one has.
func TestUndoBesideLater(t *testing.T) {
	t.Parallel()
	s := startMoved(t, migratetest.NewPair(t,
		migratetest.SDL(migratetest.Note, migratetest.PlainFields, "", migratetest.GetNote),
		migratetest.SDL(migratetest.Note, migratetest.PlainFields+" likes: Int", "", migratetest.GetNote)), "a")
	later := s.table.WithSchema(table.SchemaOf(s.To.Design))
	likes := 0
	during(t, func() error { return s.m.Run(t.Context(), migrate.Former) }, func() {
		likes++
		_, err := later.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{{
			Kind: write.ActionUpdate, Key: keys.Key{PK: "NOTE#a", SK: "NOTE"}, Type: "Note",
			Set: item.Item{{Name: "likes", Value: item.NumberValue(likes)}},
		}}})
		if err != nil {
			t.Error(err)
		}
	})
	if likes == 0 {
		t.Error("nothing was written meanwhile")
	}
}
