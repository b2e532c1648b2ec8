package run_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/partita/partita/internal/migrate"
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
	if err := record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)); err != nil {
		t.Fatal(err)
	}
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
	if err := m.Begin(t.Context(), p.To); err != nil {
		t.Fatal(err)
	}
	err := m.Run(t.Context(), migrate.Switched)
	blocked, is := errors.AsType[*run.BlockedError](err)
	if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != run.Duplicate ||
		m.Record().State != migrate.Filling {
		t.Fatalf("the error is %v in state %v", err, m.Record().State)
	}
	slug := string(blocked.Objects[0].PK)[len("NOTE#"):]
	w = p.Writer(e, migrate.Filling)
	do(migratetest.Of("update", "Note", "slug", slug, item.Item{{Name: "color", Value: item.StringValue("green")}}))
	if err := m.Run(t.Context(), migrate.Switched); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestBlocked: objects that have no form by the later design are listed with their keys, and reads do not switch;
// undo leads back.
func TestBlocked(t *testing.T) {
	t.Parallel()
	const pk = `@item(pk: "NOTE#{slug}", sk: "NOTE"`
	get := migratetest.GetNote
	from := migratetest.SDL(migratetest.Note, migratetest.PlainFields, "", get)
	for code, to := range map[run.Code]string{
		run.MissingValue: migratetest.SDL(migratetest.Note, "rank: Int!\n color: String!\n text: String", "", get),
		run.TooLarge:     migratetest.SDL(pk+`, maxBytes: 200)`, migratetest.PlainFields, "", get),
	} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			p := migratetest.Pair{From: migratetest.Version(t, from), To: migratetest.Version(t, to)}
			e := p.Start(t)
			tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
			if err := record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)); err != nil {
				t.Fatal(err)
			}
			w := migratetest.Writer{Design: p.From.Design, Table: tab}
			for slug, set := range map[string]item.Item{
				"good": {{Name: "color", Value: item.StringValue("red")}},
				"bad":  {{Name: "text", Value: item.StringValue(strings.Repeat("x", 300))}},
			} {
				set = append(set, item.Attribute{Name: "shelf", Value: item.StringValue("s")},
					item.Attribute{Name: "rank", Value: item.NumberValue(1)})
				if errs, err := migratetest.Of("create", "Note", "slug", slug, set).By(t, w); err != nil || errs != "" {
					t.Fatal(errs, err)
				}
			}
			before := migratetest.Scan(t, tab)
			m := migrator(t, tab)
			if err := m.Begin(t.Context(), p.To); err != nil {
				t.Fatal(err)
			}
			err := m.Run(t.Context(), migrate.Switched)
			blocked, is := errors.AsType[*run.BlockedError](err)
			if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != code || blocked.Objects[0].PK != "NOTE#bad" {
				t.Fatalf("the error is %v", err)
			}
			if err := m.Run(t.Context(), migrate.Former); err != nil {
				t.Fatal(err)
			}
			if err := m.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			equal(t, "undone", migratetest.Scan(t, tab), before)
		})
	}
}
