package run_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// looseOf returns items that belong to no object: the claim of an idempotency key and what only Go code knows, with an
// entry in an index.
func looseOf(prefix string) []item.Item {
	return []item.Item{
		tabletest.Stored(prefix+"ONCE#createNote#1", "ONCE#createNote#1", "entityType", "IdempotencyClaim"),
		tabletest.Stored(prefix+"SEEN#a", "1", "GSI1PK", prefix+"COLOR#seen", "GSI1SK", "1", "note", "x"),
	}
}

// TestTenantsOfLooseItems: what belongs to no object gets the tenant as well, is written with it in both forms, and is
// the same as what has been loaded for the tenant.
func TestTenantsOfLooseItems(t *testing.T) {
	t.Parallel()
	for _, goal := range []migrate.State{migrate.Former, migrate.Latter} {
		t.Run(goal.String(), func(t *testing.T) {
			t.Parallel()
			p := migratetest.GettingTenants(t, "key")
			s := startMovedWith(t, p, looseOf(""), "a", "b")
			w := s.Writer(s.engine, migrate.Switched)
			put := tabletest.Stored("SEEN#b", "1", "GSI1PK", "COLOR#seen", "GSI1SK", "2")
			ctx := request.WithTenant(t.Context(), "acme")
			_, err := w.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{
				{Kind: write.ActionPut, Key: keys.KeyOf(put), Item: put},
				write.DeleteItem(keys.Key{PK: "SEEN#a", SK: "1"}, write.IfStored()),
			}})
			fatal.If(t, err)
			both := migratetest.Scan(t, s.table)
			for _, prefix := range []string{"", "acme#"} {
				if got := both[keys.Key{PK: keys.PK(prefix + "SEEN#b"), SK: "1"}]; got.Text("GSI1PK") != prefix+"COLOR#seen" ||
					both[keys.Key{PK: keys.PK(prefix + "SEEN#a"), SK: "1"}] != nil {
					t.Errorf("%q: %s", prefix, migratetest.Describe(got))
				}
			}
			fatal.If(t, s.m.Run(t.Context(), goal))
			alone := s.Alone(t, goal.Reads())
			for _, slug := range []string{"a", "b"} {
				s.do(t, alone, noteOf("create", slug))
			}
			prefix := keys.Tenant([...]string{"", "acme#"}[goal.Reads()])
			want := migratetest.Scan(t, alone.Table)
			for _, it := range []item.Item{looseOf(string(prefix))[0], alone.Table.Schema().ToTenant(prefix, put)} {
				want[keys.KeyOf(it)] = it
			}
			equal(t, goal.String(), migratetest.Scan(t, s.table), want)
		})
	}
}

// TestLooseItemOfAnotherProgram: what another program has written without the tenant after the switch stops the end,
// and stays.
func TestLooseItemOfAnotherProgram(t *testing.T) {
	t.Parallel()
	s := startMovedWith(t, migratetest.GettingTenants(t, "key"), nil, "a")
	s.engine.Load(t, looseOf("")...)
	blocked, is := errors.AsType[*run.BlockedError](s.m.Run(t.Context(), migrate.Latter))
	if !is || len(blocked.Objects) != 2 || blocked.Objects[0].Code != run.Differs {
		t.Fatal(blocked)
	}
	if err := s.m.Run(t.Context(), migrate.Former); !errors.Is(err, migrate.ErrFinishing) {
		t.Error(err)
	}
	if left := migratetest.Scan(t, s.table); left[keys.Key{PK: "SEEN#a", SK: "1"}] == nil {
		t.Error("it is gone")
	}
}

// TestFollowedLooseItem: what another program writes without the tenant gets it through the stream.
func TestFollowedLooseItem(t *testing.T) {
	t.Parallel()
	f := &followed{Pair: migratetest.GettingTenants(t, "key")}
	f.start(t)
	f.engine.Load(t, looseOf("")...)
	err := f.with(t, func(m *run.Migrator) error {
		if err := m.Begin(t.Context(), f.To); err != nil {
			return err
		}
		if err := m.Run(t.Context(), migrate.Switched); err != nil {
			return err
		}
		changed := looseOf("")[1]
		changed[len(changed)-1].Value = item.StringValue("y")
		f.engine.Load(t, changed)
		return m.Run(t.Context(), migrate.Latter)
	})
	fatal.If(t, err)
	all := migratetest.Scan(t, f.table)
	former, later := all[keys.Key{PK: "SEEN#a", SK: "1"}], all[keys.Key{PK: "acme#SEEN#a", SK: "1"}]
	if later.Text("note") != "y" || former != nil {
		t.Error(migratetest.Describe(former), migratetest.Describe(later))
	}
}

// TestTenantTooLong: an object whose key has too many bytes with the tenant stops the migration.
func TestTenantTooLong(t *testing.T) {
	t.Parallel()
	p := migratetest.GettingTenants(t, "new copy")
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	long := strings.Repeat("x", keys.MaxPKBytes-len("NOTE#"))
	note := tabletest.Stored("NOTE#"+long, "NOTE", "entityType", "Note", "slug", long, "shelf", "s")
	e.Load(t, append(note, item.Attribute{Name: "rank", Value: item.NumberValue(1)}))
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	blocked, is := errors.AsType[*run.BlockedError](m.Run(t.Context(), migrate.Switched))
	if !is || len(blocked.Objects) != 1 || !strings.Contains(blocked.Error(), "5 of them for the tenant") {
		t.Error(blocked)
	}
}

// TestTenancy: whether a table has tenants whose record does not say it follows from its items.
func TestTenancy(t *testing.T) {
	t.Parallel()
	p := migratetest.GettingTenants(t, "key")
	for prefix, want := range map[string]migrate.TenancyKind{
		"": migrate.WithoutTenants, "acme#": migrate.WithTenants, "none": migrate.Unsaid,
	} {
		e := p.Start(t)
		e.Load(t, looseOf("")[1], tabletest.Stored(prefix+"NOTE#a", "NOTE", "entityType", "Note"))
		if got, err := run.Tenancy(t.Context(), e.Table, p.From); err != nil || got.Kind != want {
			t.Errorf("%q: %v %v", prefix, got, err)
		}
	}
}
