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

func (m *Metrics) openOperation(k operationKey) operationSeries {
	return operationSeries{
		total:    m.operationsTotal.WithLabelValues(k.name, k.kind, string(k.outcome)),
		duration: m.operationDuration.WithLabelValues(k.name, k.kind),
	}
}

// effortSeries are the series of operations that have been executed.
type effortSeries struct {
	waves, requests       prometheus.Observer
	readUnits, writeUnits prometheus.Counter
}

func (m *Metrics) openEffort(name string) effortSeries {
	return effortSeries{
		waves:      m.operationWaves.WithLabelValues(name),
		requests:   m.operationRequests.WithLabelValues(name),
		readUnits:  m.operationReadUnits.WithLabelValues(name),
		writeUnits: m.operationWriteUnits.WithLabelValues(name),
	}
}

type requestKey struct {
	action  loaders.Action
	outcome string
}

type requestSeries struct {
	total                                     prometheus.Counter
	duration                                  prometheus.Observer
	readUnits, writeUnits, retries, throttles prometheus.Counter
}

func (m *Metrics) openRequest(k requestKey) requestSeries {
	action := string(k.action)
	return requestSeries{
		total:      m.requests.WithLabelValues(action, k.outcome),
		duration:   m.requestDuration.WithLabelValues(action),
		readUnits:  m.readUnits.WithLabelValues(action),
		writeUnits: m.writeUnits.WithLabelValues(action),
		retries:    m.retries.WithLabelValues(action),
		throttles:  m.throttles.WithLabelValues(action),
	}
}
