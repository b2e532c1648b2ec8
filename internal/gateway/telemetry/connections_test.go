package telemetry_test

import (
	"net/http/httptest"
	"testing"

	"github.com/partita/partita/internal/gateway/telemetry"
)

// TestConnections: those that stay open are counted by their transport, and their ends by why.
func TestConnections(t *testing.T) {
	metrics := telemetry.NewMetrics(telemetry.MetricsOptions{})
	observer := telemetry.NewObserver(metrics, nil)
	server := httptest.NewServer(metrics.Handler())
	defer server.Close()
	observer.Connection("websocket")
	observer.Connection("websocket")("idle")
	observer.Connection("text/event-stream")("CHANGES_LOST")
	m := scrapeOf(t, server.Client(), server.URL)
	m.want(t, "partita_connections", "transport=websocket: 1")
	m.want(t, "partita_connection_ends_total",
		"transport=text/event-stream,why=CHANGES_LOST: 1", "transport=websocket,why=idle: 1")
}
