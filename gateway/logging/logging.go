// Package logging creates loggers whose lines have the id of the request that their context belongs to.
package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// New returns a logger of structured lines, in the format "json" or "text".
func New(w io.Writer, format string) (*slog.Logger, error) {
	switch format {
	case "json":
		return WithIDs(slog.New(slog.NewJSONHandler(w, nil))), nil
	case "text":
		return WithIDs(slog.New(slog.NewTextHandler(w, nil))), nil
	default:
		return nil, fmt.Errorf("logging: unknown format %q: use json or text", format)
	}
}

// WithIDs returns a logger whose lines have the request's id and the id of its trace, if their context has them. This
// also applies to lines of packages that do not know of requests.
func WithIDs(log *slog.Logger) *slog.Logger {
	if _, has := log.Handler().(requestHandler); has {
		return log
	}
	return slog.New(requestHandler{log.Handler()})
}

type requestKey struct{}

// WithRequestID returns a context with the id of a request.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

type requestHandler struct{ slog.Handler }

// usualAttrs is enough for the line of an operation.
const usualAttrs = 16

// Handle implements slog.Handler. The ids come first.
func (h requestHandler) Handle(ctx context.Context, r slog.Record) error {
	id, ok := ctx.Value(requestKey{}).(string)
	if !ok {
		return h.Handler.Handle(ctx, r)
	}
	// All at once, because a record grows with each call. The array is on the stack.
	var array [usualAttrs]slog.Attr
	attrs := append(array[:0], slog.String("requestId", id))
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		attrs = append(attrs, slog.String("traceId", span.TraceID().String()))
	}
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	line.AddAttrs(attrs...)
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
