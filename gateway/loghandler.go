package gateway

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// requestHandler writes onto each line whose context is that of a request the request's id, and the id of its
// trace if it has one. So do packages that know of no requests.
type requestHandler struct{ slog.Handler }

// withRequest makes a logger's lines carry ids, once.
func withRequest(log *slog.Logger) *slog.Logger {
	if _, does := log.Handler().(requestHandler); does {
		return log
	}
	return slog.New(requestHandler{log.Handler()})
}

// Handle implements slog.Handler. The ids come first.
func (h requestHandler) Handle(ctx context.Context, r slog.Record) error {
	request, ok := ctx.Value(requestKey{}).(*requestLog)
	if !ok {
		return h.Handler.Handle(ctx, r)
	}
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	line.AddAttrs(slog.String("requestId", request.id))
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		line.AddAttrs(slog.String("traceId", span.TraceID().String()))
	}
	r.Attrs(func(a slog.Attr) bool {
		line.AddAttrs(a)
		return true
	})
	return h.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}
