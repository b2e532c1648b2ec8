package gateway

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gateway/response"
)

// Monitoring is what observes a gateway.
type Monitoring struct {
	// Ready returns an error if operations cannot be answered at present. It must return when ctx ends. The message of an
	// error with a Code method is in the response of /readyz; any other error is only logged.
	Ready func(ctx context.Context) error
	// Logger gets one line for each operation. The default is slog.Default().
	Logger *slog.Logger
	// Observer observes each operation; nil for none.
	Observer operation.Observer
	// Metrics answers GET /metrics, which the page at /figures shows; nil leaves out both. They have no authentication.
	Metrics http.Handler
}

const (
	pathMetrics = "/metrics"
	pathFigures = "/figures"
)

// Figures serves metrics, and the page that shows them, at an address of their own. files are the pages of a
// [Playground]. It panics if the page is damaged.
func Figures(metrics http.Handler, files fs.FS) http.Handler {
	pages, err := playground.Handler(playground.Settings{Metrics: pathMetrics, Figures: pathFigures, Files: files})
	if err != nil {
		panic(fmt.Errorf("gateway: a page is damaged: %w", err))
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+pathMetrics, metrics)
	mux.Handle("GET "+pathFigures, response.Compress(pages))
	mux.Handle("GET /assets/", pages)
	return mux
}
