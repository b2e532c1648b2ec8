package gateway

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/gateway/response"
	"github.com/partita/partita/viewer"
)

// maxRequestID is the length in bytes of the longest id that is accepted from a caller.
const maxRequestID = 128

// isSafeID reports whether an id has only letters, digits and ._:/+=- and can be written into a line of the log.
func isSafeID(id string) bool {
	for i := range len(id) {
		c := id[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isLetter && !('0' <= c && c <= '9') && strings.IndexByte("._:/+=-", c) < 0 {
			return false
		}
	}
	return 0 < len(id) && len(id) <= maxRequestID
}

// withRequestID adds an id to the context of each request, the caller's or a new one. All lines of the request in the
// log have it.
func withRequestID(base *slog.Logger, next http.Handler) http.Handler {
	base = logging.WithIDs(base)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(logging.HeaderRequestID)
		if !isSafeID(id) {
			id = rand.Text()
		}
		w.Header().Set(logging.HeaderRequestID, id)
		ctx := logging.WithRequest(r.Context(), &logging.Request{ID: id, Logger: base})
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

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
