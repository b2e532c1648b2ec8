package telemetry

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/hotkeys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// throttles are the throttled requests: why they were, and on which keys.
type throttles struct {
	total   *prometheus.CounterVec
	reasons *labels
	most    hotkeys.Sketch
	desc    *prometheus.Desc
	log     *slog.Logger
	// logged limits the lines of the log, but for those with a fix.
	logged rate.Sometimes
	fixes  fixes
}

// loggedEvery is the shortest time between two lines of the log on throttled requests. There can be thousands in it.
const loggedEvery = time.Second

func newThrottles(f factory, log *slog.Logger) *throttles {
	t := &throttles{
		total: f.counters("partita_dynamodb_throttles_total",
			"HTTP requests that DynamoDB throttled, by the first reason that it named, and whether that is about the table or "+
				"an index.", "action", "reason", "resource"),
		reasons: newLabels(maxCodes),
		desc: prometheus.NewDesc("partita_dynamodb_throttled_key_requests",
			"Throttled requests on each of the 10 partition keys that have most of them, at least, by index and a hash of the "+
				"key. What may be missing is at most a 64th of all throttled requests.", []string{"index", "key"}, nil),
		log: log, logged: rate.Sometimes{Interval: loggedEvery},
	}
	for _, action := range loaders.Actions() { // A rate needs the zero before the first event.
		t.total.WithLabelValues(string(action), "", "")
	}
	return t
}

// count counts the throttled requests of a result.
func (t *throttles) count(ctx context.Context, action loaders.Action, all []request.Throttle) {
	hasFix := false
	for _, one := range all {
		if fix := t.fixes.due(one); fix != "" {
			hasFix = true
			t.write(ctx, action, one, slog.String("fix", fix))
		}
		if !one.IsUnprocessed {
			t.total.WithLabelValues(string(action), t.reasons.of(reasonOf(one), true), kindOf(one)).Inc()
		}
		for _, key := range one.Partitions {
			t.most.Add(one.Index, key, 1)
		}
	}
	if len(all) > 0 && !hasFix {
		t.logged.Do(func() { t.write(ctx, action, all[0]) })
	}
}

// maxLoggedKeys is how many partition keys a line of the log has.
const maxLoggedKeys = 10

// write writes a line of the log. Nothing else but a page for visitors of this machine has keys in clear.
func (t *throttles) write(ctx context.Context, action loaders.Action, one request.Throttle, more ...slog.Attr) {
	resources := make([]string, len(one.Reasons))
	for i, r := range one.Reasons {
		resources[i] = nameOf(r.Resource)
	}
	t.log.LogAttrs(ctx, slog.LevelWarn, "DynamoDB throttles requests", append([]slog.Attr{
		slog.String("action", string(action)), slog.String("reason", reasonOf(one)),
		slog.String("resource", strings.Join(resources, ", ")), slog.String("index", one.Index),
		slog.Bool("unprocessedKeys", one.IsUnprocessed),
		slog.Any("partitions", one.Partitions[:min(len(one.Partitions), maxLoggedKeys)]),
	}, more...)...)
}

// reasonOf returns the first reason that DynamoDB named, or "".
func reasonOf(t request.Throttle) string {
	if len(t.Reasons) == 0 {
		return ""
	}
	return t.Reasons[0].Reason
}

// kindOf returns whether the first reason is about the table or an index; "" if DynamoDB named none.
func kindOf(t request.Throttle) string {
	switch {
	case len(t.Reasons) == 0 || t.Reasons[0].Resource == "":
		return ""
	case strings.Contains(t.Reasons[0].Resource, "/index/"):
		return "index"
	default:
		return "table"
	}
}

// nameOf returns the names of table and index in an ARN, such as
// arn:aws:dynamodb:eu-west-1:123456789012:table/orders/index/GSI1.
func nameOf(arn string) string { return arn[strings.LastIndexByte(arn, ':')+1:] }

// Describe implements prometheus.Collector.
func (t *throttles) Describe(to chan<- *prometheus.Desc) { to <- t.desc }

// Collect implements prometheus.Collector.
func (t *throttles) Collect(to chan<- prometheus.Metric) {
	top, _ := t.most.Top(shownKeys)
	for _, k := range top {
		to <- prometheus.MustNewConstMetric(t.desc, prometheus.GaugeValue, k.Least(), k.Index, hashOf(k.Key))
	}
}
