package share_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/share"
)

// TestTurnIsTakenOnce: however often it begins, it has one place, and gives one back.
func TestTurnIsTakenOnce(t *testing.T) {
	pool := share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1})
	turn := share.Turn{CPUs: pool, Caller: viewer("ada")}
	for range 2 {
		for range 2 {
			fatal.If(t, turn.Begin(t.Context()))
		}
		if !turn.End() || turn.End() {
			t.Error("the turn does not end once")
		}
	}
}

// TestYield: an operation that computes for a long time gives its place up when another caller needs it: one who waits,
// or one beside whom the caller has too many. It goes on when it is its turn again.
func TestYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 2, PerCaller: 2, Beside: 1, Waiting: 10})
		large := []*share.Turn{{CPUs: pool, Caller: viewer("large")}, {CPUs: pool, Caller: viewer("large")}}
		for _, turn := range large {
			fatal.If(t, turn.Begin(t.Context()))
			turn.Yield(t.Context()) // alone, it has the place at once
		}
		small := &share.Turn{CPUs: pool, Caller: viewer("small")}
		began, yielded := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(began)
			if err := small.Begin(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if isClosed(began) {
			t.Fatal("there are three places")
		}
		go func() {
			defer close(yielded)
			large[0].Yield(t.Context())
		}()
		<-began
		synctest.Wait()
		if isClosed(yielded) {
			t.Error("the caller has two of two places beside another one")
		}
		small.End()
		large[1].End()
		<-yielded
		if !large[0].End() {
			t.Error("the operation goes on without a place")
		}
		(*share.Turn)(nil).Yield(t.Context())
	})
}

// TestBegunComesFirst: an operation that goes on comes before those of its caller that have not begun, however long
// they have waited, and after the operations of others whose turn it is.
func TestBegunComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1, Waiting: 10})
		fatal.If(t, pool.Acquire(t.Context(), viewer("x")))
		var served []string
		begin := func(name string, turn *share.Turn) {
			go func() {
				if err := turn.Begin(t.Context()); err != nil {
					t.Error(err)
				}
				served = append(served, name)
				turn.End()
			}()
			synctest.Wait()
		}
		turn := func(caller string) *share.Turn { return &share.Turn{CPUs: pool, Caller: viewer(caller)} }
		begun := turn("a")
		begin("a1", begun)
		pool.Release(viewer("x"))
		synctest.Wait()
		fatal.If(t, pool.Acquire(t.Context(), viewer("x")))
		begin("a2", turn("a"))
		begin("b1", turn("b"))
		begin("a3", turn("a"))
		begin("a1 again", begun)
		pool.Release(viewer("x"))
		synctest.Wait()
		begun.Arrive()
		fatal.If(t, pool.Acquire(t.Context(), viewer("x")))
		begin("a4", turn("a"))
		begin("a5", begun) // another operation
		pool.Release(viewer("x"))
		synctest.Wait()
		if got, want := strings.Join(served, ", "), "a1, a1 again, b1, a2, a3, a4, a5"; got != want {
			t.Errorf("served %s, want %s", got, want)
		}
	})
}

// TestAnswersAreParsedBeside: an answer, for which other callers may wait, is parsed although its caller has all the
// places that it may have to compute beside others, and all its operations wait for them.
func TestAnswersAreParsedBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := share.NewPool(share.Limits{Size: 8, PerCaller: 8, Beside: 1, Waiting: 10})
		fatal.If(t, pool.Acquire(t.Context(), viewer("other")))
		turn := &share.Turn{CPUs: pool, Caller: viewer("large")}
		fatal.If(t, turn.Begin(t.Context()))
		began, parsed := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(began)
			next := &share.Turn{CPUs: pool, Caller: viewer("large")}
			if err := next.Begin(t.Context()); err != nil {
				t.Error(err)
			}
			next.End()
		}()
		synctest.Wait()
		fatal.If(t, turn.Acquire(t.Context()))
		go func() {
			defer close(parsed)
			if err := turn.Acquire(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if isClosed(began) || isClosed(parsed) {
			t.Error("the caller has two places of a kind beside another one")
		}
		turn.Release()
		synctest.Wait()
		if isClosed(began) || !isClosed(parsed) {
			t.Error("the next answer does not come before the next operation")
		}
		turn.Release()
		turn.End()
		<-began
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
