package budget_test

import (
	"math"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway/budget"
	"github.com/partita/partita/internal/share"
)

var (
	ada     = share.Caller{Viewer: "ada"}
	network = share.Caller{Network: netip.MustParsePrefix("192.0.2.1/32")}
	all     = share.Caller{}
)

// take makes charges and compares how long a caller without them must wait.
func take(t *testing.T, b *budget.Budgets, wait time.Duration, charges ...budget.Charge) {
	t.Helper()
	if got := b.Take(t.Context(), charges...).Wait(); got != wait {
		t.Errorf("the wait is %v, want %v", got, wait)
	}
}

func TestTakeMakesAllChargesOrNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(nil)
		one := budget.NewKind("one", budget.Limit{Maximum: 3, Restore: 1})
		total := budget.NewKind("total", budget.Limit{Maximum: 4, Restore: 2})
		take(t, b, 0, one.Charge(ada, 2), total.Charge(all, 2))
		take(t, b, time.Second, one.Charge(ada, 2), total.Charge(all, 2))
		take(t, b, 0, one.Charge(network, 2), total.Charge(all, 2)) // the charge above was not made
		take(t, b, time.Second/2, one.Charge(network, 1), total.Charge(all, 1))
		take(t, b, 0, one.Charge(network, 1)) // nor was this one
		shortage := b.Take(t.Context(), one.Charge(ada, 1), total.Charge(all, 1))
		if shortage.Is(one) || !shortage.Is(total) || shortage.Available != 0 {
			t.Errorf("the shortage is %+v", shortage)
		}
	})
}

// TestBucketsAreFilledToTheirMaximum: a caller who has waited for long has one full bucket, and time counts once.
func TestBucketsAreFilledToTheirMaximum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, k := budget.New(nil), budget.NewKind("k", budget.Limit{Maximum: 10, Restore: 1})
		reserved, _ := b.Reserve(t.Context(), k.Charge(ada, 10))
		time.Sleep(time.Hour)
		if got := reserved.Commit(t.Context(), 0); got != 10 {
			t.Errorf("%v are available of 10", got)
		}
		time.Sleep(time.Hour)
		take(t, b, 0, k.Charge(ada, 10))
		take(t, b, time.Second, k.Charge(ada, 1))
		time.Sleep(3 * time.Second)
		for range 3 {
			take(t, b, 0, k.Charge(ada, 1))
		}
		take(t, b, time.Second, k.Charge(ada, 1))
	})
}

// TestWait: a shortage always has a wait, and one that a Duration can have.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for restore, want := range map[float64]time.Duration{
			math.MaxFloat64: 1, 0.5: 2 * time.Second, 1e-300: 365 * 24 * time.Hour,
		} {
			b, k := budget.New(nil), budget.NewKind("k", budget.Limit{Maximum: 1, Restore: restore})
			take(t, b, 0, k.Charge(ada, 1))
			take(t, b, want, k.Charge(ada, 1))
		}
	})
}

func TestInvalidLimits(t *testing.T) {
	for _, limit := range []budget.Limit{
		{}, {Maximum: 1}, {Restore: 1}, {Maximum: -1, Restore: 1}, {Maximum: math.NaN(), Restore: 1},
		{Maximum: 1, Restore: math.NaN()}, {Maximum: math.Inf(1), Restore: 1}, {Maximum: 1, Restore: math.Inf(1)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is accepted", limit)
				}
			}()
			budget.NewKind("k", limit)
		}()
	}
}
