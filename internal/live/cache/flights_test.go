package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// service is a Cache around a source, in a synctest bubble.
type service struct {
	*source
	cache *cache.Cache
	reads *cache.Reads
}

// run runs a test in a bubble, with the options.
func run(t *testing.T, o cache.Options, test func(t *testing.T, s *service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &service{source: newSource(), cache: cache.New(o)}
		s.reads = s.cache.Around(s.source)
		test(t, s)
	})
}

// read is what a goroutine reads.
type read struct {
	request.Result
	err  error
	done chan struct{}
}

// begin begins to read, and returns once the Read waits for something.
func begin(send func() (request.Result, error)) *read {
	r := &read{done: make(chan struct{})}
	go func() {
		defer close(r.done)
		defer func() {
			if cause := recover(); cause != nil {
				r.err = fmt.Errorf("panic: %v", cause)
			}
		}()
		r.Result, r.err = send()
	}()
	synctest.Wait()
	return r
}

func (s *service) get(ctx context.Context, name string) *read {
	return begin(func() (request.Result, error) { return s.reads.GetItem(ctx, request.GetItem{Key: key(name)}) })
}

func (s *service) batch(ctx context.Context, names ...string) *read {
	return begin(func() (request.Result, error) {
		return s.reads.BatchGetItem(ctx, request.BatchGetItem{Keys: keysOf(names...)})
	})
}

func (s *service) query(ctx context.Context, q request.Query) *read {
	return begin(func() (request.Result, error) { return s.reads.Query(ctx, q) })
}

// text is the outcome of a read in one line: its items, what was reused, and what it consumed.
func (r *read) text() string {
	select {
	case <-r.done:
	default:
		return "waits"
	}
	var found []string
	for _, it := range r.Items {
		found = append(found, it.Text("SK")+it.Text("value"))
	}
	slices.Sort(found)
	text := strings.Join(found, " ")
	if len(r.Unprocessed) > 0 {
		text += fmt.Sprintf(" unprocessed %v", names(r.Unprocessed))
	}
	if r.Reused > 0 {
		text += fmt.Sprintf(" reused %d%v", r.Reused, names(r.ReusedKeys))
	}
	if r.Unsent {
		text += " unsent"
	}
	if r.ReadUnits > 0 || r.Retries > 0 {
		text += fmt.Sprintf(" units %v retries %d", r.ReadUnits, r.Retries)
	}
	if r.err != nil {
		text += " " + r.err.Error()
	}
	return strings.TrimSpace(text)
}

func names(all []keys.Key) (names []string) {
	for _, k := range all {
		names = append(names, string(k.SK))
	}
	return names
}

// expect checks the outcomes of reads that have ended, and the requests that were sent.
func (s *service) expect(t *testing.T, requests string, outcomes ...any) {
	t.Helper()
	synctest.Wait()
	if got := strings.Join(s.taken(), ", "); got != requests {
		t.Errorf("the requests are %q, want %q", got, requests)
	}
	for i := 0; i < len(outcomes); i += 2 {
		if got, want := outcomes[i].(*read).text(), outcomes[i+1].(string); got != want {
			t.Errorf("read %d is %q, want %q", i/2+1, got, want)
		}
	}
}

// TestReadsInFlight: equal Reads are sent once, and the sender pays.
func TestReadsInFlight(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		first, second := s.get(ctx, "a"), s.get(ctx, "a")
		both, again := s.batch(ctx, "b", "a"), s.batch(ctx, "b", "a")
		range1 := s.query(ctx, request.Query{PK: "P", Limit: 2})
		range2 := s.query(ctx, request.Query{PK: "P", Limit: 2})
		release()
		s.expect(t, "get a, batch b, query P",
			first, "a1 units 0.5 retries 1", second, "a1 reused 1[] unsent",
			both, "a1 b1 reused 1[a] units 0.5 retries 1", again, "a1 b1 reused 2[b a] unsent",
			range1, "a1 b1 units 1 retries 1", range2, "a1 b1 reused 1[] unsent")
		if range1.Last != range2.Last || range2.Last.IsZero() {
			t.Errorf("the Queries end at %v and %v", range1.Last, range2.Last)
		}
		// Nothing is kept.
		s.expect(t, "")
		s.expect(t, "get a", s.get(ctx, "a"), "a1 units 0.5 retries 1")
	})
}

