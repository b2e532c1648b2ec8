package telemetry

import (
	"context"
	"net/http"
	"time"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// Observer makes metrics and traces. It is a operation.Observer and a loaders.Observer; gateway and loaders must have
// the same one.
type Observer struct {
	metrics *Metrics
	traces  *Traces
}

var (
	_ operation.Observer = (*Observer)(nil)
	_ loaders.Observer   = (*Observer)(nil)
)

// NewObserver returns an Observer; traces may be nil.
func NewObserver(metrics *Metrics, traces *Traces) *Observer { return &Observer{metrics, traces} }

// Operation implements operation.Observer.
func (o *Observer) Operation(r *http.Request) (context.Context, func(operation.Report)) {
	e := &effort{}
	ctx := context.WithValue(r.Context(), effortKey{}, e)
	o.metrics.operationsInFlight.Inc()
	ctx, ended := o.traces.operation(ctx, r)
	return ctx, func(report operation.Report) {
		ended(report)
		o.metrics.operationsInFlight.Dec()
		o.metrics.countOperation(report, e.total())
	}
}

// Connection implements operation.Observer.
func (o *Observer) Connection(transport string) (ended func(why string)) {
	return o.metrics.countConnection(transport)
}

// Subscribed implements operation.Observer.
func (o *Observer) Subscribed(context.Context, string) (event func(operation.EventReport), ended func(string)) {
	return o.metrics.countSubscription()
}

// Wave implements loaders.Observer.
func (o *Observer) Wave(ctx context.Context, requests int) (context.Context, func()) {
	effortOf(ctx).add(0, 1, 0, 0)
	return o.traces.wave(ctx, requests)
}

// Request implements loaders.Observer.
func (o *Observer) Request(ctx context.Context, sent loaders.Sent) (context.Context, func(request.Result, error)) {
	start := time.Now()
	o.metrics.requestsInFlight.Inc()
	ctx, answered := o.traces.request(ctx, sent)
	return ctx, func(res request.Result, err error) {
		answered(res, err)
		o.metrics.requestsInFlight.Dec()
		if res.Unsent {
			return
		}
		effortOf(ctx).add(1, 0, res.ReadUnits, res.WriteUnits)
		o.metrics.countRequest(ctx, sent, res, err, time.Since(start))
	}
}

// Damaged implements loaders.Observer.
func (o *Observer) Damaged(_ context.Context, typeName string) {
	o.metrics.damagedItems.WithLabelValues(typeName).Inc()
}

// Unreadable implements loaders.Observer.
func (o *Observer) Unreadable(_ context.Context, typeName string) {
	o.metrics.unreadable.WithLabelValues(typeName).Inc()
}
