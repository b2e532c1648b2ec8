package stream_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/stored"
)

// TestTwoReplicasWithoutStore: two replicas read by themselves. A third one says what it needs, and reads when one of
// them has stopped, or has died.
func TestTwoReplicasWithoutStore(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, streamed)
	// A third replica must wait, however busy the machine is, and the fourth must not wait for long.
	slow := stream.Options{Settings: stream.Settings{Lease: 500 * time.Millisecond}}
	one := read(t, e.Again(t).Table, slow)
	dying := e.Again(t)
	two := read(t, dying.Table, slow)
	third := begin(t, e.Again(t).Table, slow, newSink())
	put(t, e, "a", 0)
	one.awaitCurrent(t)
	two.awaitCurrent(t)
	wantValues(t, one.values(), numbers(0, 0))
	wantValues(t, two.values(), numbers(0, 0))
	for !strings.Contains(third.log.String(), "SHARED_STORE") {
		if t.Context().Err() != nil {
			t.Fatalf("the log is %s", third.log)
		}
	}
	if third.Holds() || !third.current.IsZero() {
		t.Error("three replicas read the stream")
	}
	one.stop()
	third.awaitCurrent(t)
	put(t, e, "a", 1)
	third.awaitCurrent(t)
	if got := third.values(); got[len(got)-1] != "1" {
		t.Errorf("the third has %q", got)
	}

	fourth := begin(t, e.Again(t).Table, slow, newSink())
	dying.Proxy.Inject(tabletest.Faults{Reset: 1})
	fourth.awaitCurrent(t)
	dying.Proxy.Inject(tabletest.Faults{})
	put(t, e, "a", 2)
	fourth.awaitCurrent(t)
	if got := fourth.values(); got[len(got)-1] != "2" {
		t.Errorf("the fourth has %q", got)
	}
	for two.Holds() && t.Context().Err() == nil {
		put(t, e, "b", 0)
	}
	if two.Holds() {
		t.Error("a replica that has lost its lease goes on")
	}
}

// TestDamagedLease: a lease that somebody has overwritten, or deleted, is taken and replaced, by the replica that reads
// and by another one.
func TestDamagedLease(t *testing.T) {
	e := tabletest.Start(t, streamed)
	stored := func(pairs ...string) item.Item { return tabletest.Stored(stored.LeasePK, "LEASE#0", pairs...) }
	number := item.Item{{Name: "renewals", Value: item.IntValue(math.MaxInt64)}, {Name: "holder", Value: item.IntValue(1)}}
	for name, damaged := range map[string]item.Item{
		"position": stored("holder", "x", "position", "{", "stream", "y"),
		"texts":    stored("holder", "x", "renewals", "many"),
		"nothing":  stored(),
		"numbers":  append(stored(), number...),
	} {
		t.Run(name, func(t *testing.T) {
			e.Load(t, damaged)
			r := read(t, e.Again(t).Table, alone)
			put(t, e, "a", 0)
			r.awaitCurrent(t)
			r.stop()
			e.Load(t, damaged)
			one := read(t, e.Again(t).Table, stream.Options{})
			put(t, e, "a", 1)
			one.awaitCurrent(t)
			e.Load(t, damaged)
			put(t, e, "a", 2)
			one.awaitCurrent(t)
			if got := one.values(); got[len(got)-1] != "2" { // it may continue behind the other lease
				t.Errorf("the changes are %q", got)
			}
			if log := one.log.String() + r.log.String(); strings.Contains(log, "not stored") {
				t.Error(log)
			}
			one.stop()
		})
	}
}

// withStore are the options of a replica of its own.
func withStore(t *testing.T, s *storetest.Server) stream.Options {
	return stream.Options{Store: s.Open(t)}
}

// TestFollowers: all replicas get all changes, each once and in order, while one of them reads the stream.
func TestFollowers(t *testing.T) {
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	var all []*reading
	for range 3 {
		all = append(all, read(t, e.Again(t).Table, steady(withStore(t, store))))
	}
	for n := range 50 {
		put(t, e, "a", n)
	}
	for _, r := range all {
		r.awaitCurrent(t)
		wantValues(t, r.values(), numbers(0, 49))
		if c := r.changes[49]; c.Old.Text("n") != "48" || c.At.IsZero() {
			t.Errorf("the change is %+v", c)
		}
	}
	isHolder := func(r *reading) bool { return r.Holds() }
	// One that has read goes on until it hears from the one that reads now.
	eventually(t, "one replica reads", func() bool {
		first := slices.IndexFunc(all, isHolder)
		return first >= 0 && !slices.ContainsFunc(all[first+1:], isHolder)
	})
}

