package budget_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/budget"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/share"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/internal/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slow is a limit that restores nothing during a test.
var slow = budget.Limit{Maximum: 100, Restore: 1e-12}

// TestReplicasShareABudgetExactly: of what two replicas let a caller take at the same time, the sum is the budget.
func TestReplicasShareABudgetExactly(t *testing.T) {
	server := storetest.Start(t)
	var taken atomic.Int64
	var users sync.WaitGroup
	for range 2 {
		b, units := budget.New(server.Open(t)), budget.NewKind("units", slow)
		for range 8 {
			users.Go(func() {
				for range 20 {
					if _, short := b.Reserve(t.Context(), units.Charge(ada, 3)); short.Wait() == 0 {
						taken.Add(3)
					}
				}
			})
		}
	}
	users.Wait()
	if taken.Load() != 99 {
		t.Errorf("%d of 100 are taken in portions of 3", taken.Load())
	}
}

// TestCommitIsVisibleToTheOtherReplica: also debts.
func TestCommitIsVisibleToTheOtherReplica(t *testing.T) {
	server := storetest.Start(t)
	one, other := budget.New(server.Open(t)), budget.New(server.Open(t))
	units := budget.NewKind("units", slow)
	reserve := func(b *budget.Budgets, amount float64) budget.Reservation {
		t.Helper()
		r, short := b.Reserve(t.Context(), units.Charge(network, amount))
		if short.Wait() != 0 {
			t.Fatalf("%v are not there: %+v", amount, short)
		}
		return r
	}
	commit := func(r budget.Reservation, consumed, want float64) {
		t.Helper()
		if got := r.Commit(t.Context(), consumed); math.Round(got*10)/10 != want {
			t.Errorf("%v are available, want %v", got, want)
		}
	}
	commit(reserve(one, 60), 0.5, 99.5)
	commit(reserve(other, 99.5), 99.5, 0)
	commit(reserve(one, 0), 6, -6)
	commit(reserve(other, 0), 0, -6)
	if _, short := one.Reserve(t.Context(), units.Charge(network, 1)); math.Round(short.Available) != -6 {
		t.Errorf("the shortage is %+v", short)
	}
}

// TestStoreAndMemoryAgree: the script and the buckets in memory decide alike.
func TestStoreAndMemoryAgree(t *testing.T) {
	b, n := budget.New(storetest.Start(t).Open(t)), 0
	callers := rapid.SampledFrom([]share.Caller{ada, network, all})
	// Halves are exact whatever the order in which they are added.
	amounts := rapid.Map(rapid.IntRange(0, 120), func(n int) float64 { return float64(n) / 2 })
	differ := func(x, y float64) bool { return math.Abs(x-y) > 1e-6 } // by more than what is restored
	rapid.Check(t, func(rt *rapid.T) {
		n++ // a Kind without buckets in each check
		memory := budget.New(nil)
		var kinds [2][2]*budget.Kind
		for i := range kinds {
			limit := budget.Limit{Maximum: 1 + amounts.Draw(rt, "maximum"), Restore: slow.Restore}
			for k := range kinds[i] {
				kinds[i][k] = budget.NewKind(fmt.Sprint(n, "-", i), limit)
			}
		}
		for range rapid.IntRange(1, 20).Draw(rt, "operations") {
			caller, amount := callers.Draw(rt, "caller"), amounts.Draw(rt, "amount")
			if rapid.Bool().Draw(rt, "both") {
				second := amounts.Draw(rt, "second amount")
				got := b.Take(t.Context(), kinds[0][0].Charge(caller, amount), kinds[1][0].Charge(all, second))
				want := memory.Take(t.Context(), kinds[0][1].Charge(caller, amount), kinds[1][1].Charge(all, second))
				if differ(got.Available, want.Available) || got.Is(kinds[0][0]) != want.Is(kinds[0][1]) {
					rt.Fatalf("the store says %+v, the memory %+v", got, want)
				}
				continue
			}
			got, gotShort := b.Reserve(t.Context(), kinds[0][0].Charge(caller, amount))
			want, wantShort := memory.Reserve(t.Context(), kinds[0][1].Charge(caller, amount))
			if differ(gotShort.Available, wantShort.Available) || gotShort.Is(kinds[0][0]) != wantShort.Is(kinds[0][1]) {
				rt.Fatalf("the store says %+v, the memory %+v", gotShort, wantShort)
			}
			if gotShort.Wait() > 0 {
				continue
			}
			consumed := amounts.Draw(rt, "consumed")
			if x, y := got.Commit(t.Context(), consumed), want.Commit(t.Context(), consumed); differ(x, y) {
				rt.Fatalf("%v are available in the store, %v in memory", x, y)
			}
		}
	})
}

