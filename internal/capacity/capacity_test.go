package capacity_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/capacity"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
)

func TestGet(t *testing.T) {
	for _, c := range []struct {
		maxBytes           int
		eventually, strong float64
	}{{0, 0.5, 1}, {1, 0.5, 1}, {4096, 0.5, 1}, {4097, 1, 2}, {409_600, 50, 100}} {
		if got := capacity.Get(c.maxBytes, false); got != c.eventually {
			t.Errorf("%d bytes: %v units, want %v", c.maxBytes, got, c.eventually)
		}
		if got := capacity.Get(c.maxBytes, true); got != c.strong {
			t.Errorf("%d bytes, consistent: %v units, want %v", c.maxBytes, got, c.strong)
		}
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		n, maxBytes, requests int
		units                 float64
	}{
		{0, 4096, 1, 0.5},
		{1, 1, 1, 0.5},
		{10, 1000, 1, 1.5},
		{101, 4096, 1, 50.5},
		// Each further request, which begins at 1 MB, may round up once more.
		{101, 16_384, 2, 202.5},
		{101, 65_536, 7, 811},
		{101, 400_000, 63, 4963},
		{1, 409_600, 1, 50},
	} {
		requests, units := capacity.Query(c.n, c.maxBytes, false)
		if requests != c.requests || units != c.units {
			t.Errorf("%d items of %d bytes: %d requests, %v units; want %d, %v",
				c.n, c.maxBytes, requests, units, c.requests, c.units)
		}
		if _, strong := capacity.Query(c.n, c.maxBytes, true); strong != 2*units {
			t.Errorf("%d items of %d bytes, consistent: %v units, want %v", c.n, c.maxBytes, strong, 2*units)
		}
	}
}

func TestWrite(t *testing.T) {
	for maxBytes, want := range map[int]int{0: 1, 1: 1, 1024: 1, 1025: 2, 4096: 4} {
		if got := capacity.Write(maxBytes); got != want {
			t.Errorf("%d bytes: %d units, want %d", maxBytes, got, want)
		}
	}
}

func TestInOrder(t *testing.T) {
	for _, c := range []struct {
		partitions int
		units      float64
		consistent bool
		full       int
		total      float64
	}{
		{1, 3, false, 1, 3},
		{2, 3, false, 1, 3.5},
		{5, 3, false, 4, 12.5},
		{20, 3, false, 4, 20},
		{20, 3, true, 4, 28},
	} {
		if full, total := capacity.InOrder(c.partitions, 4, c.units, c.consistent); full != c.full || total != c.total {
			t.Errorf("%+v: %d of them are full, %v units", c, full, total)
		}
	}
}

// TestSpread divides items among partitions in any way: their Queries consume no more than the price, and as much if
// one of them has all.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 1, 2, 50}), 1, 20).Draw(t, "items")
		maxBytes := rapid.SampledFrom([]int{1, 200, 4096, 4097, 65_536, 400_000}).Draw(t, "maxBytes")
		consistent := rapid.Bool().Draw(t, "consistent")
		n, sent, paid := 0, 0, 0.0
		for _, count := range counts {
			requests, units := capacity.Query(count, maxBytes, consistent)
			n, sent, paid = n+count, sent+requests, paid+units
		}
		requests, units := capacity.Spread(len(counts), n, maxBytes, consistent)
		if sent > requests || paid > units {
			t.Fatalf("%d requests, %v units; at most %d, %v", sent, paid, requests, units)
		}
		slices.Sort(counts)
		if most := counts[len(counts)-1]; most == n && (sent != requests || paid != units) {
			t.Fatalf("one partition has all: %d requests, %v units; at most %d, %v", sent, paid, requests, units)
		}
	})
}
