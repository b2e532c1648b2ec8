package telemetry

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// defaultMaxOperations is the default of [MetricsOptions].MaxOperations.
const defaultMaxOperations = 200

// MetricsOptions are limits of Metrics. The zero value of a field is its default.
type MetricsOptions struct {
	// MaxOperations is how many operation names are distinguished. All others are "other"; the name of an operation
	// without one is "".
	MaxOperations int
	// Operations are distinguished first, those of a manifest for example. Further names are when they recur.
	Operations []string
	// Logger gets a line when DynamoDB throttles requests, at most one each second, and when a partition key comes near
	// its limit, at most one each minute for reads and for writes. The default is slog.Default().
	Logger *slog.Logger
}

// Metrics counts and times operations and DynamoDB requests. Names and units follow the conventions of Prometheus:
// https://prometheus.io/docs/practices/naming/
type Metrics struct {
	registry   *prometheus.Registry
	operations *operationNames
	codes      *labels
	log        *slog.Logger

	operationSeries *seriesCache[operationKey, operationSeries]
	effortSeries    *seriesCache[string, effortSeries]
	requestSeries   *seriesCache[requestKey, requestSeries]

	operationsTotal     *prometheus.CounterVec
	operationErrors     *prometheus.CounterVec
	operationDuration   *prometheus.HistogramVec
	operationWaves      *prometheus.HistogramVec
	operationRequests   *prometheus.HistogramVec
	operationReadUnits  *prometheus.CounterVec
	operationWriteUnits *prometheus.CounterVec
	operationsInFlight  prometheus.Gauge
	damagedItems        *prometheus.CounterVec
	unreadable          *prometheus.CounterVec

	connections                             *prometheus.GaugeVec
	connectionEnds                          *prometheus.CounterVec
	subscriptions                           prometheus.Gauge
	subscriptionsEnded, events, eventErrors *prometheus.CounterVec
	eventDelay                              prometheus.Histogram
	eventReadUnits, sharedAnswers           prometheus.Counter

	requests         *prometheus.CounterVec
	requestDuration  *prometheus.HistogramVec
	readUnits        *prometheus.CounterVec
	writeUnits       *prometheus.CounterVec
	retries          *prometheus.CounterVec
	keyWait          *prometheus.CounterVec
	throttles        *throttles
	usage            *usage
	unprocessed      prometheus.Counter
	batchKeys        prometheus.Histogram
	requestsInFlight prometheus.Gauge
}

// Bounds of the histograms' buckets. An operation ends at gateway.Config.OperationTimeout, a request after its
// retries.
var (
	operationSeconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	requestSeconds   = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	waveCounts       = []float64{0, 1, 2, 3, 4, 6, 8}
	requestCounts    = []float64{0, 1, 2, 5, 10, 20, 50, 100, 200, 500}
	keyCounts        = []float64{2, 5, 10, 25, 50, 75, request.MaxBatchKeys}
)

// NewMetrics returns Metrics that have counted nothing yet. They include those of the Go runtime, the process and
// the build.
func NewMetrics(options MetricsOptions) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	m := &Metrics{
		registry:   registry,
		operations: newOperationNames(cmp.Or(options.MaxOperations, defaultMaxOperations), options.Operations),
		codes:      newLabels(maxCodes),
		log:        logging.WithIDs(cmp.Or(options.Logger, slog.Default())),
	}
	m.operationSeries = newSeriesCache(m.openOperation)
	m.effortSeries = newSeriesCache(m.openEffort)
	m.requestSeries = newSeriesCache(m.openRequest)
	m.registerOperations(factory{promauto.With(registry)})
	m.registerStreams(factory{promauto.With(registry)})
	m.registerSubscriptions(factory{promauto.With(registry)})
	m.registerRequests(factory{promauto.With(registry)})
	return m
}

