package run_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
)

// TestDuplicate: a value that two objects have stops the switch with the key of the second, until one has another.
func TestDuplicate(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "unique")
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	w := migratetest.Writer{Design: p.From.Design, Table: tab}
	do := func(o migratetest.Operation) {
		if errs, err := o.By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	for _, slug := range []string{"a", "b", "c"} {
		color := map[string]string{"a": "red", "b": "red", "c": "blue"}[slug]
		do(migratetest.Of("create", "Note", "slug", slug, item.Item{
			{Name: "shelf", Value: item.StringValue("s")}, {Name: "color", Value: item.StringValue(color)},
			{Name: "rank", Value: item.NumberValue(1)},
		}))
	}
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	err := m.Run(t.Context(), migrate.Switched)
	blocked, is := errors.AsType[*run.BlockedError](err)
	if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != run.Duplicate ||
		m.Record().State != migrate.Filling {
		t.Fatalf("the error is %v in state %v", err, m.Record().State)
	}
	slug := string(blocked.Objects[0].PK)[len("NOTE#"):]
	w = p.Writer(e, migrate.Filling)
	do(migratetest.Of("update", "Note", "slug", slug, item.Item{{Name: "color", Value: item.StringValue("green")}}))
	fatal.If(t, m.Run(t.Context(), migrate.Switched))
	fatal.If(t, m.Close(t.Context()))
}

// TestLateDuplicate: a value is taken a second time through a replica that does not know the proof yet. It stops the
// switch, and once replicas know the proof, they reject it.
func TestLateDuplicate(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "unique")
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	s := record.Open(tab)
	fatal.If(t, s.Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	create := func(w migratetest.Writer, slug string) string {
		errs, err := migratetest.Of("create", "Note", "slug", slug, item.Item{
			{Name: "shelf", Value: item.StringValue("s")}, {Name: "color", Value: item.StringValue("red")},
			{Name: "rank", Value: item.NumberValue(1)},
		}).By(t, w)
		if err != nil {
			t.Error(err)
		}
		return errs
	}
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	var late sync.Once
	member, err := s.Join(t.Context(), record.Options{
		Every: 50 * time.Millisecond, Lease: time.Second, Log: slog.New(slog.DiscardHandler),
		Apply: func(_ context.Context, r migrate.Record) error {
			if r.State == migrate.Filling && r.IsProven {
				late.Do(func() {
					w := p.Writer(e, migrate.Filling)
					if errs := create(w, "a") + create(w, "b"); errs != "" {
						t.Error(errs)
					}
				})
			}
			return nil
		},
	})
	fatal.If(t, err)
	defer func() {
		if err := member.Leave(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	blocked, is := errors.AsType[*run.BlockedError](m.Run(t.Context(), migrate.Switched))
	if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != run.Duplicate || m.Record().IsProven {
		t.Fatalf("blocked by %v with the record %+v", blocked, m.Record().State)
	}
	f := follow.New(migrate.Filling, p.From, p.To)
	f.IsProven = true
	if errs := create(p.Own(migrate.From, e, f), "c"); !strings.Contains(errs, "another Note has this color already") {
		t.Errorf("with the proof: %q", errs)
	}
	w := p.Writer(e, migrate.Filling)
	o := migratetest.Of("delete", "Note", "slug", string(blocked.Objects[0].PK)[len("NOTE#"):], nil)
	if errs, err := o.By(t, w); err != nil || errs != "" {
		t.Fatal(errs, err)
	}
	fatal.If(t, m.Run(t.Context(), migrate.Switched))
	fatal.If(t, m.Close(t.Context()))
}

// TestBlocked: objects that have no form by the later design are listed with their keys, and reads do not switch;
// undo leads back.
func TestBlocked(t *testing.T) {
	t.Parallel()
	const pk = `@item(pk: "NOTE#{slug}", sk: "NOTE"`
	get := migratetest.GetNote
	plain := migratetest.SDL(migratetest.Note, migratetest.PlainFields, "", get)
	enum := migratetest.SDL(migratetest.Note, migratetest.EnumFields, "", get)
	for code, schemas := range map[run.Code][2]string{
		run.MissingValue: {plain, migratetest.SDL(migratetest.Note, "rank: Int!\n color: String!\n text: String", "", get)},
		run.TooLarge:     {plain, migratetest.SDL(pk+`, maxBytes: 200)`, migratetest.PlainFields, "", get)},
		run.InvalidValue: {enum + "enum Color { red green }", enum + "enum Color { red }"},
	} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			p := migratetest.Pair{From: migratetest.Version(t, schemas[0]), To: migratetest.Version(t, schemas[1])}
			e := p.Start(t)
			tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
			fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
			w := migratetest.Writer{Design: p.From.Design, Table: tab}
			for slug, set := range map[string]item.Item{
				"good": {{Name: "color", Value: item.StringValue("red")}},
				"bad":  {{Name: "text", Value: item.StringValue(strings.Repeat("x", 300))}},
			} {
				if slug == "bad" && code == run.InvalidValue {
					set = append(set, item.Attribute{Name: "color", Value: item.StringValue("green")})
				}
				set = append(set, item.Attribute{Name: "shelf", Value: item.StringValue("s")},
					item.Attribute{Name: "rank", Value: item.NumberValue(1)})
				if errs, err := migratetest.Of("create", "Note", "slug", slug, set).By(t, w); err != nil || errs != "" {
					t.Fatal(errs, err)
				}
			}
			before := migratetest.Scan(t, tab)
			m := migrator(t, tab)
			fatal.If(t, m.Begin(t.Context(), p.To))
			err := m.Run(t.Context(), migrate.Switched)
			blocked, is := errors.AsType[*run.BlockedError](err)
			if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != code || blocked.Objects[0].PK != "NOTE#bad" {
				t.Fatalf("the error is %v", err)
			}
			fatal.If(t, m.Run(t.Context(), migrate.Former))
			fatal.If(t, m.Close(t.Context()))
			equal(t, "undone", migratetest.Scan(t, tab), before)
		})
	}
}
