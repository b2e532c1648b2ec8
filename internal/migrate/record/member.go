package record

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/internal/migrate"
)

// A replica renews its registration this often, and has expired this long after its last renewal. A migration waits
// that long for one that was killed. 15 s outlast the failover of an endpoint and a paused virtual machine. Programs of
// tests change it before they begin.
var (
	Every = 3 * time.Second
	Lease = 15 * time.Second
)

// Options are how a process takes part.
type Options struct {
	// Program is the version of the program.
	Program string
	// Apply makes the process act by a record. It returns when nothing acts by an earlier one any longer. It is called
	// with the first record before Join returns; one of Revision 0 is that of a table without a record. If it fails, the
	// process stays at the record before and tries again.
	Apply func(context.Context, migrate.Record) error
	// Every and Lease are for tests, which have no time; 0 for the constants of the same names.
	Every, Lease time.Duration
	Log          *slog.Logger
}

// Member is a process that takes part in what the record orders.
type Member struct {
	store   *Store
	options Options
	// mu is for the replica, whose registration is renewed by one caller at a time.
	mu      sync.Mutex
	replica Replica
	// until is the time up to which others regard the process as registered, as a count of nanoseconds since start.
	until atomic.Int64
	start time.Time
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// Join registers the process, applies the record, and follows it until Leave. Errors are those of the Store and of
// Apply.
func (s *Store) Join(ctx context.Context, o Options) (*Member, error) {
	if o.Every == 0 {
		o.Every, o.Lease = Every, Lease
	}
	m := &Member{store: s, options: o, replica: Replica{ID: uuid.NewString(), Program: o.Program}, start: time.Now()}
	if err := m.register(ctx); err != nil {
		return nil, err
	}
	ctx, m.stop = context.WithCancel(context.WithoutCancel(ctx))
	m.ended.Go(func() { m.follow(ctx) })
	return m, nil
}

// register registers the process, and acts by the record as it is then.
func (m *Member) register(ctx context.Context) error {
	for {
		r, err := m.store.Get(ctx)
		if err != nil {
			return err
		}
		m.replica.Revision = r.Revision
		if r.Revision == 0 { // Nobody waits for a replica of a table without a record, which stays as it is.
			m.until.Store(math.MaxInt64)
			return m.options.Apply(ctx, r)
		}
		sent := time.Now()
		m.replica.Renewals++
		if _, err := m.store.Register(ctx, m.replica); err != nil {
			return err
		}
		again, err := m.store.Get(ctx)
		if err != nil {
			return err
		}
		if again.Revision != r.Revision {
			continue
		}
		if err := m.options.Apply(ctx, r); err != nil {
			return err
		}
		m.renewed(sent)
		return nil
	}
}

func (m *Member) renewed(sent time.Time) {
	m.until.Store(int64(sent.Add(m.options.Lease).Sub(m.start)))
}

// IsRegistered reports whether others regard the process as registered. If they do not, they may have left the state by
// which it acts, so that it must neither read nor write.
func (m *Member) IsRegistered() bool { return int64(time.Since(m.start)) < m.until.Load() }

// Refresh returns nil if the process is registered, after a renewal if it has not been in time: a process that sleeps
// between requests does not renew.
func (m *Member) Refresh(ctx context.Context) error {
	if m.IsRegistered() {
		return nil
	}
	if _, err := m.renew(ctx); err != nil {
		return err
	}
	if !m.IsRegistered() {
		return ErrNotRegistered
	}
	return nil
}

// ErrNotRegistered is the error of a process that others take for dead.
var ErrNotRegistered = errors.New("record: this replica has not renewed its registration in time")

// Check returns ErrNotRegistered if the process must not write, because others may have left the state by which it
// acts.
func (m *Member) Check() error {
	if m.IsRegistered() {
		return nil
	}
	return ErrNotRegistered
}

// follow renews the registration and applies each new record, until the context ends. It goes on renewing while a
// record is applied, which takes as long as the operations that act by the one before.
func (m *Member) follow(ctx context.Context) {
	tick := time.NewTicker(m.options.Every)
	defer tick.Stop()
	applied := make(chan struct{}, 1)
	isApplying := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-applied:
			isApplying = false
		case <-tick.C:
		}
		isOther, err := m.renew(ctx)
		if err != nil && ctx.Err() == nil {
			m.options.Log.WarnContext(ctx, "the registration of this replica is not renewed", "error", err.Error())
			continue
		}
		if isOther && !isApplying {
			isApplying = true
			m.ended.Go(func() {
				m.apply(ctx)
				applied <- struct{}{}
			})
		}
	}
}

// apply applies the record as it is now. The next renewal acknowledges it.
func (m *Member) apply(ctx context.Context) {
	r, err := m.store.Get(ctx)
	if err == nil {
		err = m.options.Apply(ctx, r)
	}
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.replica.Revision = r.Revision
	} else if ctx.Err() == nil {
		m.options.Log.ErrorContext(ctx, "the new record of the table's design cannot be applied", "error", err.Error())
	}
}

// renew renews the registration, or registers again if it was removed. It reports whether the table has another record
// than the one by which the process acts.
func (m *Member) renew(ctx context.Context) (isOther bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.replica.Revision == 0 {
		if r, err := m.store.Get(ctx); err != nil || r.Revision == 0 {
			return false, err
		}
		m.until.Store(0)
		return false, m.register(ctx)
	}
	sent := time.Now()
	m.replica.Renewals++
	revision, registered, err := m.store.Renew(ctx, m.replica)
	if err != nil {
		return false, err
	}
	if !registered {
		m.options.Log.WarnContext(ctx, "this replica was taken for dead, and registers again")
		m.until.Store(0)
		return false, m.register(ctx)
	}
	m.renewed(sent)
	return revision != m.replica.Revision, nil
}

// Leave ends the registration once the process has stopped to serve.
func (m *Member) Leave(ctx context.Context) error {
	m.stop()
	m.ended.Wait()
	m.until.Store(0)
	if m.replica.Revision == 0 {
		return nil
	}
	_, err := m.store.Remove(ctx, m.replica)
	return err
}