func (m *Metrics) registerOperations(f factory) {
	m.operationsTotal = f.counters("partita_operations_total",
		"GraphQL operations by name, type and outcome: ok, partial (data and errors), refused (a mistake of the caller), "+
			"failed (5xx).",
		"operation", "type", "outcome")
	m.operationErrors = f.counters("partita_operation_errors_total",
		"Operations that had an error of the code: one for each distinct code of an operation.", "code")
	m.operationDuration = f.histograms("partita_operation_duration_seconds",
		"Time from an operation's request to its answer.", operationSeconds, "operation", "type")
	m.operationWaves = f.histograms("partita_operation_waves",
		"Waves of DynamoDB requests of an operation.", waveCounts, "operation")
	m.operationRequests = f.histograms("partita_operation_requests",
		"DynamoDB requests of an operation.", requestCounts, "operation")
	m.operationReadUnits = f.counters("partita_operation_read_units_total",
		"Read units that operations consumed.", "operation")
	m.operationWriteUnits = f.counters("partita_operation_write_units_total",
		"Write units that operations consumed.", "operation")
	m.operationsInFlight = f.gauge("partita_operations_in_flight", "Operations that have not been answered yet.")
	m.damagedItems = f.counters("partita_damaged_items_total",
		"Damaged items that operations have read, by type: one for each operation and item.", "type")
	m.damagedItems.WithLabelValues("") // a type that the schema does not have
	m.unreadable = f.counters("partita_unreadable_fields_total",
		"Fields that operations have selected and could not read, by type: one for each operation, item and field.", "type")
}

func (m *Metrics) registerStreams(f factory) {
	m.connections = f.gauges("partita_connections",
		"Connections that stay open, by transport: websocket, or the media type of a response with events.", "transport")
	for _, transport := range subscribe.Transports() {
		m.connections.WithLabelValues(transport)
	}
	m.connectionEnds = f.counters("partita_connection_ends_total",
		"Ends of these connections, by transport and why they have ended.", "transport", "why")
}

func (m *Metrics) registerRequests(f factory) {
	m.requests = f.counters("partita_dynamodb_requests_total",
		"DynamoDB requests by action and outcome, after their retries.", "action", "outcome")
	m.requestDuration = f.histograms("partita_dynamodb_request_duration_seconds",
		"Time of a DynamoDB request, its retries included.", requestSeconds, "action")
	m.readUnits = f.counters("partita_dynamodb_read_units_total", "Read units that DynamoDB reported.", "action")
	m.writeUnits = f.counters("partita_dynamodb_write_units_total", "Write units that DynamoDB reported.", "action")
	m.keyWait = f.counters("partita_dynamodb_key_wait_seconds_total",
		"Time that requests have waited because DynamoDB has throttled one of their partition keys.", "action")
	m.retries = f.counters("partita_dynamodb_retries_total",
		"HTTP requests to DynamoDB beyond the first of each request.", "action")
	m.throttles = newThrottles(f, m.log)
	m.usage = newUsage(m.log)
	m.registry.MustRegister(m.throttles, m.usage)
	m.unprocessed = f.counter("partita_dynamodb_unprocessed_keys_total",
		"Keys that a BatchGetItem left unprocessed.")
	m.batchKeys = f.histogram("partita_dynamodb_batch_keys", "Keys of a BatchGetItem.", keyCounts)
	m.requestsInFlight = f.gauge("partita_dynamodb_requests_in_flight",
		"DynamoDB requests that have not been answered yet.")
	// A rate needs the zero before the first event.
	for _, action := range loaders.Actions() {
		m.requests.WithLabelValues(string(action), outcomeOf(nil))
		for _, c := range []*prometheus.CounterVec{m.readUnits, m.writeUnits, m.retries, m.keyWait} {
			c.WithLabelValues(string(action))
		}
	}
}

// factory makes and registers metrics. It panics if a name is registered already.
type factory struct{ promauto.Factory }

