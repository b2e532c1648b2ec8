// Package logging creates loggers whose lines have the id of the request that their context belongs to.
package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

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

type requestHandler struct{ slog.Handler }

// Handle implements slog.Handler. The ids come first.
func (h requestHandler) Handle(ctx context.Context, r slog.Record) error {
	var array [usualAttrs]slog.Attr
	attrs := appendIDs(ctx, array[:0])
	if len(attrs) == 0 {
		return h.Handler.Handle(ctx, r)
	}
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	line.AddAttrs(attrs...)
	return h.Handler.Handle(ctx, line)
}

// usualAttrs is enough for the lines of operations. The arrays are on the stack.
const usualAttrs = 17

func appendIDs(ctx context.Context, attrs []slog.Attr) []slog.Attr {
	r := RequestOf(ctx)
	if r == nil {
		return attrs
	}
	attrs = append(attrs, slog.String("requestId", r.ID))
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		attrs = append(attrs, slog.String("traceId", span.TraceID().String()))
	}
	return attrs
}

// Info writes a line as [slog.Logger.LogAttrs] does, for lines that are written often: the attributes are copied
// once, and the line does not have the place of the call.
func Info(ctx context.Context, log *slog.Logger, message string, attrs ...slog.Attr) {
	handler := log.Handler()
	if !handler.Enabled(ctx, slog.LevelInfo) {
		return
	}
	line := slog.NewRecord(time.Now(), slog.LevelInfo, message, 0)
	if h, hasIDs := handler.(requestHandler); hasIDs {
		var array [usualAttrs]slog.Attr
		attrs = append(appendIDs(ctx, array[:0]), attrs...)
		handler = h.Handler
	}
	line.AddAttrs(attrs...)
	_ = handler.Handle(ctx, line) // as a Logger
}

// WithAttrs implements slog.Handler.
func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}
