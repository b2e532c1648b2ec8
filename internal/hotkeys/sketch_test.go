package hotkeys_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/hotkeys"
	_ "github.com/partita/partita/internal/soak" // how many random cases there are
)

// TestBounds: the counts of any stream have the bounds of the algorithm, and so they have after it has faded.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		keys := rapid.IntRange(1, 8*hotkeys.Size).Draw(rt, "keys")
		skew := 1 + rapid.Float64Range(0.01, 2).Draw(rt, "skew")
		synctest.Test(t, func(*testing.T) { checkBounds(rt, random, rand.NewZipf(random, skew, 8, uint64(keys-1))) })
	})
}

func checkBounds(t *rapid.T, random *rand.Rand, zipf *rand.Zipf) {
	s := hotkeys.Sketch{Fading: 8 * time.Second}
	exact := map[hotkeys.Count]float64{} // by index and key
	total := 0.0
	for range 1000 {
		if random.IntN(100) == 0 {
			time.Sleep(8 * time.Second)
			for key := range exact {
				exact[key] /= math.E
			}
			total /= math.E
		}
		n := zipf.Uint64()
		key, amount := hotkeys.Count{Index: []string{"", "GSI1"}[n%2], Key: fmt.Sprint(n / 2)}, float64(1+random.IntN(20))/2
		s.Add(key.Index, key.Key, amount)
		exact[key] += amount
		total += amount
	}
	top, missing := s.Top(hotkeys.Size)
	least := make([]float64, len(top))
	for i, c := range top {
		n := exact[hotkeys.Count{Index: c.Index, Key: c.Key}]
		if !atMost(c.Least(), n) || !atMost(n, c.Most) || !atMost(c.Error, missing) {
			t.Errorf("%v: counted as %+v, missing %v", n, c, missing)
		}
		delete(exact, hotkeys.Count{Index: c.Index, Key: c.Key})
		least[i] = -c.Least()
	}
	if !slices.IsSorted(least) {
		t.Errorf("not sorted: %+v", top)
	}
	for n := range maps.Values(exact) { // which are forgotten
		if !atMost(n, missing) {
			t.Errorf("%v is forgotten, missing %v", n, missing)
		}
	}
	if !atMost(missing, total/hotkeys.Size) {
		t.Errorf("missing %v of %v", missing, total)
	}
}

// atMost reports whether a is at most b, but for what floating point numbers lose.
func atMost(a, b float64) bool { return a <= b*(1+1e-9)+1e-9 }

// TestFading: a key with a constant rate has that rate, and what was long ago is nothing.
func TestFading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []hotkeys.Count
		u := hotkeys.NewUsage(func(_ *hotkeys.Units, c hotkeys.Count) { told = append(told, c) })
		rates := func() (rates []string) {
			top, _ := u.Writes.Top(2)
			for _, c := range top {
				rates = append(rates, fmt.Sprintf("%s%s %.0f", c.Index, c.Key, u.Writes.PerSecond(c.Least())))
			}
			return rates
		}
		for range 5 * 60 {
			u.Writes.Add("", "hot", 500)
			u.Writes.Add("GSI1", "cold", 50)
			time.Sleep(time.Second)
		}
		if diff := cmp.Diff([]string{"hot 493", "GSI1cold 49"}, rates()); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		// It has a third of the limit after 67 s, and is told once a minute from then on.
		if len(told) != 4 || told[0].Key != "hot" || u.Writes.PerSecond(told[0].Least()) < 1000./3 {
			t.Errorf("told %+v", told)
		}
		time.Sleep(10 * time.Minute)
		if diff := cmp.Diff([]string{"hot 0", "GSI1cold 0"}, rates()); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

// TestAddAllocatesNothing: neither for a key that is known nor for one that replaces another.
func TestAddAllocatesNothing(t *testing.T) {
	u := hotkeys.NewUsage(func(*hotkeys.Units, hotkeys.Count) {})
	keys := make([]string, 4*hotkeys.Size)
	for i := range keys {
		keys[i] = fmt.Sprint("ORDER#", i)
	}
	n := testing.AllocsPerRun(10, func() {
		for _, key := range keys {
			u.Reads.Add("", key, 0.5)
		}
		u.Reads.AddAll("", len(keys), func(i int) string { return keys[i] }, 0.5)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, keys := range []int{1, hotkeys.Size, 100_000} {
		all := make([]string, keys)
		for i := range all {
			all[i] = fmt.Sprintf("ORDER#%026d", i)
		}
		b.Run(fmt.Sprint(keys), func(b *testing.B) {
			u := hotkeys.NewUsage(func(*hotkeys.Units, hotkeys.Count) {})
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					u.Reads.Add("", all[i%keys], 0.5)
				}
			})
		})
		b.Run(fmt.Sprint(keys, " at once"), func(b *testing.B) {
			u := hotkeys.NewUsage(func(*hotkeys.Units, hotkeys.Count) {})
			for i := 0; b.Loop(); i += 100 {
				u.Reads.AddAll("", 100, func(j int) string { return all[(i+j)%keys] }, 0.5)
			}
		})
	}
}
