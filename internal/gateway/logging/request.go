package logging

import (
	"context"
	"log/slog"
	"sync/atomic"
)

// A Request is what belongs to the log of a request. It is in the request's context.
type Request struct {
	// ID is in all lines of the request.
	ID string
	// Logger writes the lines.
	Logger *slog.Logger
	// Failures is how many failed fields have been logged.
	Failures atomic.Int32
}

// HeaderRequestID is the header with the id of a request, in requests from proxies and in all responses.
const HeaderRequestID = "X-Request-Id"

type requestKey struct{}

// WithRequest returns the context of a request.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestOf returns the request of a context, or nil.
func RequestOf(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}

// Logger returns the logger of a request's context.
func Logger(ctx context.Context) *slog.Logger { return RequestOf(ctx).Logger }

// ID returns the id of a request's context.
func ID(ctx context.Context) string { return RequestOf(ctx).ID }
