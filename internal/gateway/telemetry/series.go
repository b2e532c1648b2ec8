package telemetry

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/loaders"
)

// A seriesCache has the time series of label values that have been used. A vector would hash and compare the values
// again for each observation. The values must be limited in number, as the time series are.
type seriesCache[K comparable, S any] struct {
	open func(K) S

	mu    sync.RWMutex
	known map[K]S
}

func newSeriesCache[K comparable, S any](open func(K) S) *seriesCache[K, S] {
	return &seriesCache[K, S]{open: open, known: map[K]S{}}
}

// of returns the series of a key, and opens them first if they are not known.
func (c *seriesCache[K, S]) of(key K) S {
	c.mu.RLock()
	series, known := c.known[key]
	c.mu.RUnlock()
	if known {
		return series
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if series, known = c.known[key]; !known {
		series = c.open(key)
		c.known[key] = series
	}
	return series
}

type operationKey struct {
	name, kind string // of the labels
	outcome    operation.Outcome
}

// operationSeries are the series of all operations.
type operationSeries struct {
	total    prometheus.Counter
	duration prometheus.Observer
}

// effortSeries are the series of operations that have been executed.
type effortSeries struct {
	waves, requests       prometheus.Observer
	readUnits, writeUnits prometheus.Counter
}

type requestKey struct {
	action  loaders.Action
	outcome string
}

type requestSeries struct {
	total                                   prometheus.Counter
	duration                                prometheus.Observer
	readUnits, writeUnits, retries, keyWait prometheus.Counter
}
