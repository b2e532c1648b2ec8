package run_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// TestOpenFails: a process that fails after it has taken the right to migrate gives it up, with what another one has
// stored.
func TestOpenFails(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.StartBehindProxy(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	store := record.Open(tab)
	fatal.If(t, store.Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	lock, _, err := store.Lock(t.Context(), "other", time.Minute)
	fatal.If(t, err)
	const progress = `{"of":"another version"}`
	fatal.If(t, lock.Release(t.Context(), progress))
	for failing, what := range map[int]string{3: "the rate", 4: "the record"} { // after two requests for the lock
		sent := 0
		e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException", Only: func(tabletest.Request) bool {
			sent++
			return sent == failing
		}})
		o := run.Options{Name: "test", UnitsPerSecond: 9, Lease: time.Minute, Log: slog.New(slog.DiscardHandler)}
		if _, err := run.Open(t.Context(), tab, o); err == nil {
			t.Errorf("%s: no error", what)
		}
		now, err := store.Migration(t.Context())
		if err != nil || now.Holder != "" || now.Progress != progress {
			t.Fatalf("%s: %+v, %v", what, now, err)
		}
	}
}