// TestSharedItems: appending to the items of a result does not write into those of others.
func TestSharedItems(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		all := []*read{
			s.get(ctx, "a"), s.get(ctx, "a"), s.batch(ctx, "b", "c"), s.batch(ctx, "b", "c"),
			s.query(ctx, request.Query{PK: "P"}), s.query(ctx, request.Query{PK: "P"}),
		}
		release()
		synctest.Wait()
		for i, r := range all {
			if i != 3 && len(r.Items) != cap(r.Items) { // a batch puts together what it has not read itself
				t.Errorf("read %d has room for %d more items", i, cap(r.Items)-len(r.Items))
			}
		}
	})
}

// TestOtherReads: Reads that differ are not shared, nor are those of tenants or strongly consistent ones.
func TestOtherReads(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		one, two := request.WithTenant(ctx, "one "), request.WithTenant(ctx, "two ")
		s.get(ctx, "a")
		s.get(one, "a")
		s.batch(two, "a", "b")
		for _, q := range []request.Query{
			{PK: "P"}, {PK: "P", Limit: 1}, {PK: "P", Descending: true}, {PK: "P", Prefix: "a"}, {PK: "P", Index: "I"},
			{PK: "P", Start: keys.Position{SK: "a"}}, {PK: "P", Consistent: true}, {PK: "P", Consistent: true},
		} {
			s.query(ctx, q)
		}
		s.query(one, request.Query{PK: "P"})
		for range 2 {
			begin(func() (request.Result, error) {
				return s.reads.GetItem(ctx, request.GetItem{Key: key("a"), Consistent: true})
			})
			begin(func() (request.Result, error) {
				return s.reads.BatchGetItem(ctx, request.BatchGetItem{Keys: keysOf("a", "b"), Consistent: true})
			})
		}
		s.expect(t, "get a, get one a, batch two ab, query P, query P, query P, query P, query IP, query P, "+
			"query P strongly, query P strongly, query one P, "+
			"get a strongly, batch ab strongly, get a strongly, batch ab strongly")
		release()
	})
}

// TestLeaderLeaves: if the context of the operation ends that has sent a Read, one of those that wait sends it again.
func TestLeaderLeaves(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		leading, leave := context.WithCancel(ctx)
		left := s.get(leading, "a")
		second, third, fourth := s.get(ctx, "a"), s.get(ctx, "a"), s.batch(ctx, "a", "b")
		leave()
		s.expect(t, "get a, batch b, get a", left, "units 0 retries 1 context canceled", third, "waits")
		release()
		s.expect(t, "", second, "a1 units 0.5 retries 1", third, "a1 reused 1[] unsent",
			fourth, "a1 b1 reused 1[a] units 0.5 retries 1")
	})
}

// TestLeaderOfBatchLeaves: all keys are requested again at once, and keys of several leaders too.
func TestLeaderOfBatchLeaves(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		leading, leave := context.WithCancel(ctx)
		s.batch(leading, "a", "b")
		second, third := s.batch(ctx, "a", "b", "c"), s.batch(ctx, "b", "a")
		leave()
		// The second waits for the answer to its own request.
		s.expect(t, "batch ab, batch c, batch ba", second, "waits", third, "waits")
		release()
		s.expect(t, "", second, "a1 b1 c1 reused 2[a b] units 0.5 retries 1", third, "a1 b1 units 1 retries 1")
	})
}

// TestAllLeave: a flight that nobody waits for any more is none.
func TestAllLeave(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		release := s.hold()
		leading, leave := context.WithCancel(t.Context())
		waiting, stop := context.WithTimeout(t.Context(), time.Millisecond)
		defer stop()
		first := s.get(leading, "a")
		second, third := s.get(waiting, "a"), s.batch(waiting, "a")
		time.Sleep(time.Millisecond)
		s.expect(t, "get a", first, "waits",
			second, "unsent request: no response in time: context deadline exceeded",
			third, "unsent request: no response in time: context deadline exceeded")
		leave()
		release()
		s.expect(t, "", first, "units 0 retries 1 context canceled")
		s.expect(t, "get a", s.get(t.Context(), "a"), "a1 units 0.5 retries 1")
	})
}

// TestErrorsAreShared: an error of the table is that of all that wait, except for a batch, which asks again.
func TestErrorsAreShared(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		s.err = request.ErrThrottled
		first, second := s.get(ctx, "a"), s.get(ctx, "a")
		s.err = nil
		third := s.batch(ctx, "a", "b")
		release()
		s.expect(t, "get a, batch b", first, "units 0 retries 1 request: throttled",
			second, "reused 1[] unsent request: throttled", third, "b1 unprocessed [a] units 0.5 retries 1")
		if !errors.Is(second.err, request.ErrThrottled) {
			t.Errorf("got %v", second.err)
		}
	})
}

