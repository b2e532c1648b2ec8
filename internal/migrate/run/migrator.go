package run

import (
	"log/slog"
	"sync"
	"time"

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
)

// Options are how a migration is carried out.
type Options struct {
	// Name is that of the process, for people.
	Name string
	// UnitsPerSecond is how many read and write units a second are used on average; 0 for no limit.
	UnitsPerSecond float64
	// Parallel is how many objects are written at a time; 0 for 16.
	Parallel int
	// Every and Lease are those of the replicas; 0 for the constants of package record.
	Every, Lease time.Duration
	// Quiet is for how long no other program may have written the former form of an object before a migration is
	// finished.
	Quiet time.Duration
	// Stream is how the stream of the table is read: once a second by default, as a third reader of a shard.
	Stream stream.Settings
	// Report is called with how far the migration is; may be nil. It is not called concurrently.
	Report func(Progress)
	Log    *slog.Logger
}

// Migrator carries out the migration of one table. It has the only right to do so.
type Migrator struct {
	Options
	pair
	store    *record.Store
	record   migrate.Record
	progress *tracker
	// steps is for the record, which changes while nothing acts by the one before.
	steps sync.RWMutex
}

func (m *Migrator) set(r migrate.Record) (err error) {
	m.record = r
	m.progress.in(r.State)
	if r.From != "" && r.From != m.from.SDL {
		if m.from, err = migrate.ParseVersion(r.From); err != nil {
			return err
		}
	}
	if r.To != "" && r.To != m.to.SDL {
		if m.to, err = migrate.ParseVersion(r.To); err != nil {
			return err
		}
	}
	if r.To != "" {
		m.from, m.to = migrate.Recognising(m.from, m.to)
	}
	return nil
}
