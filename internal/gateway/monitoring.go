package gateway

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/partita/partita/internal/gateway/operation"
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
	// Metrics answers GET /metrics; nil leaves it out. It has no authentication.
	Metrics http.Handler
}
