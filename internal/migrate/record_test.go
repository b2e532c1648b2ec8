package migrate_test

import (
	"errors"
	"testing"

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
		if err != nil {
			t.Fatal(err)
		}
		if next.Revision <= r.Revision || next.IsProven {
			t.Fatalf("after a step: %+v", next)
		}
		r, states = next, append(states, next.State)
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
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Begin(to); !errors.Is(err, migrate.ErrMigrating) {
		t.Error(err)
	}
	r, states := walk(t, r)
	if r.State != migrate.Switched || len(states) != 4 {
		t.Fatal(states)
	}
	undone, err := r.Toward(migrate.Former)
	if err != nil {
		t.Fatal(err)
	}
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
