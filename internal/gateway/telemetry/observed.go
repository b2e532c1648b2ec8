package telemetry

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Cache is what the metrics of shared Reads show; it is a *cache.Cache.
type Cache interface {
	// Reused returns how many Reads needed no request of their own, by what has answered them.
	Reused() map[string]int64
	// Misses returns how many Reads by key no item of the cache has answered.
	Misses() int64
	// Evictions returns how many items were evicted, by cause.
	Evictions() map[string]int64
	// Size returns how many items there are, and their bytes.
	Size() (items int, bytes int64)
	// IsUsed reports whether Reads are answered with items at present.
	IsUsed() bool
}

// ObserveCache adds the metrics of Reads that operations share.
func (m *Metrics) ObserveCache(c Cache) {
	f := promauto.With(m.registry)
	counters := func(name, help, label string, counts func() map[string]int64) {
		for value := range counts() {
			f.NewCounterFunc(prometheus.CounterOpts{
				Name: name, Help: help, ConstLabels: prometheus.Labels{label: value},
			}, func() float64 { return float64(counts()[value]) })
		}
	}
	gauge := func(name, help string, value func() float64) {
		f.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	counters("partita_reused_reads_total",
		"Reads that needed no request of their own, by what has answered them: the request of another operation, a Read of "+
			"the same scope, or an item of the cache.", "by", c.Reused)
	counters("partita_cache_evictions_total",
		"Items that were evicted from the cache, by cause: change (in the stream), write (of this process), age, space.",
		"cause", c.Evictions)
	f.NewCounterFunc(prometheus.CounterOpts{
		Name: "partita_cache_misses_total", Help: "Reads by key that no item of the cache has answered.",
	}, func() float64 { return float64(c.Misses()) })
	gauge("partita_cache_items", "Items in the cache.", func() float64 {
		items, _ := c.Size()
		return float64(items)
	})
	gauge("partita_cache_bytes", "Memory of the items in the cache.", func() float64 {
		_, bytes := c.Size()
		return float64(bytes)
	})
	gauge("partita_cache_used",
		"1 if Reads are answered with items of the cache, 0 if it is off or the stream has not been read.",
		func() float64 {
			if c.IsUsed() {
				return 1
			}
			return 0
		})
}

// Store is what the metrics of a shared store show; it is a *replicas.Store.
type Store interface {
	// IsReachable reports whether the store is used at present.
	IsReachable() bool
	// Fallbacks returns how often it was not reachable when it was to be used.
	Fallbacks() int64
}

// ObserveStore adds the metrics of a shared store. A gateway without one does not have them.
func (m *Metrics) ObserveStore(s Store) {
	f := promauto.With(m.registry)
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "partita_shared_store_reachable",
		Help: "1 if the shared store is used, 0 if this replica continues by itself.",
	}, func() float64 {
		if s.IsReachable() {
			return 1
		}
		return 0
	})
	f.NewCounterFunc(prometheus.CounterOpts{
		Name: "partita_shared_store_fallbacks_total",
		Help: "Uses of the shared store for which it was not reachable.",
	}, func() float64 { return float64(s.Fallbacks()) })
}

// Stream is the reader of the table's stream.
type Stream interface {
	// Lag returns how long ago everything that the stream had was delivered. It reports whether it ever was.
	Lag() (time.Duration, bool)
	// Records returns how many records have been delivered.
	Records() int64
	// Requests returns how many requests have read the stream, each of which is paid.
	Requests() int64
	// Shards returns how many shards of the stream this replica reads by itself.
	Shards() int
}

// ObserveStream adds the metrics of the table's stream. A gateway that does not read it does not have them.
func (m *Metrics) ObserveStream(s Stream) {
	f := promauto.With(m.registry)
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "partita_stream_lag_seconds",
		Help: "How long ago all changes in the stream of the table had been delivered; +Inf before the first time.",
	}, func() float64 {
		if lag, known := s.Lag(); known {
			return lag.Seconds()
		}
		return math.Inf(1)
	})
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "partita_stream_reader",
		Help: "1 if this replica reads shards of the table's stream by itself, 0 if it follows others or waits.",
	}, func() float64 {
		return float64(min(s.Shards(), 1))
	})
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "partita_stream_shards",
		Help: "Shards of the table's stream that this replica reads by itself.",
	}, func() float64 { return float64(s.Shards()) })
	f.NewCounterFunc(prometheus.CounterOpts{
		Name: "partita_stream_changes_total",
		Help: "Changes of the table that its stream has delivered.",
	}, func() float64 { return float64(s.Records()) })
	f.NewCounterFunc(prometheus.CounterOpts{
		Name: "partita_stream_requests_total",
		Help: "Requests of GetRecords, each of which is a streams read request unit of DynamoDB's bill.",
	}, func() float64 { return float64(s.Requests()) })
}
