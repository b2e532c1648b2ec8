package app

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/internal/table/local"
)

// telemetrySettings say what is counted, and where it can be read.
type telemetrySettings struct {
	MetricsAddr string `env:"METRICS_ADDR" help:"Address of its own for /metrics, and for /figures, which shows them, such as :9090. Without it, they are served beside /graphql on the local engine, and nowhere on any other table."`
}

// metricsOperations is how many names of operations metrics keep apart, those of OPERATIONS_MANIFEST first: each is
// some 30 series, and clients choose the names.
const metricsOperations = 200

// observers observe operations and DynamoDB requests.
type observers struct {
	metrics  *telemetry.Metrics
	traces   *telemetry.Traces // nil unless the environment enables them
	observer *telemetry.Observer
	// local reports whether the table is in the local engine.
	local bool
	addr  string
}

func (s *telemetrySettings) open(
	ctx context.Context, service string, t *local.Table, operations *document.Manifest, log *slog.Logger,
) (*observers, error) {
	metrics := telemetry.NewMetrics(telemetry.MetricsOptions{
		MaxOperations: metricsOperations, Operations: operations.Names(), Logger: log,
	})
	traces, err := telemetry.OpenTraces(ctx, telemetry.TracesOptions{
		Service: service, Version: version(), TableName: t.Name(), Logger: log,
	})
	if err != nil {
		return nil, &exit.Error{
			Problem: fmt.Sprintf("traces cannot be exported (%v)", err),
			Fix:     "check the OTEL_ variables, or set OTEL_TRACES_EXPORTER=none",
			Code:    exit.Config, Err: err,
		}
	}
	return &observers{metrics, traces, telemetry.NewObserver(metrics, traces), t.IsLocal(), s.MetricsAddr}, nil
}

// table returns a table whose partition keys are observed.
func (o *observers) table(t *local.Table) *local.Table { return t.With(t.WithUsage(o.metrics.Usage())) }

// flush exports the spans of operations that have been answered.
func (o *observers) flush(ctx context.Context) error { return o.traces.Flush(ctx) }

// exportTimeout limits the export of the last spans.
const exportTimeout = 5 * time.Second

// close exports the spans that are left.
func (o *observers) close(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), exportTimeout)
	defer cancel()
	if err := o.traces.Close(ctx); err != nil {
		log.WarnContext(ctx, "the last spans are not exported", "error", err.Error())
	}
}

// handler answers /metrics on the gateway's own address; nil for none. Only the local engine, which has demo data,
// serves its metrics to all callers.
func (o *observers) handler() http.Handler {
	if o.addr != "" || !o.local {
		return nil
	}
	return o.metrics.Handler()
}

// serve serves /metrics, and the page that shows them, on an address of their own, if one is set, until stop is called.
func (o *observers) serve(ctx context.Context, pages fs.FS, log *slog.Logger) (stop func(), err error) {
	if o.addr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return nil, cannotListen("METRICS_ADDR", o.addr, err)
	}
	log.InfoContext(ctx, "serving metrics", "addr", listener.Addr().String())
	handler := gateway.Figures(o.metrics.Handler(), o.metrics.Keys(), pages)
	// It ends after the operations that it counts.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := httpserver.Serve(ctx, listener, handler, httpserver.Settings{}); err != nil {
			log.ErrorContext(ctx, "metrics are not served any longer", "error", err.Error())
		}
	}()
	return func() {
		cancel()
		<-ended
	}, nil
}