// TestUnprocessedKeys: who waits for a key that was not processed asks again, a batch after its pause.
func TestUnprocessedKeys(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		s.left = keysOf("b")
		first := s.batch(ctx, "a", "b")
		s.left = nil
		second, third := s.batch(ctx, "a", "b"), s.get(ctx, "b")
		release()
		s.expect(t, "batch ab, get b", first, "a1 unprocessed [b] units 1 retries 1",
			second, "a1 unprocessed [b] reused 1[a] unsent", third, "b1 units 0.5 retries 1")
	})
}

// TestPanics: a request that panics is that of its operation alone.
func TestPanics(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		s.panics = true
		first, second, third := s.batch(ctx, "a", "b"), s.batch(ctx, "a", "b"), s.get(ctx, "a")
		release()
		s.expect(t, "batch ab, batch ab", first, "panic: broken", second, "a1 b1 units 1 retries 1",
			third, "a1 reused 1[] unsent")
	})
}

// TestOldFlights: a Read that takes long is not joined any more.
func TestOldFlights(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		s.get(ctx, "a")
		time.Sleep(time.Second - 1)
		joined := s.get(ctx, "a")
		time.Sleep(time.Nanosecond)
		s.put("a", "2")
		later, last := s.get(ctx, "a"), s.get(ctx, "a")
		release()
		s.expect(t, "get a, get a", joined, "a1 reused 1[] unsent", later, "a2 units 0.5 retries 1",
			last, "a2 reused 1[] unsent")
	})
}

// TestOwnWrites: what begins after a write of this process joins nothing that began before.
func TestOwnWrites(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx, release := t.Context(), s.hold()
		table, index := request.Query{PK: "P"}, request.Query{PK: "P", Index: "I"}
		reads := func() []*read {
			return []*read{
				s.get(ctx, "a"), s.get(ctx, "b"), s.query(ctx, table), s.query(ctx, index),
				s.query(ctx, request.Query{PK: "Q"}), s.query(request.WithTenant(ctx, "one "), index),
			}
		}
		reads()
		time.Sleep(time.Nanosecond)
		w := write.Transaction{Actions: []write.Action{
			{Kind: write.ActionPut, Key: key("a"), Item: stored("a", "2")},
			{Kind: write.ActionCheck, Key: key("b")},
		}}
		if _, err := s.reads.TransactWriteItems(ctx, w); err != nil {
			t.Fatal(err)
		}
		s.taken()
		time.Sleep(time.Nanosecond)
		after := reads()
		s.expect(t, "get a, query P, query IP")
		release()
		s.expect(t, "", after[0], "a2 units 0.5 retries 1", after[1], "b1 reused 1[] unsent")
	})
}

// TestScope: operations of one scope share Reads that have ended, for a while.
func TestScope(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		one := request.WithScope(t.Context(), new(request.Scope))
		other := request.WithScope(t.Context(), new(request.Scope))
		s.get(one, "a")
		s.batch(one, "b", "c")
		s.query(one, request.Query{PK: "P"})
		s.expect(t, "get a, batch bc, query P",
			s.get(one, "a"), "a1 reused 1[] unsent", s.batch(one, "a", "b", "c"), "a1 b1 c1 reused 3[a b c] unsent",
			s.query(one, request.Query{PK: "P"}), "a1 b1 reused 1[] unsent")
		s.expect(t, "get a", s.get(other, "a"), "a1 units 0.5 retries 1")
		// The Reads of two scopes are in flight at the same time.
		release := s.hold()
		first, second := s.get(one, "d"), s.get(other, "d")
		release()
		s.expect(t, "get d", first, "units 0.5 retries 1", second, "reused 1[] unsent")
		s.err = request.ErrThrottled
		s.get(one, "e")
		s.err = nil
		s.expect(t, "get e, get e", s.get(one, "e"), "units 0.5 retries 1")
		time.Sleep(5*time.Second + 1)
		s.expect(t, "get a", s.get(one, "a"), "a1 units 0.5 retries 1")
		s.expect(t, "get a", s.get(one, "a"), "a1 units 0.5 retries 1")
	})
}

// TestScopeIsBounded: a scope keeps a thousand Reads.
func TestScopeIsBounded(t *testing.T) {
	run(t, cache.Options{}, func(t *testing.T, s *service) {
		ctx := request.WithScope(t.Context(), new(request.Scope))
		for range 2 {
			for i := range 1010 {
				if _, err := s.reads.GetItem(ctx, request.GetItem{Key: key(fmt.Sprint(i))}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := len(s.taken()); n != 1020 {
			t.Errorf("%d requests were sent", n)
		}
	})
}
