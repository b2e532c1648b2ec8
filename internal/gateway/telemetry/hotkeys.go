package telemetry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/partita/partita/internal/hotkeys"
)

const (
	// shownKeys is how many keys are shown of each kind. The time series of those that were are others soon after.
	shownKeys = 10
	// leastShown is how many units a second a key consumes that is shown, at least. Where all keys are cold, others would
	// be the first ones at each scrape.
	leastShown = 1
)

// usage is what partition keys consume.
type usage struct {
	*hotkeys.Usage
	units, missing *prometheus.Desc
}

func newUsage(log *slog.Logger) *usage {
	return &usage{
		Usage: hotkeys.NewUsage(func(u *hotkeys.Units, c hotkeys.Count) { logHot(log, u, c) }),
		units: prometheus.NewDesc("partita_dynamodb_key_units_per_second",
			"Read or write units that each of the 10 partition keys that consume most of them has consumed a second in the "+
				"last minutes, at least, by index and a hash of the key.", []string{"units", "index", "key"}, nil),
		missing: prometheus.NewDesc("partita_dynamodb_key_units_per_second_missing",
			"What the units a second of each partition key may be above that, or above 0 for a key that is not shown: at most "+
				"a 64th of those of all keys.", []string{"units"}, nil),
	}
}

// logHot writes a line about a partition key that consumes much of what DynamoDB lets it.
func logHot(log *slog.Logger, u *hotkeys.Units, c hotkeys.Count) {
	log.LogAttrs(context.Background(), slog.LevelWarn, "a partition key comes near its limit",
		slog.String("units", u.Kind), slog.String("index", c.Index), slog.String("partition", c.Key),
		slog.Float64("perSecond", math.Round(u.PerSecond(c.Least()))), slog.Float64("limit", u.Limit),
		slog.String("fix", fixOfKey(c.Index != "", u.Kind == "write")))
}

// Describe implements prometheus.Collector.
func (u *usage) Describe(to chan<- *prometheus.Desc) { to <- u.units; to <- u.missing }

// Collect implements prometheus.Collector.
func (u *usage) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for _, units := range []*hotkeys.Units{&u.Reads, &u.Writes} {
		top, missing := shown(units)
		for _, c := range top {
			gauge(u.units, units.PerSecond(c.Least()), units.Kind, c.Index, hashOf(c.Key))
		}
		gauge(u.missing, units.PerSecond(missing), units.Kind)
	}
}

// shown returns the keys that are shown, and what may be missing of each.
func shown(u *hotkeys.Units) (top []hotkeys.Count, missing float64) {
	top, missing = u.Top(shownKeys)
	return slices.DeleteFunc(top, func(c hotkeys.Count) bool { return u.PerSecond(c.Least()) < leastShown }), missing
}

// Usage returns what is in the metrics of the units of partition keys. It is for the table that consumes them.
func (m *Metrics) Usage() *hotkeys.Usage { return m.usage.Usage }

// Keys returns the handler of the keys whose hashes the metrics have at the moment: JSON of the key of each hash. It is
// for callers of this machine.
func (m *Metrics) Keys() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		throttled, _ := m.throttles.most.Top(shownKeys)
		reads, _ := shown(&m.usage.Reads)
		writes, _ := shown(&m.usage.Writes)
		named := map[string]string{}
		for _, k := range slices.Concat(throttled, reads, writes) {
			named[hashOf(k.Key)] = k.Key
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(named) // fails only when the client has gone
	})
}

// hashOf returns a short name of a key that does not show it: the beginning of its SHA-256.
func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:6])
}