func (f factory) counter(name, help string) prometheus.Counter {
	return f.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func (f factory) counters(name, help string, labels ...string) *prometheus.CounterVec {
	return f.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func (f factory) gauge(name, help string) prometheus.Gauge {
	return f.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
}

func (f factory) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return f.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
}

func (f factory) histogram(name, help string, buckets []float64) prometheus.Histogram {
	return f.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
}

func (f factory) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return f.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

// maxScrapes is how many scrapes may be in flight.
const maxScrapes = 4

// Handler returns the handler of scrapes, in Prometheus' text format or in OpenMetrics. It does not authenticate
// callers.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		EnableOpenMetrics:   true,
		MaxRequestsInFlight: maxScrapes,
		Registry:            m.registry,
	})
}

// countOperation adds the name of an operation to the label only if operations with that name were executed several
// times. Callers could otherwise use up the names with operations that cost nothing.
func (m *Metrics) countOperation(r operation.Report, c consumption) {
	executed := r.Outcome == operation.OutcomeOK || r.Outcome == operation.OutcomePartial
	name := m.operations.of(r.Name, false)
	if executed {
		name = m.operations.ofExecuted(r.Name, r.SignedIn)
	}
	operation := m.operationSeries.of(operationKey{name, r.Type, r.Outcome})
	operation.total.Inc()
	operation.duration.Observe(r.Duration.Seconds())
	for _, code := range r.Codes {
		m.operationErrors.WithLabelValues(m.codes.of(code, true)).Inc()
	}
	if !executed && c.requests == 0 {
		return
	}
	effort := m.effortSeries.of(name)
	effort.waves.Observe(float64(c.waves))
	effort.requests.Observe(float64(c.requests))
	effort.readUnits.Add(c.readUnits)
	effort.writeUnits.Add(c.writeUnits)
}

// countConnection counts a connection that stays open until ended is called.
func (m *Metrics) countConnection(transport string) (ended func(why string)) {
	open := m.connections.WithLabelValues(transport)
	open.Inc()
	return func(why string) {
		open.Dec()
		m.connectionEnds.WithLabelValues(transport, m.codes.of(why, true)).Inc()
	}
}

func (m *Metrics) countRequest(
	ctx context.Context, sent loaders.Sent, res request.Result, err error, took time.Duration,
) {
	series := m.requestSeries.of(requestKey{sent.Action, outcomeOf(err)})
	series.total.Inc()
	series.duration.Observe(took.Seconds())
	series.readUnits.Add(res.ReadUnits)
	series.writeUnits.Add(res.WriteUnits)
	series.retries.Add(float64(res.Retries))
	series.keyWait.Add(res.Waited.Seconds())
	m.throttles.count(ctx, sent.Action, res.Throttled)
	if sent.Action == loaders.ActionBatchGetItem {
		m.batchKeys.Observe(float64(sent.Keys))
		m.unprocessed.Add(float64(len(res.Unprocessed)))
	}
}

func (m *Metrics) openOperation(k operationKey) operationSeries {
	return operationSeries{
		total:    m.operationsTotal.WithLabelValues(k.name, k.kind, string(k.outcome)),
		duration: m.operationDuration.WithLabelValues(k.name, k.kind),
	}
}

func (m *Metrics) openEffort(name string) effortSeries {
	return effortSeries{
		waves:      m.operationWaves.WithLabelValues(name),
		requests:   m.operationRequests.WithLabelValues(name),
		readUnits:  m.operationReadUnits.WithLabelValues(name),
		writeUnits: m.operationWriteUnits.WithLabelValues(name),
	}
}

func (m *Metrics) openRequest(k requestKey) requestSeries {
	action := string(k.action)
	return requestSeries{
		total:      m.requests.WithLabelValues(action, k.outcome),
		duration:   m.requestDuration.WithLabelValues(action),
		readUnits:  m.readUnits.WithLabelValues(action),
		writeUnits: m.writeUnits.WithLabelValues(action),
		retries:    m.retries.WithLabelValues(action),
		keyWait:    m.keyWait.WithLabelValues(action),
	}
}
