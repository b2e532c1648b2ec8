package live_test

import (
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
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
			must(f.Next(b.Context()))
		}
	}
}

// BenchmarkPosition makes the position of an event, and that of the same event at 999 other feeds.
func BenchmarkPosition(b *testing.B) {
	h, s := newHub(b, live.Options{}), stream{}
	f := started(b, h, condition(b, "notes", "ann"))
	b.ReportAllocs()
	for range b.N {
		h.Deliver([]*live.Change{s.change(nil, note("ann", "1", "a", "red"))})
		e := next(b, f)
		for range 1000 {
			e.Position()
		}
	}
	b.ReportMetric(float64(len(f.Position())), "B/position")
}

// BenchmarkSubscribe reports the memory of a feed that waits.
func BenchmarkSubscribe(b *testing.B) {
	h := newHub(b, live.Options{})
	c := condition(b, "notes", "ann")
	state := live.State{Items: []item.Item{note("ann", "1", "a", "red")}}
	feeds := make([]*live.Feed, 0, b.N)
	before := heap()
	b.ResetTimer()
	for range b.N {
		f := must(h.Subscribe(c, ""))
		f.Begin(state)
		feeds = append(feeds, f)
		if len(feeds)%1000 == 0 {
			h.Current(time.Now().Add(time.Minute)) // the first states are settled
		}
	}
	b.StopTimer()
	h.Current(time.Now().Add(time.Minute))
	b.ReportMetric(float64(heap()-before)/float64(len(feeds)), "B/feed")
	h.Current(time.Now())
}

// heap returns the bytes that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