// TestFailOver: when the replica that reads has stopped, has died, or hangs, another one continues where it was: the
// others get each change once.
func TestFailOver(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*reading, *tabletest.Engine){
		"stops": func(r *reading, _ *tabletest.Engine) { r.stop() },
		"dies":  func(_ *reading, e *tabletest.Engine) { e.Proxy.Inject(tabletest.Faults{Reset: 1}) },
		"loses its table for a time": func(_ *reading, e *tabletest.Engine) {
			e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, store := tabletest.Start(t, streamed), storetest.Start(t)
			engines := []*tabletest.Engine{e.Again(t), e.Again(t), e.Again(t)}
			first := read(t, engines[0].Table, withStore(t, store))
			put(t, e, "a", 0) // so that the position is exact
			first.awaitCurrent(t)
			others := []*reading{
				read(t, engines[1].Table, withStore(t, store)), read(t, engines[2].Table, withStore(t, store)),
			}
			var writing sync.WaitGroup
			writing.Go(func() {
				for n := 1; n <= 100; n++ {
					put(t, e, "a", n)
					if n == 30 {
						end(first, engines[0])
					}
				}
			})
			writing.Wait()
			for _, r := range others {
				r.awaitCurrent(t)
				got := r.values()
				if got[0] == "0" { // it has taken the lease at once, with an earlier position
					got = got[1:]
				}
				wantValues(t, got, numbers(1, 100))
				r.wantLost(t, 0)
			}
			engines[0].Proxy.Inject(tabletest.Faults{})
			if name == "stops" {
				return
			}
			put(t, e, "a", 101)
			first.awaitCurrent(t)
			wantValues(t, first.values(), numbers(0, 101))
			first.wantLost(t, 0)
		})
	}
}

// TestReleasedLease: when the replica that reads is stopped, another one continues at once, and not when it looks at
// the lease the next time.
func TestReleasedLease(t *testing.T) {
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	never := withStore(t, store)
	never.Lease = time.Hour
	first := read(t, e.Again(t).Table, never)
	second := read(t, e.Again(t).Table, never)
	put(t, e, "a", 0)
	second.awaitCurrent(t)
	first.stop()
	put(t, e, "a", 1)
	second.awaitCurrent(t)
	wantValues(t, second.values(), numbers(0, 1))
	if !second.Holds() || second.lost() != 0 {
		t.Error("the other replica does not read the stream, or has lost changes")
	}
}

// TestStoreIsLost: without the store, the replica that reads continues, and the others are not current. When the store
// returns without its data, they have the changes that they have missed.
func TestStoreIsLost(t *testing.T) {
	t.Parallel()
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	holder := read(t, e.Again(t).Table, steady(withStore(t, store)))
	follower := follow(t, holder, e.Again(t).Table, steady(withStore(t, store)))
	put(t, e, "a", 0)
	follower.awaitCurrent(t)
	store.Kill()
	put(t, e, "a", 1)
	holder.awaitCurrent(t)
	wantValues(t, holder.values(), numbers(0, 1))
	wantValues(t, follower.values(), numbers(0, 0))
	store.Restart(t)
	put(t, e, "a", 2)
	follower.awaitCurrent(t)
	wantValues(t, follower.values(), numbers(0, 2))
	holder.wantLost(t, 0)
	follower.wantLost(t, 0)
}

// TestStoreReturnsInTime: an interruption of the store during which nothing was written is no loss.
func TestStoreReturnsInTime(t *testing.T) {
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	holder := read(t, e.Again(t).Table, steady(withStore(t, store)))
	follower := follow(t, holder, e.Again(t).Table, steady(withStore(t, store)))
	put(t, e, "a", 0)
	follower.awaitCurrent(t)
	store.Pause(t)
	store.Resume(t)
	put(t, e, "a", 1)
	follower.awaitCurrent(t)
	wantValues(t, follower.values(), numbers(0, 1))
	follower.wantLost(t, 0)
}
