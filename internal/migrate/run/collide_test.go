package run_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// TestCollision: two objects that the later design identifies by the same values stop the migration, and both stay.
func TestCollision(t *testing.T) {
	t.Parallel()
	p := migratetest.NewPair(t,
		migratetest.SDL(`@item(pk: "NOTE#{slug}", sk: "{shelf}")`, migratetest.PlainFields, "",
			`note(slug: String!, shelf: String!): Note @get(pk: "NOTE#{slug}", sk: "{shelf}")`),
		migratetest.SDL(migratetest.Note, migratetest.PlainFields, "", migratetest.GetNote))
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	w := migratetest.Writer{Design: p.From.Design, Table: tab}
	for _, shelf := range []string{"s", "t"} {
		o := noteOf("create", "a")
		o.In.Set[1].Value = item.StringValue(shelf)
		if rejected, err := o.By(t, w); err != nil || rejected != "" {
			t.Fatal(rejected, err)
		}
	}
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	err := m.Run(t.Context(), migrate.Switched)
	blocked, is := errors.AsType[*run.BlockedError](err)
	if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != run.Duplicate {
		t.Error(err)
	}
	gone := migratetest.Operation{Name: "deleteNote"}
	gone.In.ID = keys.NewID("Note", "a", "t")
	if rejected, err := gone.By(t, p.Writer(e, m.Record().State)); err != nil || rejected != "" {
		t.Fatal(rejected, err)
	}
	fatal.If(t, m.Run(t.Context(), migrate.Latter))
	stored := migratetest.Scan(t, tab)
	if v, _ := stored[keys.Key{PK: "NOTE#a", SK: "NOTE"}].Get("shelf"); v.Text != "s" {
		t.Errorf("the object that remains has shelf %q", v.Text)
	}
}
