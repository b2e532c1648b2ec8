package subscribe

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
)

// Server are the connections that stay open, and the subscriptions on them.
type Server struct {
	*operation.Executor
	guard       *browser.Guard
	settings    Settings
	limits      Limits
	connections *share.Pool
	active      *share.Pool // subscriptions
	audiences   audiences
	documents   documents
	log         *endLog
}

// New returns the Server of an executor.
func New(x *operation.Executor, guard *browser.Guard, settings Settings) *Server {
	l := settings.Limits
	pool := func(size, perCaller int) *share.Pool {
		return share.NewPool(share.Limits{Size: size, PerCaller: perCaller, Beside: perCaller})
	}
	return &Server{
		Executor:    x,
		guard:       guard,
		settings:    settings,
		limits:      l,
		connections: pool(l.MaxConnections, l.MaxConnectionsPerCaller),
		active:      pool(l.MaxSubscriptions, l.MaxSubscriptionsPerCaller),
		documents:   documents{shares: x.Shares, kept: map[documentKey]*keptDocument{}},
		audiences:   audiences{byKey: map[audienceKey]*audience{}},
		log:         newEndLog(),
	}
}

// TransportAgents is the transport of subscriptions that agents follow, see package agents.
const TransportAgents = "mcp"

// Transports returns the transports that Observer.Connection is called with.
func Transports() []string {
	return []string{transportWebSocket, response.MediaEvents, response.MediaMultipart, TransportAgents}
}

// connect counts a connection of a caller until release is called. It does not wait.
func (s *Server) connect(ctx context.Context, caller share.Caller) (release func(), _ *response.Error) {
	if err := s.connections.Acquire(ctx, caller); err != nil {
		return nil, s.full(err, "%d connections of yours are open. Close one, or send several subscriptions on a WebSocket.",
			s.limits.MaxConnectionsPerCaller)
	}
	return func() { s.connections.Release(caller) }, nil
}

// subscribe counts a subscription of a caller until release is called. It does not wait.
func (s *Server) subscribe(ctx context.Context, caller share.Caller) (release func(), _ *response.Error) {
	if err := s.active.Acquire(ctx, caller); err != nil {
		return nil, s.full(err, "You have %d subscriptions. End one first.", s.limits.MaxSubscriptionsPerCaller)
	}
	return func() { s.active.Release(caller) }, nil
}

func (s *Server) full(err error, message string, limit int) *response.Error {
	if errors.Is(err, share.ErrCallerFull) {
		return response.Later(response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited, message, limit))
	}
	return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
		"The gateway has as many connections as it can have. Try again."))
}

// resume subscribes after a position, unless the request has one itself.
func resume(r *operation.Request, position string) {
	if position == "" || r.Extensions[response.ExtensionLive] != nil {
		return
	}
	r.Extensions = maps.Clone(r.Extensions)
	if r.Extensions == nil {
		r.Extensions = map[string]any{}
	}
	r.Extensions[response.ExtensionLive] = map[string]any{response.LivePosition: position}
}
