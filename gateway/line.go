package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/gateway/response"
	"github.com/partita/partita/viewer"
)

// maxLoggedName is where operation names are cut, in bytes. They may have up to maxNameBytes.
const maxLoggedName = 128

// An operationLine is the line of the log for one operation, executed or planned. It has no variables, no headers, no
// part of the document but the operation's name, and nothing of the viewer but the id and the tenant.
type operationLine struct {
	start  time.Time
	method string
	name   string
	kind   string // query or mutation; empty if there was an error before the operation was known
	status int
	errors gqlerror.List
	cost   response.Cost
	// executed reports whether the response has data.
	executed bool
	duration time.Duration
	// ended notifies the Observer; nil after end.
	ended func(Report)
}

// end writes the line and notifies the Observer, once. The context is the one after authentication, which has the
// viewer.
func (l *operationLine) end(ctx context.Context) {
	ended := l.ended
	if ended == nil {
		return
	}
	l.ended = nil
	if l.status == 0 { // a panic, for which the response is written elsewhere
		l.status = http.StatusInternalServerError
	}
	l.duration = time.Since(l.start)
	l.write(ctx, "operation")
	ended(l.report(viewer.FromContext(ctx)))
}

// begun ends the line of a subscription: its events are operations of their own.
func (l *operationLine) begun(ctx context.Context) {
	l.executed, l.status = true, http.StatusOK
	l.end(ctx)
}

func (l *operationLine) write(ctx context.Context, message string) {
	attrs := append(make([]slog.Attr, 0, 16),
		slog.String("method", l.method),
		slog.Int("status", l.status),
		slog.String("operation", l.name[:min(len(l.name), maxLoggedName)]),
		slog.String("type", l.kind),
		slog.Float64("milliseconds", float64(l.duration.Microseconds())/1000),
		slog.Int("requests", l.cost.Requests),
		slog.Int("waves", l.cost.Waves),
		slog.Int("retries", l.cost.Retries),
		slog.Int("reusedReads", l.cost.ReusedReads),
		slog.Float64("estimatedReadUnits", l.cost.EstimatedReadUnits),
		slog.Float64("readUnits", l.cost.ReadUnits),
		slog.Float64("writeUnits", l.cost.WriteUnits),
		slog.Float64("estimatedObjects", l.cost.EstimatedObjects),
		slog.Int("objects", l.cost.Objects),
	)
	if v := viewer.FromContext(ctx); !v.IsAnonymous() {
		attrs = append(attrs, slog.String("viewer", v.ID))
		if v.Tenant != "" {
			attrs = append(attrs, slog.String("tenant", v.Tenant))
		}
	}
	if len(l.errors) > 0 {
		attrs = append(attrs, slog.Int("errors", len(l.errors)), slog.String("codes", strings.Join(response.Codes(l.errors), ",")),
			slog.String("outcome", string(l.outcome())))
	}
	logging.Info(ctx, logging.Logger(ctx), message, attrs...)
}
