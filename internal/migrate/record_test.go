package migrate_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
)

// walk takes the steps to the goal, with a proof wherever one is needed, and returns the states on the way.
func walk(t *testing.T, r migrate.Record) (migrate.Record, []migrate.State) {
	t.Helper()
	states := []migrate.State{r.State}
	for {
		if _, is := r.Next(); !is {
			return r, states
		}
		if r.NeedsProof() {
			if _, err := r.Step(); !errors.Is(err, migrate.ErrUnproven) {
				t.Fatalf("a step from %s without a proof: %v", r.State, err)
			}
			r = r.Proven()
		}
		next, err := r.Step()
		fatal.If(t, err)
		if next.Revision <= r.Revision || next.IsProven {
			t.Fatalf("after a step: %+v", next)
		}
		r, states = next, append(states, next.State)
	}
}

// TestTenancyOfRecord: what a record says of tenants is kept, and once the migration to the first tenant has ended,
// others may come.
func TestTenancyOfRecord(t *testing.T) {
	v := version(t, "type Query { a: Int }")
	for _, first := range []string{"acme", `a"),\`, "ä )"} {
		for _, kind := range []migrate.TenancyKind{migrate.WithoutTenants, migrate.WithTenants, migrate.OfFirst} {
			said := v.With(migrate.Tenancy{Kind: kind, First: first})
			again, err := migrate.ParseVersion(said.SDL)
			if err != nil || again.Tenancy != said.Tenancy || again.SDL != said.SDL ||
				again.With(migrate.Tenancy{}).SDL != v.SDL {
				t.Errorf("%+v %v", again.Tenancy, err)
			}
		}
	}
	r := migrate.NewRecord(v)
	if r.SaysTenancy() {
		t.Error("a record of before says something")
	}
	r, err := r.Begin(v.With(migrate.Tenancy{Kind: migrate.OfFirst, First: "acme"}))
	if err != nil || !r.SaysTenancy() {
		t.Fatal(err)
	}
	r.State, r.Goal = migrate.Latter, migrate.Latter
	if r, err = r.Proven().Settle(""); err != nil {
		t.Fatal(err)
	}
	got, err := migrate.ParseVersion(r.From)
	if want := (migrate.Tenancy{Kind: migrate.WithTenants, First: "acme"}); err != nil || got.Tenancy != want {
		t.Errorf("%+v %v", got.Tenancy, err)
	}
}

// TestRecord: a migration runs, finishes, and begins anew; another one is undone.
func TestRecord(t *testing.T) {
	from, to := migrate.Version{SDL: "from"}, migrate.Version{SDL: "to"}
	r := migrate.NewRecord(from)
	if _, err := r.Toward(migrate.Former); !errors.Is(err, migrate.ErrNoMigration) {
		t.Error(err)
	}
	r, err := r.Begin(to)
	fatal.If(t, err)
	if _, err := r.Begin(to); !errors.Is(err, migrate.ErrMigrating) {
		t.Error(err)
	}
	r, states := walk(t, r)
	if r.State != migrate.Switched || len(states) != 4 {
		t.Fatal(states)
	}
	undone, err := r.Toward(migrate.Former)
	fatal.If(t, err)
	undone, _ = walk(t, undone)
	if undone, err = undone.Proven().Settle("later"); err != nil || undone.From+undone.History != "from" ||
		!undone.IsStable() {
		t.Errorf("%+v %v", undone, err)
	}
	if r, err = r.Toward(migrate.Latter); err != nil {
		t.Fatal(err)
	}
	if r, err = r.Step(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Toward(migrate.Former); !errors.Is(err, migrate.ErrFinishing) {
		t.Error(err)
	}
	r, _ = walk(t, r)
	if _, err := r.Settle("later"); !errors.Is(err, migrate.ErrUnproven) {
		t.Error(err)
	}
	if r, err = r.Proven().Settle("later"); err != nil || r.From+r.History != "tolater" || !r.IsStable() ||
		r.State != migrate.Former {
		t.Errorf("%+v %v", r, err)
	}
}
