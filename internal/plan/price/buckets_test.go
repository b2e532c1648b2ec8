package price

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/plan"
	_ "github.com/partita/partita/internal/soak"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestBucketsCostAtMostTheirPrice reads pages of any time buckets with items of any size.
func TestBucketsCostAtMostTheirPrice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{1, 2, 6, 11, 101}).Draw(t, "limit")
		maxBytes := rapid.SampledFrom([]int{1, 200, 4095, 4096, 4097, 400_000}).Draw(t, "maxBytes")
		consistent := rapid.Bool().Draw(t, "consistent")
		var w plan.Window
		if rapid.Bool().Draw(t, "has cursor") {
			w.Cursor = &design.CursorPosition{}
		}
		count := rapid.SampledFrom([]int{1, 2, 3, 4, 17, keys.MaxBuckets}).Draw(t, "count")
		sparse := rapid.IntRange(0, count).Draw(t, "sparse")
		buckets := slices.Concat(
			rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, limit / 8}), sparse, sparse).Draw(t, "sparse buckets"),
			rapid.SliceOfN(rapid.SampledFrom([]int{limit - 1, limit, 200}), count-sparse, count-sparse).Draw(t, "dense buckets"))

		each := queryWave(limit, maxBytes, consistent)
		n := field{partitions: len(buckets)}
		n.inOrder(inOrderWave(len(buckets), each, consistent), consistent)
		price := n.own
		for _, rest := range n.rest {
			price = price.plus(rest, 1)
		}

		waves, missing := 0, limit
		var paid wave
		var read []int
		for missing > 0 && len(read) < len(buckets) {
			found := 0
			for _, items := range buckets[len(read):][:min(len(buckets)-len(read), plan.NextBuckets(w, read, missing))] {
				items = min(items, missing)
				size := rapid.IntRange(max(1, maxBytes-1), maxBytes).Draw(t, "size")
				requests, units := capacity.Query(items, size, consistent)
				paid = paid.plus(wave{queries: float64(requests), units: units}, 1)
				read, found = append(read, items), found+items
			}
			missing -= found
			waves++
		}
		if waves > 1+len(n.rest) || paid.units > price.units || paid.queries > price.queries {
			t.Fatalf("%d waves, %+v; the price is %d waves, %+v", waves, paid, 1+len(n.rest), price)
		}
	})
}
