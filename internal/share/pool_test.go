package share_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal" // the cases of rapid
	"github.com/partita/partita/internal/share"
	_ "github.com/partita/partita/internal/soak"
)

func viewer(id string) share.Caller { return share.Caller{Viewer: id} }

// queue acquires places for operations, one after the other, each named by its caller and a number.
type queue struct {
	pool   *share.Pool
	served []string // in the order in which they got a place
	mu     sync.Mutex
}

// ask begins to wait for a place. The operation releases it at once, after it has written its name.
func (q *queue) ask(t *testing.T, name string) {
	t.Helper()
	caller := viewer(name[:1])
	go func() {
		if err := q.pool.Acquire(t.Context(), caller); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		q.mu.Lock()
		q.served = append(q.served, name)
		q.mu.Unlock()
		q.pool.Release(caller)
	}()
	synctest.Wait() // until it waits
}

// TestInTurn: callers are served in turn, and the operations of one caller in their order.
func TestInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue{pool: share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1, Waiting: 10})}
		fatal.If(t, q.pool.Acquire(t.Context(), viewer("x")))
		for _, name := range []string{"a1", "a2", "a3", "a4", "b1", "c1", "c2"} {
			q.ask(t, name)
		}
		if len(q.served) > 0 {
			t.Errorf("%v got a place that was taken", q.served)
		}
		q.pool.Release(viewer("x"))
		synctest.Wait()
		if got, want := strings.Join(q.served, " "), "a1 b1 c1 a2 c2 a3 a4"; got != want {
			t.Errorf("served %s, want %s", got, want)
		}
	})
}

// TestAloneAgain: a caller who waits because another one is active gets the place when that one no longer is, although
// nobody gives one back.
func TestAloneAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 2, PerCaller: 2, Beside: 1, Waiting: 10})
		for _, caller := range []string{"other", "busy"} {
			fatal.If(t, pool.Acquire(t.Context(), viewer(caller)))
		}
		pool.Release(viewer("other"))
		ctx, cancel := context.WithTimeout(t.Context(), 2*share.ActiveFor+time.Nanosecond)
		defer cancel()
		if err := pool.Acquire(ctx, viewer("busy")); err != nil {
			t.Error(err)
		}
	})
}

// acquired returns how many of n places a caller gets at once.
func acquired(t *testing.T, pool *share.Pool, caller string, n int) (got int) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	for range n {
		if pool.Acquire(ctx, viewer(caller)) == nil {
			got++
		}
	}
	return got
}

// TestBeside: a caller who is alone has all places, leaves some of them while another caller is active, and gets them
// back after that.
func TestBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 4, PerCaller: 4, Beside: 2, Waiting: 10})
		acquire := func(caller string, n int) int { return acquired(t, pool, caller, n) }
		release := func(caller string, n int) {
			for range n {
				pool.Release(viewer(caller))
			}
		}
		if got := acquire("a", 4); got != 4 {
			t.Errorf("a caller who is alone got %d of 4 places", got)
		}
		release("a", 4)
		if got := acquire("b", 1); got != 1 {
			t.Error("another caller got none of 4 free places")
		}
		if got := acquire("a", 4); got != 2 {
			t.Errorf("beside another caller, a caller got %d places, want 2", got)
		}
		release("b", 1)
		if got := acquire("a", 1); got != 0 {
			t.Error("a caller got a third place right after another one has left")
		}
		time.Sleep(share.ActiveFor + 1) // in the bubble
		if got := acquire("a", 2); got != 2 {
			t.Errorf("a caller who is alone again got %d of the 2 other places", got)
		}
	})
}

// TestLimitEndsWhileCallersWait: an operation that comes when its caller is alone again does not overtake those that
// have waited, and takes them along, although no place was released.
func TestLimitEndsWhileCallersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 4, PerCaller: 4, Beside: 1, Waiting: 10})
		var mu sync.Mutex
		var served []string
		acquire := func(caller, name string) {
			go func() {
				if pool.Acquire(t.Context(), viewer(caller)) != nil {
					return // the test has failed
				}
				mu.Lock()
				defer mu.Unlock()
				served = append(served, name)
			}()
			synctest.Wait()
		}
		acquire("a", "a1")
		acquire("b", "b1")
		acquire("a", "a2")
		if got := strings.Join(served, " "); got != "a1 b1" {
			t.Errorf("beside another caller, %s are served", got)
		}
		time.Sleep(share.ActiveFor + 1) // in the bubble
		acquire("a", "a3")
		slices.Sort(served[2:])
		if got := strings.Join(served, " "); got != "a1 b1 a2 a3" {
			t.Errorf("alone again, %s are served", got)
		}
	})
}

// TestFull: the error says whether the caller or the process has too much, and nobody waits who is one too many.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 3, PerCaller: 2, Beside: 2, Waiting: 1})
		acquire := func(caller string) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			return pool.Acquire(ctx, viewer(caller))
		}
		begun := time.Now()
		for _, caller := range []string{"a", "a", "b"} {
			fatal.If(t, acquire(caller))
		}
		var waited sync.WaitGroup
		for caller, want := range map[string]error{"a": share.ErrCallerFull, "b": share.ErrFull} {
			waited.Go(func() {
				if err := acquire(caller); !errors.Is(err, want) {
					t.Errorf("%s waited for %v, want %v", caller, err, want)
				}
			})
			synctest.Wait()
			if err := acquire(caller); !errors.Is(err, want) {
				t.Errorf("the second of %s that waits got %v, want %v", caller, err, want)
			}
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("an operation that is one too many got its error after %v", took)
		}
		waited.Wait()
		if took := time.Since(begun); took != time.Second {
			t.Errorf("the others got their errors after %v", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := pool.Acquire(ctx, viewer("c")); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that was cancelled: %v", err)
		}
	})
}

