package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/table"
)

// Open takes the right to carry out the migration of a table. The error is a *record.HeldError if another process has
// it. Close gives it up.
func Open(ctx context.Context, t *table.Table, o Options) (*Migrator, error) {
	if o.Parallel == 0 {
		o.Parallel = 16
	}
	s := record.Open(t)
	lock, seen, err := s.Lock(ctx, o.Name, o.Lease)
	if err != nil {
		return nil, err
	}
	m := &Migrator{Options: o, pair: pair{table: t}, store: s, progress: &tracker{
		lock: lock, store: s, rate: newLimiter(o.UnitsPerSecond), own: o.UnitsPerSecond, report: o.Report,
		every: cmp.Or(o.Every, record.Every),
	}}
	// What cannot be read is from another version: the pass begins anew.
	_ = json.Unmarshal([]byte(seen.Progress), &m.progress.now)
	if err := m.takeOver(ctx); err != nil {
		return nil, errors.Join(err, lock.Release(context.WithoutCancel(ctx), seen.Progress))
	}
	return m, nil
}

// takeOver takes over the record, and the rate if the process has its own.
func (m *Migrator) takeOver(ctx context.Context) error {
	if m.UnitsPerSecond > 0 {
		if err := m.store.SetRate(ctx, -1); err != nil {
			return err
		}
	}
	r, err := m.store.Get(ctx)
	if err != nil {
		return err
	}
	return m.set(r)
}

// Close gives up the right to carry out the migration.
func (m *Migrator) Close(ctx context.Context) error {
	return m.progress.close(context.WithoutCancel(ctx))
}

// Record returns the record as it is now.
func (m *Migrator) Record() migrate.Record { return m.record }

// Progress returns how far the migration is.
func (m *Migrator) Progress() Progress { return m.progress.get() }

// put stores another record.
func (m *Migrator) put(ctx context.Context, r migrate.Record, err error) error {
	if err != nil {
		return err
	}
	if r == m.record {
		return nil
	}
	m.steps.Lock()
	defer m.steps.Unlock()
	if err := m.store.Put(ctx, m.record, r); err != nil {
		return err
	}
	m.Log.InfoContext(ctx, "the table's record has changed", "state", r.State, "goal", r.Goal, "revision", r.Revision)
	return m.set(r)
}

// Begin begins a migration to a version. Nothing changes if that is the one to which a migration goes already. The
// error is a *stream.Unregistered if a replica is noticed that does not act by the record.
func (m *Migrator) Begin(ctx context.Context, to migrate.Version) error {
	if !m.record.IsStable() && m.record.To == to.SDL {
		return nil
	}
	if err := stream.CheckRegistered(ctx, m.table, m.Stream); err != nil {
		return err
	}
	r, err := m.record.Begin(to)
	m.progress.update(func(p *Progress) { *p = Progress{} })
	return m.put(ctx, r, err)
}

// Replace stores a version that stores the same as the one that the data follow.
func (m *Migrator) Replace(ctx context.Context, v migrate.Version) error {
	r := m.record
	history, err := migrate.HistoryAfter(r.History, m.from, v)
	r.History, r.From = history, v.SDL
	r.Revision++
	return m.put(ctx, r, err)
}

// Run takes all steps to a goal: migrate.Switched, migrate.Latter to finish or migrate.Former to undo. Errors are those
// of migrate.Record and of the table, and *BlockedError.
func (m *Migrator) Run(ctx context.Context, goal migrate.State) error {
	return m.watching(ctx, func(ctx context.Context, w *watcher) error { return m.run(ctx, w, goal) })
}

// Follow follows other programs until the context ends.
func (m *Migrator) Follow(ctx context.Context) error {
	return m.watching(ctx, func(ctx context.Context, _ *watcher) error {
		defer m.progress.start(ctx)()
		<-ctx.Done()
		return ctx.Err()
	})
}

