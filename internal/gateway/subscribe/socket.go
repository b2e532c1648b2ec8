package subscribe

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/net/http/httpguts"

	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
)

// subprotocol is the protocol of the messages on a WebSocket.
//
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
const subprotocol = "graphql-transport-ws"

// The close codes of the protocol, and those of RFC 6455 that are sent. The clients of graphql-ws connect again after
// 1001, 1013, 4403 and 4408, and show all others to the application.
const (
	closeNormal           = websocket.StatusNormalClosure
	closeGoingAway        = websocket.StatusGoingAway
	closeTryAgainLater    = websocket.StatusTryAgainLater
	closeBadRequest       = websocket.StatusCode(4400)
	closeUnauthorized     = websocket.StatusCode(4401)
	closeForbidden        = websocket.StatusCode(4403)
	closeSubprotocol      = websocket.StatusCode(4406)
	closeInitTimeout      = websocket.StatusCode(4408)
	closeSubscriberExists = websocket.StatusCode(4409)
	closeTooManyInits     = websocket.StatusCode(4429)
	closeInternalError    = websocket.StatusCode(4500)
)

// maxCloseReason is the length in bytes of the longest reason (RFC 6455, section 5.5).
const maxCloseReason = 123

// transportWebSocket is the transport of a [socket] for the log and the metrics, and the protocol of the upgrade.
const transportWebSocket = "websocket"

// A socket is a WebSocket connection. One goroutine reads its messages, and each operation has one.
type socket struct {
	*Server
	conn    *websocket.Conn
	line    *streamLine
	upgrade *http.Request

	// Of the goroutine that reads: the upgrade with the viewer of connection_init, whether there was one, whose share the
	// connection is part of, and what gives its place back.
	request     *http.Request
	initialised bool
	caller      share.Caller
	release     func()

	initTimer, idleTimer, pingTimer, messageTimer *time.Timer
	// distrust ends the wait for the end of the trust in the viewer's token; nil before connection_init.
	distrust func()

	operations sync.WaitGroup
	noted      sync.Once // why the connection ends
	pinging    atomic.Bool
	busy       atomic.Int32 // messages that are being handled or sent

	mu            sync.Mutex
	retired       error // why no more operations begin; nil while they do
	active        map[string]*socketOperation
	inFlight      int // operations that are no subscriptions, or have not begun as such
	subscriptions int
}

// isUpgrade reports whether a request opens a WebSocket.
func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && httpguts.HeaderValuesContainsToken(r.Header["Upgrade"], transportWebSocket)
}

// Upgrades answers requests that open a WebSocket, and passes all others on.
func (s *Server) Upgrades(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isUpgrade(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r, err := s.serveSocket(w, r); err != nil {
			s.log.write(r.Context(), connectionEnded, &streamLine{
				start: time.Now(), transport: transportWebSocket, end: endRejected, detail: err.Errors[0].Message,
			})
			response.WriteError(w, r, err)
		}
	})
}

// serveSocket opens a WebSocket and returns when it has ended. With an error, there is none.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) (*http.Request, *response.Error) {
	r, err := s.Authenticate(r)
	if err != nil {
		return r, err
	}
	if s.settings.Disabled {
		return r, withoutStreams()
	}
	if httpserver.IsStopping(r.Context()) {
		return r, response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway is stopping. Connect again."))
	}
	if err := s.guard.CheckForgery(r); err != nil {
		return r, err
	}
	caller := share.TurnOf(r.Context()).Caller
	release, err := s.connect(r.Context(), caller)
	if err != nil {
		return r, err
	}
	conn, cause := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{subprotocol},
		InsecureSkipVerify: true, // the forgery check has verified the origin, by the rules of all operations
	})
	if cause != nil {
		release()
		return r, nil // Accept has written the response
	}
	c := &socket{
		Server: s, conn: conn, upgrade: r, request: r, caller: caller, release: release,
		line: &streamLine{start: time.Now(), transport: transportWebSocket}, active: map[string]*socketOperation{},
	}
	ended := s.Observer.Connection(transportWebSocket)
	c.serve()
	c.release()
	ended(c.line.end)
	s.log.write(c.request.Context(), connectionEnded, c.line)
	return r, nil
}

