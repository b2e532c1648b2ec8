package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// roomy are options with which nothing is displaced.
var roomy = cache.Options{Settings: cache.Settings{Bytes: 1 << 20}}

// runKept runs a test with a cache whose stream is read, with all items that exist in it, and no requests so far.
func runKept(t *testing.T, test func(t *testing.T, s *service)) {
	t.Helper()
	run(t, roomy, func(t *testing.T, s *service) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go s.follow(ctx)
		time.Sleep(3 * time.Second)
		s.batch(t.Context(), "a", "b", "c")
		s.taken()
		test(t, s)
	})
}

// follow passes the stream to the cache, without changes, until the context ends.
func (s *service) follow(ctx context.Context) {
	for ctx.Err() == nil {
		s.cache.Current(time.Now())
		select {
		case <-time.After(time.Second / 2):
		case <-ctx.Done():
		}
	}
}

// deliver delivers a change of an item of a tenant.
func (s *service) deliver(tenant, name string) {
	s.cache.Deliver([]*live.Change{{Key: key(name), Tenant: tenant}})
}

const (
	fromTable = "a1 units 0.5 retries 1"
	fromCache = "a1 reused 1[] unsent"
)

// TestKeptItems: items that were read by their keys are not requested again, and missing ones neither.
func TestKeptItems(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		s.expect(t, "", s.get(ctx, "a"), fromCache, s.batch(ctx, "b", "c"), "b1 c1 reused 2[b c] unsent")
		s.expect(t, "batch xy", s.batch(ctx, "x", "a", "y"), "a1 reused 1[a] units 1 retries 1")
		s.expect(t, "", s.get(ctx, "x"), "reused 1[] unsent")
		s.expect(t, "query P", s.query(ctx, request.Query{PK: "P"}), "a1 b1 units 1 retries 1")
		s.left = keysOf("z")
		s.batch(ctx, "y", "z")
		s.left = nil
		s.expect(t, "batch z, get z", s.get(ctx, "z"), "units 0.5 retries 1")
	})
}

// TestOtherTenantsItems: the same key of another tenant is another item.
func TestOtherTenantsItems(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		one, two := request.WithTenant(t.Context(), "one "), request.WithTenant(t.Context(), "two ")
		s.expect(t, "get one a, get two a", s.get(one, "a"), fromTable, s.get(two, "a"), fromTable)
		s.deliver("one ", "a")
		s.expect(t, "get one a", s.get(t.Context(), "a"), fromCache, s.get(two, "a"), fromCache,
			s.get(one, "a"), fromTable)
	})
}

// TestStrongReads: strongly consistent reads go to the table, and are not kept.
func TestStrongReads(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		s.put("a", "2")
		strong := begin(func() (request.Result, error) {
			return s.reads.GetItem(t.Context(), request.GetItem{Key: key("a"), Consistent: true})
		})
		batch := begin(func() (request.Result, error) {
			return s.reads.BatchGetItem(t.Context(), request.BatchGetItem{Keys: keysOf("a", "d"), Consistent: true})
		})
		s.expect(t, "get a strongly, batch ad strongly", strong, "a2 units 0.5 retries 1", batch, "a2 units 1 retries 1")
		s.expect(t, "get d", s.get(t.Context(), "a"), fromCache, s.get(t.Context(), "d"), "units 0.5 retries 1")
	})
}

// TestChanges: a change evicts its item, which is kept again once reads have settled.
func TestChanges(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		s.deliver("", "a")
		s.expect(t, "get a, get a", s.get(ctx, "a"), fromTable, s.get(ctx, "a"), fromTable,
			s.get(ctx, "b"), "b1 reused 1[] unsent")
		time.Sleep(2*time.Second - time.Nanosecond)
		s.get(ctx, "a")
		s.expect(t, "get a, get a", s.get(ctx, "a"), fromTable)
		time.Sleep(time.Nanosecond)
		s.get(ctx, "a")
		s.expect(t, "get a", s.get(ctx, "a"), fromCache)
		if e := s.cache.Evictions(); e["change"] != 1 {
			t.Errorf("the evictions are %v", e)
		}
	})
}

// TestReadDuringChange: a read that began before a change was delivered is not kept, however late it ends.
func TestReadDuringChange(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		for _, change := range []func(){
			func() { s.deliver("", "d") },
			func() { s.write(t, "d") },
			func() { s.cache.Lost(errors.New("trimmed")) },
		} {
			time.Sleep(5 * time.Second)
			release := s.hold()
			single, batch := s.get(ctx, "d"), s.batch(ctx, "e", "d")
			change()
			time.Sleep(10 * time.Second)
			release()
			synctest.Wait()
			if single.err != nil || batch.err != nil {
				t.Fatal(single.err, batch.err)
			}
			s.taken()
			later := s.get(ctx, "d")
			s.expect(t, "get d", later, later.text())
		}
	})
}

func (s *service) write(t *testing.T, name string) {
	t.Helper()
	w := write.Transaction{Actions: []write.Action{{Kind: write.ActionPut, Key: key(name), Item: stored(name, "2")}}}
	if _, err := s.reads.TransactWriteItems(t.Context(), w); !errors.Is(err, s.err) {
		t.Fatal(err)
	}
}

