package telemetry_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// BenchmarkOperation observes an operation of two waves with two requests each.
func BenchmarkOperation(b *testing.B) {
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	run := func(b *testing.B, traces *telemetry.Traces) {
		b.ReportAllocs()
		o := telemetry.NewObserver(telemetry.NewMetrics(telemetry.MetricsOptions{}), traces)
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", nil)
		report := operation.Report{
			Name: "Bench", Type: "query", Outcome: operation.OutcomeOK, Status: 200, Duration: time.Millisecond,
		}
		for b.Loop() {
			ctx, ended := o.Operation(r)
			for range 2 {
				wave, waveEnded := o.Wave(ctx, 2)
				for range 2 {
					_, answered := o.Request(wave, loaders.Sent{Action: loaders.ActionGetItem, Keys: 1})
					answered(request.Result{ReadUnits: 0.5}, nil)
				}
				waveEnded()
			}
			ended(report)
		}
	}
	open := func(b *testing.B) *telemetry.Traces {
		b.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
		traces, err := telemetry.OpenTraces(b.Context(), telemetry.TracesOptions{
			TableName: "partita", Logger: slog.New(slog.DiscardHandler), // some cannot be exported
		})
		fatal.If(b, err)
		b.Cleanup(func() { _ = traces.Close(context.WithoutCancel(b.Context())) })
		return traces
	}
	b.Run("metrics", func(b *testing.B) { run(b, nil) })
	b.Run("metrics and traces", func(b *testing.B) { run(b, open(b)) })
	b.Run("metrics and traces that are not sampled", func(b *testing.B) {
		b.Setenv("OTEL_TRACES_SAMPLER", "always_off")
		run(b, open(b))
	})
}