// serve reads messages until the connection ends, and then waits for its operations to end.
func (s *socket) serve() {
	limits := s.Server.limits
	s.initTimer = time.AfterFunc(limits.ConnectionInitTimeout, func() {
		s.close(closeInitTimeout, "Connection initialisation timeout", endSlow)
	})
	s.idleTimer = time.AfterFunc(limits.ConnectionIdleTimeout, s.closeIdle)
	s.pingTimer = time.AfterFunc(limits.PingInterval, s.ping)
	s.messageTimer = time.AfterFunc(limits.MessageTimeout, func() {
		s.close(closeTryAgainLater, "The message came too slowly", endSlow)
	})
	s.messageTimer.Stop()
	stopped := httpserver.OnStop(s.upgrade.Context(), func() {
		s.retire(closeGoingAway, "The gateway is stopping. Connect again.", errStopping)
	})
	if s.conn.Subprotocol() != subprotocol {
		s.close(closeSubprotocol, "Subprotocol not acceptable: use "+subprotocol, endProtocol)
	} else {
		s.conn.SetReadLimit(maxInitBytes)
		s.read()
	}
	stopped()
	for _, timer := range []*time.Timer{s.initTimer, s.idleTimer, s.pingTimer, s.messageTimer} {
		timer.Stop()
	}
	if s.distrust != nil {
		s.distrust()
	}
	s.cancel(errClientGone, true)
	s.operations.Wait()
	_ = s.conn.CloseNow() // it may be closed
}

// end notes why the connection ends, unless it has been noted.
func (s *socket) end(why, detail string) {
	s.noted.Do(func() { s.line.end, s.line.detail = why, detail })
}

// close ends all operations and the connection.
func (s *socket) close(code websocket.StatusCode, reason, why string) {
	s.end(why, reason)
	s.cancel(errClientGone, true)
	cut := strings.ToValidUTF8(reason[:min(len(reason), maxCloseReason)], "")
	_ = s.conn.Close(code, cut) // the client may be gone
}

// retire ends subscriptions, waits for queries and mutations, and ends the connection.
func (s *socket) retire(code websocket.StatusCode, reason string, cause error) {
	s.end(endOf(cause), "")
	s.cancel(cause, false)
	s.operations.Wait()
	_ = s.conn.Close(code, reason) // the client may be gone
}

// noMore lets no more operations begin. s.mu is locked.
func (s *socket) noMore(cause error) {
	if s.retired == nil {
		s.retired = cause
	}
}

// cancel ends subscriptions, and all operations if it is asked to. No more begin.
func (s *socket) cancel(cause error, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noMore(cause)
	for _, o := range s.active {
		if all || o.subscribed {
			o.cancel(cause)
		}
	}
}

func (s *socket) closeIdle() {
	s.mu.Lock()
	idle := s.inFlight+s.subscriptions == 0
	if idle {
		s.noMore(errClientGone)
	}
	s.mu.Unlock()
	if idle {
		s.close(closeNormal, "There was no operation for a long time", endIdle)
	}
}

// ping finds out whether the client is there. Browsers and all libraries answer these pings by themselves. Ping does
// not end a connection whose client has not answered.
func (s *socket) ping() {
	ctx, cancel := context.WithTimeout(s.upgrade.Context(), s.Server.limits.MessageTimeout)
	defer cancel()
	s.pinging.Store(true)
	// While this side handles or sends a message, a pong or the ping itself may have to wait for that. These have limits
	// of their own.
	if err := s.conn.Ping(ctx); err != nil && s.busy.Load() == 0 {
		s.end(endSilent, "")
		s.cancel(errClientGone, true)
		_ = s.conn.CloseNow() // it may be closed
		return
	}
	s.pinging.Store(false)
	s.pingTimer.Reset(s.Server.limits.PingInterval)
}

// admit authenticates the viewer for the operations of the connection, which is part of its share from now on.
func (s *socket) admit(r *http.Request) *response.Error {
	r, err := s.Authenticate(r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	if caller := share.TurnOf(ctx).Caller; caller != s.caller {
		release, err := s.Server.connect(ctx, caller)
		if err != nil {
			return err
		}
		s.release()
		s.caller, s.release = caller, release
	}
	s.request = r
	s.distrust = s.whileTrusted(r, func(cause error) {
		reason := "the token has expired"
		if errors.Is(cause, errUntrusted) {
			reason = "the key of the token was withdrawn"
		}
		s.retire(closeForbidden, response.CodeUnauthenticated+": "+reason+". Connect with a new one.", cause)
	})
	return nil
}

// readEnd notes why no more messages can be read.
func (s *socket) readEnd(err error) {
	switch code := websocket.CloseStatus(err); {
	case errors.Is(err, websocket.ErrMessageTooBig):
		s.end(endProtocol, "a message is too large")
	case code == -1 && s.pinging.Load():
		s.end(endSilent, "")
	case code == -1:
		s.end(endGone, "")
	default:
		s.end(endClient, "")
	}
}
