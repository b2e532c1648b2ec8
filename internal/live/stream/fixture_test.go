package stream_test

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// fast is the interval of tests, and lease that of renewals: a lease expires after four of them. On a busy machine
// leases expire although their holders live, which must do no harm. A test of what one replica has while another one
// reads uses steady.
const fast, lease = 20 * time.Millisecond, 50 * time.Millisecond

// steady returns options of replicas that keep their roles: a lease passes to another one only when it is released.
func steady(o stream.Options) stream.Options {
	o.Lease = time.Hour
	return o
}

var streamed = table.Schema{Stream: true}

// sink keeps what a reader passes.
type sink struct {
	mu      sync.Mutex
	changes []*live.Change
	current time.Time
	losses  int
	changed chan struct{} // closed at the next call
	// leaves reports whether the items of a change are left where they are.
	leaves func(*live.Change) bool
}

func newSink() *sink { return &sink{changed: make(chan struct{})} }

func (s *sink) update(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// Deliver needs all items, unless s.leaves is set.
func (s *sink) Deliver(changes []*live.Change) (needed []*live.Change) {
	s.update(func() {
		for _, c := range changes {
			if c.Away != nil && (s.leaves == nil || !s.leaves(c)) {
				needed = append(needed, c)
			}
		}
		if len(needed) == 0 {
			s.changes = append(s.changes, changes...)
		}
	})
	return needed
}
func (s *sink) Current(at time.Time) { s.update(func() { s.current = at }) }
func (s *sink) Lost(error)           { s.update(func() { s.losses++ }) }

// await returns once the condition holds.
func (s *sink) await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for {
		s.mu.Lock()
		holds, changed := condition(), s.changed
		s.mu.Unlock()
		if holds {
			return
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("it does not happen: %s", what)
		}
	}
}

// awaitCurrent returns once everything that was written before has been passed.
func (s *sink) awaitCurrent(t *testing.T) {
	t.Helper()
	now := time.Now()
	s.await(t, "all changes are passed", func() bool { return s.current.After(now) })
}

// values returns the values of the attribute n of the items that the changes have left, "-" for a deleted one.
func (s *sink) values() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return valuesOf(s.changes)
}

func valuesOf(changes []*live.Change) []string {
	values := make([]string, len(changes))
	for i, c := range changes {
		if values[i] = c.New.Text("n"); c.New == nil {
			values[i] = "-"
		}
	}
	return values
}

func (s *sink) lost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.losses
}

// reading is a reader that reads.
type reading struct {
	*stream.Reader
	*sink
	log *gatewaytest.Log
	// stop ends it, as a graceful stop of the program does.
	stop func()
}

// read starts a reader until the test ends.
func read(t *testing.T, tb *table.Table, o stream.Options) *reading {
	t.Helper()
	r := begin(t, tb, o, newSink())
	r.awaitCurrent(t)
	return r
}

// follow starts a reader of a table with one open shard, which another replica goes on to read.
func follow(t *testing.T, holder *reading, tb *table.Table, o stream.Options) *reading {
	t.Helper()
	r := create(tb, o, newSink())
	fatal.If(t, r.Yield(t.Context(), holder.Reader))
	r.stop = run(t, r.Reader, r.sink)
	r.awaitCurrent(t)
	return r
}

// begin starts a reader with a sink.
func begin(t *testing.T, tb *table.Table, o stream.Options, s *sink) *reading {
	t.Helper()
	r := create(tb, o, s)
	r.stop = run(t, r.Reader, s)
	return r
}

// create returns a reader that has not been started.
func create(tb *table.Table, o stream.Options, s *sink) *reading {
	r := &reading{sink: s, log: &gatewaytest.Log{}}
	o.Interval, o.Lease = fast, cmp.Or(o.Lease, lease)
	o.Logger = slog.New(slog.NewTextHandler(r.log, nil))
	r.Reader = stream.New(tb, o)
	return r
}

// run runs a reader until the test ends or the function is called.
func run(t *testing.T, r *stream.Reader, s live.Sink) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Read(ctx, s) // its error is that of the context
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(stop)
	return stop
}

// put writes an item whose attribute n is a number.
func put(t *testing.T, e *tabletest.Engine, pk string, n int) {
	t.Helper()
	e.Load(t, tabletest.Stored(pk, "A", "n", strconv.Itoa(n)))
}

func numbers(from, to int) []string {
	var all []string
	for n := from; n <= to; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// afterFirst returns the values without 0, which was written directly before a follower began: it may have it or not.
func afterFirst(values []string) []string {
	if len(values) > 0 && values[0] == "0" {
		return values[1:]
	}
	return values
}

func wantValues(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("the changes are %q, want %q", got, want)
	}
}

// wantLost checks how often changes were lost.
func (r *reading) wantLost(t *testing.T, want int) {
	t.Helper()
	if got := r.lost(); got != want {
		t.Errorf("changes are lost %d times, want %d; the log: %v", got, want, r.log)
	}
}

// eventually waits until something is so, at most a minute.
func eventually(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !isSo(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}