// TestPlacesAreKept: whatever callers do, they never have more places than there are, nobody waits while there is one
// for them, and in the end all places are free.
func TestPlacesAreKept(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			size := rapid.IntRange(1, 5).Draw(rt, "size")
			each := rapid.IntRange(1, size).Draw(rt, "perCaller")
			pool := share.NewPool(share.Limits{Size: size, PerCaller: each, Beside: each, Waiting: 100})
			var mu sync.Mutex
			held, waiting := map[share.Caller]int{}, map[share.Caller]int{}
			total, cancels := 0, []context.CancelFunc{}
			for range rapid.IntRange(0, 60).Draw(rt, "steps") {
				caller := viewer(string("abcd"[rapid.IntRange(0, 3).Draw(rt, "caller")]))
				switch rapid.IntRange(0, 4).Draw(rt, "what") {
				case 0, 1:
					ctx, cancel := context.WithCancel(context.Background())
					cancels = append(cancels, cancel)
					mu.Lock()
					waiting[caller]++
					mu.Unlock()
					go func() {
						err := pool.Acquire(ctx, caller)
						mu.Lock()
						defer mu.Unlock()
						waiting[caller]--
						if err == nil {
							held[caller]++
							total++
						}
					}()
				case 2:
					if len(cancels) > 0 {
						cancels[rapid.IntRange(0, len(cancels)-1).Draw(rt, "cancelled")]()
					}
					fallthrough // a wait may end at the same time by a place and by its context
				case 3, 4:
					if held[caller] > 0 {
						held[caller]--
						total--
						pool.Release(caller)
					}
				}
				synctest.Wait()
				if total > size {
					rt.Fatalf("%d of %d places are taken", total, size)
				}
				for c, n := range waiting {
					if held[c] > each || n > 0 && total < size && held[c] < each {
						rt.Fatalf("%v has %d places and waits for %d, %d of %d are taken", c, held[c], n, total, size)
					}
				}
			}
			for _, cancel := range cancels {
				cancel()
			}
			synctest.Wait()
			for c, n := range held {
				for range n {
					pool.Release(c)
				}
			}
			for range size {
				for i := range size { // of different callers
					ctx, cancel := context.WithDeadline(context.Background(), time.Now())
					err := pool.Acquire(ctx, viewer(string(rune('k'+i))))
					cancel()
					if err != nil {
						rt.Fatalf("a place is lost: %v", err)
					}
				}
				for i := range size {
					pool.Release(viewer(string(rune('k' + i))))
				}
			}
		})
	})
}

// TestUncontended: what every operation pays allocates nothing.
func TestUncontended(t *testing.T) {
	pool := share.NewPool(share.Limits{Size: 8, PerCaller: 8, Beside: 1, Waiting: math.MaxInt})
	turn := share.Turn{CPUs: pool, Caller: viewer("ada")}
	allocations := testing.AllocsPerRun(100, func() {
		if err := turn.Begin(t.Context()); err != nil {
			t.Error(err)
		}
		turn.End()
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}

// TestLightBesideHeavy: a caller who has used much less than another one lately may have more places than a caller may
// have beside others, and the other one has one.
func TestLightBesideHeavy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 8, PerCaller: 8, Beside: 2, Waiting: 10})
		acquire := func(caller string, n int) int { return acquired(t, pool, caller, n) }
		acquire("heavy", 2)
		for range 20 {
			time.Sleep(50 * time.Millisecond) // in the bubble
			acquire("light", 1)
			time.Sleep(time.Millisecond)
			pool.Release(viewer("light"))
		}
		if got := acquire("light", 8); got != 6 {
			t.Errorf("the light caller got %d of 6 free places", got)
		}
		for range 6 {
			pool.Release(viewer("light"))
		}
		for range 2 {
			pool.Release(viewer("heavy"))
		}
		if got := acquire("heavy", 8); got != 1 {
			t.Errorf("the heavy caller got %d places, want 1", got)
		}
	})
}

// TestHeavyCallerOfAPlainPool: what callers have used does not matter where each may have the same beside others, as
// for connections, which are not given back soon.
func TestHeavyCallerOfAPlainPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 5, PerCaller: 3, Beside: 3})
		for i, caller := range []string{"heavy", "heavy", "light", "heavy"} {
			if err := pool.Acquire(t.Context(), viewer(caller)); err != nil {
				t.Errorf("place %d of %s: %v", i, caller, err)
			}
			time.Sleep(50 * time.Millisecond) // in the bubble
		}
	})
}

func TestMemory(t *testing.T) {
	m := share.NewMemory(100, 60)
	got := []share.Outcome{
		m.Take(viewer("a"), 60), m.Take(viewer("a"), 1), m.Take(viewer("b"), 41), m.Take(viewer("b"), 40),
	}
	if want := []share.Outcome{share.Taken, share.CallerFull, share.Full, share.Taken}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	m.Give(viewer("a"), 60)
	m.Give(viewer("b"), 40)
	if m.Take(viewer("a"), 60) != share.Taken || m.Take(viewer("b"), 40) != share.Taken {
		t.Error("bytes that were given back cannot be taken")
	}
}

// BenchmarkTurn is what an operation pays for each of its turns if nobody waits.
func BenchmarkTurn(b *testing.B) {
	turn := share.Turn{
		CPUs:   share.NewPool(share.Limits{Size: 8, PerCaller: 8, Beside: 1, Waiting: math.MaxInt}),
		Caller: viewer("0198a1b2-0000-7000-8000-000000000001"),
	}
	b.ReportAllocs()
	for b.Loop() {
		fatal.If(b, turn.Begin(b.Context()))
		turn.End()
	}
}
