package live_test

import (
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/live"
)

// BenchmarkChangeForNobody delivers changes of items that none of 1,000 feeds has.
func BenchmarkChangeForNobody(b *testing.B) {
	h, s := newHub(b, live.Options{}), stream{}
	for i := range 1000 {
		started(b, h, condition(b, "notes", "person "+strconv.Itoa(i)))
	}
	changes := make([]*live.Change, 1000)
	for i := range changes {
		id := strconv.Itoa(i)
		changes[i] = s.change(note("nobody", id, "a", "red"), note("nobody", id, "b", "blue"))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		h.Deliver(changes[i%len(changes) : i%len(changes)+1])
	}
}

// BenchmarkFanOut1000 delivers changes of one collection to 1,000 feeds, which receive them.
func BenchmarkFanOut1000(b *testing.B) {
	h, s := newHub(b, live.Options{}), stream{}
	feeds := make([]*live.Feed, 1000)
	for i := range feeds {
		feeds[i] = started(b, h, condition(b, "notes", "ann"))
	}
	h.Current(time.Now().Add(time.Minute)) // the first states are settled
	c := s.change(note("ann", "1", "a", "red"), note("ann", "1", "b", "blue"))
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		h.Deliver([]*live.Change{c})
		for _, f := range feeds {
			next(b, f)
		}
	}
}

// BenchmarkIdleFeeds reports the memory of a feed that waits.
func BenchmarkIdleFeeds(b *testing.B) {
	const count = 10_000
	var before, after runtime.MemStats
	h := newHub(b, live.Options{})
	c := condition(b, "notes", "ann")
	runtime.GC()
	runtime.ReadMemStats(&before)
	feeds := make([]*live.Feed, count)
	for i := range feeds {
		feeds[i] = started(b, h, c, []item.Item{note("ann", "1", "a", "red")}...)
	}
	h.Current(time.Now().Add(time.Minute))
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/count, "B/feed")
	runtime.KeepAlive(feeds)
}
