package gateway

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/partita/partita/internal/gateway/browser"
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
	// Keys answers the page of visitors of this machine with the partition keys whose hashes the metrics have; nil leaves
	// them out.
	Keys http.Handler
}

const (
	pathMetrics = "/metrics"
	pathFigures = "/figures"
	pathKeys    = "/figures/keys"
)

// forThisMachine answers callers of this machine only, who address it by one of its own names: a page of another host
// does not, which a browser would send there after DNS rebinding. All others get nothing.
func forThisMachine(trusted []netip.Prefix, shown http.Handler) http.Handler {
	hosts := browser.Hosts{}.WithLoopback()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !operation.IsFromThisMachine(r, trusted) {
			w.Header().Set("Content-Type", response.MediaJSON)
			_, _ = io.WriteString(w, "{}") // fails only when the client has gone
			return
		}
		hosts.Restrict(shown).ServeHTTP(w, r)
	})
}

// Figures serves metrics, and the page that shows them, at an address of their own. files are the pages of a
// [Playground], and keys is that of [Monitoring]. It panics if the page is damaged.
func Figures(metrics, keys http.Handler, files fs.FS) http.Handler {
	pages, err := playground.Handler(playground.Settings{Metrics: pathMetrics, Figures: pathFigures, Files: files})
	if err != nil {
		panic(fmt.Errorf("gateway: a page is damaged: %w", err))
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+pathMetrics, metrics)
	mux.Handle("GET "+pathFigures, response.Compress(pages))
	mux.Handle("GET "+pathKeys, forThisMachine(nil, keys))
	mux.Handle("GET /assets/", pages)
	return mux
}
