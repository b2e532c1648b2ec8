package subscribe

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/net/http/httpguts"

	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
)

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
		s.limit(maxInitBytes)
		s.read()
	}
	stopped()
	for _, timer := range []*time.Timer{s.initTimer, s.idleTimer, s.pingTimer, s.messageTimer} {
		timer.Stop()
	}
	if s.distrust != nil {
		s.distrust()
	}
	s.cancel(ErrClientGone, true)
	s.operations.Wait()
	_ = s.conn.CloseNow() // it may be closed
}

// read reads and handles messages until the connection ends.
func (s *socket) read() {
	for {
		seat := s.newSeat()
		m, err := s.receiveMessage(seat)
		if err != nil {
			seat.Leave()
			s.readEnd(err)
			return
		}
		if m.Type != messageSubscribe {
			seat.Leave()
		}
		s.busy.Add(1)
		goesOn := s.handle(m, seat)
		s.busy.Add(-1)
		if !goesOn {
			return
		}
	}
}

// limit sets the limit of messages, in bytes. What one has above it is read, but not kept, up to maxExcess: to close a
// connection while bytes of the client wait resets it, and the client may not learn why.
func (s *socket) limit(bytes int64) {
	s.maxMessage = bytes
	s.conn.SetReadLimit(bytes + maxExcess)
}

// newSeat returns a seat of the connection's caller, for a message and its operation.
func (s *socket) newSeat() *operation.Seat {
	of := &operation.Seat{Shares: s.Shares}
	of.Sit(share.TurnOf(s.request.Context()).Caller)
	return of
}

// receiveMessage reads a message. Its bytes count as taken until the seat is left. A message that is not JSON has no
// type. A large one is parsed when it is the caller's turn.
func (s *socket) receiveMessage(seat *operation.Seat) (message, error) {
	kind, reader, err := s.conn.Reader(s.request.Context())
	if err != nil {
		return message{}, err
	}
	s.messageTimer.Reset(s.Server.limits.MessageTimeout)
	defer s.messageTimer.Stop()
	s.busy.Add(1)
	defer s.busy.Add(-1)
	body := response.NewBuffer()
	defer response.Release(body)
	taking := operation.TakingReader{Reader: io.LimitReader(reader, s.maxMessage+1), Seat: seat}
	if _, err := body.ReadFrom(&taking); err != nil {
		if taking.Failed != nil {
			s.close(closeTryAgainLater, taking.Failed.Errors[0].Message, endSlow)
		}
		return message{}, err
	}
	if int64(body.Len()) > s.maxMessage {
		if _, err := io.Copy(io.Discard, reader); err != nil {
			return message{}, err
		}
		s.close(websocket.StatusMessageTooBig, tooLarge, endProtocol)
		return message{}, websocket.ErrMessageTooBig
	}
	if body.Len() > maxInitBytes {
		if err := seat.Turn.Begin(s.request.Context()); err != nil {
			return message{}, err
		}
		defer seat.Turn.End()
	}
	var m message
	if kind != websocket.MessageText || json.Unmarshal(body.Bytes(), &m) != nil {
		return message{}, nil
	}
	return m, nil
}

// handle handles a message, and reports whether the connection goes on.
func (s *socket) handle(m message, seat *operation.Seat) (goesOn bool) {
	switch m.Type {
	case messageInit:
		return s.initialise(m.Payload)
	case messagePing, messagePong:
		if !m.hasObject() {
			return s.malformed("Invalid message: the payload of ping and pong is an object")
		}
		if m.Type == messagePong {
			return true
		}
		if len(m.Payload) > maxInitBytes {
			m.Payload = nil // the protocol leaves it open what a pong has
		}
		return s.write(message{Type: messagePong, Payload: m.Payload}) == nil
	case messageSubscribe:
		return s.begin(m, seat)
	case messageComplete:
		if m.ID == "" {
			return s.malformed("Invalid message: complete has the id of an operation")
		}
		s.complete(m.ID)
		return true
	default:
		return s.malformed("Invalid message: it is not JSON, or has no type that clients send")
	}
}

// initialise authenticates the client and acknowledges the connection.
func (s *socket) initialise(payload json.RawMessage) (goesOn bool) {
	if s.initialised {
		s.close(closeTooManyInits, "Too many initialisation requests", endProtocol)
		return false
	}
	s.initialised = true
	header, err := headersOf(payload, slices.Concat([]string{"Authorization"}, s.RequestHeaders()))
	if err != nil {
		return s.malformed(err.Error())
	}
	r := s.request
	if len(header) > 0 {
		r = new(http.Request)
		*r = *s.request
		r.Header = maps.Clone(r.Header)
		maps.Copy(r.Header, header)
	}
	if err := s.admit(r); err != nil {
		s.reject(err)
		return false
	}
	s.initTimer.Stop()
	s.limit(s.MaxBodyBytes)
	return s.write(message{Type: messageAck}) == nil
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
		s.end(endProtocol, tooLarge)
	case code == -1 && s.pinging.Load():
		s.end(endSilent, "")
	case code == -1:
		s.end(endGone, "")
	default:
		s.end(endClient, "")
	}
}

// reject ends the connection of a client that is not admitted.
func (s *socket) reject(err *response.Error) {
	code := response.Codes(err.Errors)[0]
	status := closeForbidden
	switch code {
	case response.CodeBadRequest:
		status = closeBadRequest
	case response.CodeRateLimited, response.CodeUnavailable:
		status = closeTryAgainLater
	case response.CodeInternal:
		status = closeInternalError
	}
	s.close(status, code+": "+err.Errors[0].Message, endRejected)
}

// headersOf returns the headers with some names, which are in their canonical form, that the payload of connection_init
// has in any of the places where clients have them: browsers can send none with the upgrade.
func headersOf(payload json.RawMessage, names []string) (http.Header, error) {
	if len(payload) == 0 || string(payload) == "null" {
		return nil, nil
	}
	var properties map[string]any
	if json.Unmarshal(payload, &properties) != nil {
		return nil, errors.New("the payload of connection_init is not an object")
	}
	header := http.Header{}
	below, _ := properties["headers"].(map[string]any)
	for _, name := range names {
		value := cmp.Or(properties[name], properties[strings.ToLower(name)], below[name], below[strings.ToLower(name)])
		text, is := value.(string)
		if value != nil && !is {
			return nil, fmt.Errorf("the property %s in the payload of connection_init is not a string", name)
		}
		if text != "" {
			header.Set(name, text)
		}
	}
	return header, nil
}