func (m *Migrator) run(ctx context.Context, w *watcher, goal migrate.State) error {
	total, err := itemCount(ctx, m.table)
	if err != nil {
		return err
	}
	m.progress.update(func(p *Progress) { p.Total = total })
	defer m.progress.start(ctx)()
	r, err := m.record.Toward(goal)
	if err := m.put(ctx, r, err); err != nil {
		return err
	}
	for {
		if err := m.await(ctx); err != nil {
			return err
		}
		switch isProven := m.record.IsProven && (m.record.State != migrate.Filling || !w.isLost()); {
		case m.record.NeedsProof() && !isProven:
			if err := m.prove(ctx, w); err != nil {
				return err
			}
			if m.makesUnique() {
				continue // Once replicas act by the proof, they keep values unique.
			}
		case isProven && m.makesUnique():
			if err := m.proveUnique(ctx, w); err != nil {
				return err
			}
		}
		next, is := m.record.Next()
		if !is {
			break
		}
		if m.record.NeedsProof() || next == migrate.Closing {
			if err := w.catchUp(ctx); err != nil {
				return err
			}
		}
		r, err := m.record.Step()
		if err := m.put(ctx, r, err); err != nil {
			return err
		}
	}
	if goal == migrate.Switched {
		return nil
	}
	return m.settle(ctx, w)
}

// makesUnique reports whether the next step makes other values unique, or identifies objects by fewer.
func (m *Migrator) makesUnique() bool {
	next, _ := m.record.Next()
	return next.Reads() != m.record.State.Reads() && makesUnique(m.from, m.to)
}

// await waits until each replica acts by the record.
func (m *Migrator) await(ctx context.Context) error {
	return m.store.Await(ctx, m.record.Revision, m.Every, m.Lease, func(behind []record.Replica) {
		m.progress.update(func(p *Progress) { p.Replicas = len(behind) })
	})
}

// prove does what the state needs before it is left, and stores that it is done.
func (m *Migrator) prove(ctx context.Context, w *watcher) error {
	var err error
	switch m.record.State {
	case migrate.Filling:
		if err = m.fill(ctx, w); err == nil {
			err = m.countAll(ctx, w)
		}
	case migrate.Switched: // back: what was stored meanwhile may have no form by From
		err = m.fill(ctx, w)
	case migrate.Prepared: // back
		if err = m.converter(migrate.From).all(ctx); err == nil {
			err = m.remove(ctx, w)
		}
	default:
		others := m.progress.get().Others
		if err = m.remove(ctx, w); err == nil && len(others) > 0 { // Only gateways count what only the later design counts.
			err = m.countAll(ctx, w)
		}
	}
	return m.put(ctx, m.record.Proven(), err)
}

// countAll counts until all is right: another program may change a collection meanwhile.
func (m *Migrator) countAll(ctx context.Context, w *watcher) error {
	for n := 1; ; n++ {
		if err := w.catchUp(ctx); err != nil {
			return err
		}
		blocked, err := m.count(ctx, n)
		switch {
		case err != nil || blocked.count() == 0:
			return err
		case w == nil || n == maxPasses:
			return blocked.sorted()
		}
	}
}

// proveUnique proves that unique values are still so, since replicas keep them unique. Otherwise the record has no
// proof any more.
func (m *Migrator) proveUnique(ctx context.Context, w *watcher) error {
	at, _ := m.progress.at(phaseUnique)
	err := m.completeAll(ctx, w, at, phaseUnique, phaseUnique)
	if _, is := errors.AsType[*BlockedError](err); is {
		return errors.Join(err, m.put(ctx, m.record.Disproven(), nil))
	}
	return err
}

// settle proves that nothing is left of the side that the table leaves, and ends the migration.
func (m *Migrator) settle(ctx context.Context, w *watcher) error {
	if err := m.remove(ctx, w); err != nil {
		return err
	}
	if err := m.put(ctx, m.record.Proven(), nil); err != nil {
		return err
	}
	later, err := migrate.HistoryAfter(m.record.History, m.from, m.to)
	if err != nil {
		return err
	}
	r, err := m.record.Settle(later)
	return m.put(ctx, r, err)
}