// TestStoreIsKilledInTheMiddle: each replica continues with what it has left to the caller, and shares again later.
func TestStoreIsKilledInTheMiddle(t *testing.T) {
	server := storetest.Start(t)
	type replica struct {
		*budget.Budgets
		units *budget.Kind
	}
	var stores []*replicas.Store
	var replicas []replica
	for range 2 {
		store := server.Open(t)
		stores = append(stores, store)
		replicas = append(replicas, replica{budget.New(store), budget.NewKind("units", slow)})
	}
	spend := func(r replica, amount, shortOf float64) {
		t.Helper()
		reserved, short := r.Reserve(t.Context(), r.units.Charge(ada, amount))
		if math.Round(short.Available) != shortOf || (short.Wait() != 0) != (shortOf != 0) {
			t.Errorf("a charge of %v finds %+v, want %v", amount, short, shortOf)
		} else if short.Wait() == 0 {
			reserved.Commit(t.Context(), amount)
		}
	}
	spend(replicas[0], 30, 0)
	spend(replicas[1], 40, 0)
	spend(replicas[1], 31, 30)
	held, _ := replicas[0].Reserve(t.Context(), replicas[0].units.Charge(ada, 10))
	server.Kill()
	if got := held.Commit(t.Context(), 5); math.Round(got) != 65 {
		t.Errorf("after the loss, replica 0 has %v available, want what it has not granted itself, 65", got)
	}
	spend(replicas[0], 66, 65)
	spend(replicas[0], 65, 0)
	spend(replicas[1], 61, 60)
	spend(replicas[1], 50, 0)
	if short := replicas[1].Take(t.Context(), replicas[1].units.Charge(ada, 11)); math.Round(short.Available) != 10 {
		t.Errorf("replica 1 has 10 left, and a charge of 11 finds %+v", short)
	}

	server.Restart(t) // without its data: the bucket is full
	for _, s := range stores {
		for tick := time.Tick(time.Millisecond); !s.IsReachable(); {
			<-tick
		}
	}
	spend(replicas[0], 70, 0)
	spend(replicas[1], 40, 30)
}

// TestBucketsInTheStore: keys have the prefix, name no caller and expire when the bucket is full; that of a full bucket
// does not exist.
func TestBucketsInTheStore(t *testing.T) {
	server := storetest.Start(t)
	b := budget.New(server.Open(t))
	units := budget.NewKind("units", budget.Limit{Maximum: 1000, Restore: 1})
	for _, c := range []share.Caller{ada, network, all} {
		r, _ := b.Reserve(t.Context(), units.Charge(c, 600))
		r.Commit(t.Context(), 500)
		keys := slices.DeleteFunc(server.Do(t, "KEYS", "*"), func(key string) bool { return strings.HasSuffix(key, "probe") })
		if len(keys) != 1 || !strings.HasPrefix(keys[0], "{partita}:units") || strings.Contains(keys[0], "ada") ||
			strings.Contains(keys[0], "192") {
			t.Fatalf("the keys are %q", keys)
		}
		left, err := strconv.Atoi(server.Do(t, "PTTL", keys[0])[0])
		if err != nil || left < 400_000 || left > 500_000 {
			t.Errorf("%s ends in %d ms, %v", keys[0], left, err)
		}
		r.Commit(t.Context(), 0)
		if n := server.Do(t, "EXISTS", keys[0])[0]; n != "0" {
			t.Errorf("a full bucket has a key")
		}
	}
}