// TestOwnWritesEvict: an item that this process writes is not returned afterwards, whether or not it is known to be
// written.
func TestOwnWritesEvict(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		s.write(t, "a")
		s.expect(t, "get a", s.get(t.Context(), "a"), "a2 units 0.5 retries 1")
		s.err = request.ErrTimeout
		s.write(t, "b")
		s.err = nil
		s.expect(t, "get b", s.get(t.Context(), "b"), "b1 units 0.5 retries 1",
			s.get(t.Context(), "c"), "c1 reused 1[] unsent")
	})
}

// TestReadsDuringOwnWrite: while an item is being written, neither is it returned, nor is what is read then kept.
func TestReadsDuringOwnWrite(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		s.writable = make(chan struct{})
		written := make(chan struct{})
		go func() {
			defer close(written)
			s.write(t, "a")
		}()
		synctest.Wait()
		s.expect(t, "get a", s.get(t.Context(), "a"), fromTable)
		time.Sleep(10 * time.Second)
		s.get(t.Context(), "a")
		close(s.writable)
		<-written
		s.taken()
		s.expect(t, "get a", s.get(t.Context(), "a"), "a2 units 0.5 retries 1")
	})
}

// TestStreamNotRead: items are neither kept before the stream is read nor returned while it is not.
func TestStreamNotRead(t *testing.T) {
	run(t, roomy, func(t *testing.T, s *service) {
		ctx := t.Context()
		s.get(ctx, "a")
		s.expect(t, "get a, get a", s.get(ctx, "a"), fromTable)
		s.cache.Current(time.Now())
		s.expect(t, "get a", s.get(ctx, "a"), fromTable)
		time.Sleep(2 * time.Second)
		s.get(ctx, "a")
		s.expect(t, "get a", s.get(ctx, "a"), fromCache)
		time.Sleep(time.Second)
		s.expect(t, "", s.get(ctx, "a"), fromCache)
		time.Sleep(time.Nanosecond)
		s.expect(t, "get a", s.get(ctx, "a"), fromTable)
		s.cache.Current(time.Now().Add(-3*time.Second - time.Nanosecond)) // it is behind
		s.expect(t, "get a", s.get(ctx, "a"), fromTable)
		if s.cache.IsUsed() {
			t.Error("the items are said to be used")
		}
		s.cache.Current(time.Now().Add(-time.Second))
		s.expect(t, "", s.get(ctx, "a"), fromCache)
		s.cache.Lost(errors.New("trimmed"))
		if items, bytes := s.cache.Size(); items > 0 || bytes > 0 {
			t.Errorf("%d items have %d bytes", items, bytes)
		}
		// What is read before the stream is read again may change unnoticed.
		time.Sleep(5 * time.Second)
		s.get(ctx, "a")
		s.cache.Current(time.Now())
		s.taken()
		s.expect(t, "get a", s.get(ctx, "a"), fromTable)
	})
}

// TestMaxAge: no item is returned that was read longer ago than MaxAge, even if it is used all the time.
func TestMaxAge(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		for range 30 {
			s.expect(t, "", s.get(t.Context(), "a"), fromCache)
			time.Sleep(time.Second)
		}
		s.expect(t, "get a", s.get(t.Context(), "a"), fromTable)
		s.expect(t, "", s.get(t.Context(), "a"), fromCache)
	})
}

// TestOtherSource: items are kept for the latest source alone, since those of another one may have another schema.
func TestOtherSource(t *testing.T) {
	runKept(t, func(t *testing.T, s *service) {
		before := *s
		s.reads = s.cache.Around(s.source)
		time.Sleep(5 * time.Second)
		s.expect(t, "get a, get a", before.get(t.Context(), "a"), fromTable, s.get(t.Context(), "a"), fromTable)
		s.expect(t, "get a", before.get(t.Context(), "a"), fromTable, s.get(t.Context(), "a"), fromCache)
		release := s.hold()
		before.get(t.Context(), "x")
		s.get(t.Context(), "x")
		s.expect(t, "get x, get x")
		release()
	})
}

// TestBytes: the items that were used last remain, within the bytes.
func TestBytes(t *testing.T) {
	o := roomy
	o.Bytes = 100_000
	run(t, o, func(t *testing.T, s *service) {
		s.cache.Current(time.Now())
		time.Sleep(2 * time.Second)
		s.put("large", strings.Repeat("x", 200_000))
		s.get(t.Context(), "large")
		s.get(t.Context(), "a")
		for i := range 1000 {
			s.put(fmt.Sprint(i), strings.Repeat("x", 1000))
			s.get(t.Context(), fmt.Sprint(i))
			s.get(t.Context(), "a")
		}
		items, bytes := s.cache.Size()
		if bytes > o.Bytes || bytes < 90_000 || items < 60 || items > 70 {
			t.Errorf("%d items have %d bytes", items, bytes)
		}
		s.taken()
		s.expect(t, "get 0, get large", s.get(t.Context(), "a"), fromCache, s.get(t.Context(), "999"),
			"999"+strings.Repeat("x", 1000)+" reused 1[] unsent", s.get(t.Context(), "0"),
			"0"+strings.Repeat("x", 1000)+" units 0.5 retries 1", s.get(t.Context(), "large"),
			"large"+strings.Repeat("x", 200_000)+" units 0.5 retries 1")
		if e := s.cache.Evictions(); e["space"] < 900 {
			t.Errorf("the evictions are %v", e)
		}
	})
}
