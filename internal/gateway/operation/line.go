package operation

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/viewer"
)

// MaxLoggedName is where operation names are cut, in bytes. They may have up to maxNameBytes.
const MaxLoggedName = 128

// An Line is the line of the log for one operation, executed or planned. It has no variables, no headers, no
// part of the document but the operation's name, and nothing of the viewer but the id and the tenant.
type Line struct {
	Start  time.Time
	Method string
	Name   string
	Kind   string // query or mutation; empty if there was an error before the operation was known
	Status int
	Errors gqlerror.List
	Cost   response.Cost
	// executed reports whether the response has data.
	Executed bool
	Duration time.Duration
	// Session is the short name of the session of an agent; "" for other callers.
	Session string
	// ended notifies the Observer; nil after end.
	Ended func(Report)
}

// End writes the line and notifies the Observer, once. The context is the one after authentication, which has the
// viewer.
func (l *Line) End(ctx context.Context) {
	ended := l.Ended
	if ended == nil {
		return
	}
	l.Ended = nil
	if l.Status == 0 { // a panic, for which the response is written elsewhere
		l.Status = http.StatusInternalServerError
	}
	l.Duration = time.Since(l.Start)
	l.Write(ctx, "operation")
	if l.Cost.Exceeds() {
		logging.Logger(ctx).WarnContext(ctx, "an operation has consumed more than its price",
			slog.String("operation", l.Name[:min(len(l.Name), MaxLoggedName)]),
			slog.Float64("readUnits", l.Cost.ReadUnits), slog.Float64("estimatedReadUnits", l.Cost.EstimatedReadUnits),
			slog.Float64("writeUnits", l.Cost.WriteUnits), slog.Float64("estimatedWriteUnits", l.Cost.EstimatedWriteUnits),
			slog.String("fix", "raise the @cost of its fields with hand-written Go to what they consume at worst"))
	}
	ended(l.report(viewer.FromContext(ctx)))
}

// Begun ends the line of a subscription: its events are operations of their own.
func (l *Line) Begun(ctx context.Context) {
	l.Executed, l.Status = true, http.StatusOK
	l.End(ctx)
}

// Write writes the line without notifying the Observer.
func (l *Line) Write(ctx context.Context, message string) {
	attrs := append(make([]slog.Attr, 0, 18),
		slog.String("method", l.Method),
		slog.Int("status", l.Status),
		slog.String("operation", l.Name[:min(len(l.Name), MaxLoggedName)]),
		slog.String("type", l.Kind),
		slog.Float64("milliseconds", float64(l.Duration.Microseconds())/1000),
		slog.Int("requests", l.Cost.Requests),
		slog.Int("waves", l.Cost.Waves),
		slog.Int("retries", l.Cost.Retries),
		slog.Int("reusedReads", l.Cost.ReusedReads),
		slog.Float64("estimatedReadUnits", l.Cost.EstimatedReadUnits),
		slog.Float64("readUnits", l.Cost.ReadUnits),
		slog.Float64("estimatedWriteUnits", l.Cost.EstimatedWriteUnits),
		slog.Float64("writeUnits", l.Cost.WriteUnits),
		slog.Float64("estimatedObjects", l.Cost.EstimatedObjects),
		slog.Int("objects", l.Cost.Objects),
	)
	if v := viewer.FromContext(ctx); !v.IsAnonymous() {
		attrs = append(attrs, slog.String("viewer", v.ID))
		if v.Tenant != "" {
			attrs = append(attrs, slog.String("tenant", v.Tenant))
		}
	}
	if l.Session != "" {
		attrs = append(attrs, slog.String("session", l.Session))
	}
	if len(l.Errors) > 0 {
		attrs = append(attrs, slog.Int("errors", len(l.Errors)),
			slog.String("codes", strings.Join(response.Codes(l.Errors), ",")),
			slog.String("outcome", string(l.outcome())))
	}
	logging.Info(ctx, logging.Logger(ctx), message, attrs...)
}

func (l *Line) report(v viewer.Viewer) Report {
	return Report{
		Name: l.Name, Type: l.Kind, SignedIn: !v.IsAnonymous(),
		Outcome: l.outcome(), Status: l.Status,
		Codes:    response.Codes(l.Errors),
		Duration: l.Duration,
		Cost:     l.Cost,
	}
}

func (l *Line) outcome() Outcome {
	switch {
	case l.Status >= http.StatusInternalServerError:
		return OutcomeFailed
	case !l.Executed:
		return OutcomeRefused
	case len(l.Errors) > 0:
		return OutcomePartial
	default:
		return OutcomeOK
	}
}