// TestAmountsInTheStoreAreExact: and those of a bucket that is hardly ever full again do not stay for ever.
func TestAmountsInTheStoreAreExact(t *testing.T) {
	server := storetest.Start(t)
	b, units := budget.New(server.Open(t)), budget.NewKind("units", budget.Limit{Maximum: 1e6, Restore: slow.Restore})
	r, _ := b.Reserve(t.Context(), units.Charge(all, 0.125))
	if got := r.Commit(t.Context(), 1234.625); math.Abs(got-998_765.375) > 1e-6 {
		t.Errorf("%v are available after one charge", got)
	}
	r, _ = b.Reserve(t.Context(), units.Charge(all, 0))
	if got := r.Commit(t.Context(), 0.5); math.Abs(got-998_764.875) > 1e-6 {
		t.Errorf("%v are available after two charges", got)
	}
	left, err := strconv.Atoi(server.Do(t, "PTTL", "{partita}:units")[0])
	if day := 24 * 60 * 60 * 1000; err != nil || left < 29*day || left > 30*day {
		t.Errorf("the bucket ends in %d ms, %v", left, err)
	}
}

// TestCallersHaveBucketsOfTheirOwn: also a viewer who is named like a network.
func TestCallersHaveBucketsOfTheirOwn(t *testing.T) {
	b, units := budget.New(storetest.Start(t).Open(t)), budget.NewKind("units", slow)
	for _, c := range []share.Caller{ada, {Viewer: "bob"}, network, {Viewer: network.Network.String()}, all,
		{Tenant: "acme", Viewer: "ada"}, {Tenant: "zeta", Viewer: "ada"}, {Tenant: "acme", Viewer: "zeta"},
	} {
		if short := b.Take(t.Context(), units.Charge(c, 100)); short.Wait() != 0 {
			t.Errorf("%+v has no full bucket: %+v", c, short)
		}
	}
}

// TestBucketIsRestoredByTheClockOfTheStore: also if that clock has gone back.
func TestBucketIsRestoredByTheClockOfTheStore(t *testing.T) {
	server := storetest.Start(t)
	b := budget.New(server.Open(t))
	units := budget.NewKind("units", budget.Limit{Maximum: 1e6, Restore: 1000})
	available := func() float64 {
		r, _ := b.Reserve(t.Context(), units.Charge(all, 0))
		return r.Commit(t.Context(), 0)
	}
	now, err := strconv.ParseInt(server.Do(t, "TIME")[0], 10, 64)
	fatal.If(t, err)
	server.Do(t, "SET", "{partita}:units", fmt.Sprintf("0 %d", (now-100)*1e6))
	if got := available(); got < 100_000 || got > 200_000 {
		t.Errorf("%v are restored after 100 seconds", got)
	}
	server.Do(t, "SET", "{partita}:units", fmt.Sprintf("-5000 %d", (now+1000)*1e6))
	if got := available(); got < -5000 || got > 100_000 {
		t.Errorf("%v are available to a debtor of 5000 whose bucket is of the future", got)
	}
	server.Do(t, "SET", "{partita}:units", fmt.Sprintf("0 %d", (now-1_000_000)*1e6))
	r, short := b.Reserve(t.Context(), units.Charge(all, 1e6))
	if _, second := b.Reserve(t.Context(), units.Charge(all, 5e5)); short.Wait() != 0 || second.Wait() == 0 {
		t.Errorf("a bucket that nobody has used for long is not full once: %+v, %+v", short, second)
	}
	server.Do(t, "SET", "{partita}:units", fmt.Sprintf("9e5 %d", now*1e6))
	if got := r.Commit(t.Context(), 0); got != 1e6 {
		t.Errorf("%v of 1,000,000 are available after more is returned than the bucket lacks", got)
	}
	for _, damaged := range []string{
		"damaged", "nan 1", "-nan 1", "inf 1", "-inf 1", "0 nan", "0 inf", "0 -inf",
	} {
		server.Do(t, "SET", "{partita}:units", damaged)
		if got := available(); got != 1e6 {
			t.Errorf("%v are available in the damaged bucket %q", got, damaged)
		}
	}
}
