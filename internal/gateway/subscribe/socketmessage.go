package subscribe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
)

// The types of messages.
const (
	messageInit      = "connection_init"
	messageAck       = "connection_ack"
	messagePing      = "ping"
	messagePong      = "pong"
	messageSubscribe = "subscribe"
	messageNext      = "next"
	messageError     = "error"
	messageComplete  = "complete"
)

const (
	// maxInitBytes is the limit of a message before the connection is acknowledged. A token has 16 KiB at most.
	maxInitBytes = 32 << 10
	// maxOperationID is the length in bytes of the longest id of an operation, which each of its messages repeats.
	maxOperationID = 128
)

// A message is sent in both directions. Its fields are those of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// hasObject reports whether the payload is an object, or missing.
func (m *message) hasObject() bool {
	return len(m.Payload) == 0 || m.Payload[0] == '{' || string(m.Payload) == "null"
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
	taking := operation.TakingReader{Reader: reader, Seat: seat}
	if _, err := body.ReadFrom(&taking); err != nil {
		if taking.Failed != nil {
			s.close(closeTryAgainLater, taking.Failed.Errors[0].Message, endSlow)
		}
		return message{}, err
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

// malformed ends the connection for a message that the protocol does not have.
func (s *socket) malformed(reason string) (goesOn bool) {
	s.close(closeBadRequest, reason, endProtocol)
	return false
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
	s.conn.SetReadLimit(s.MaxBodyBytes)
	return s.write(message{Type: messageAck}) == nil
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

// write sends a message. The error is the cause for which the connection ends.
func (s *socket) write(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // texts, and the payload of a ping that has been parsed
	}
	return s.send(text)
}

// send sends the parts of a message within the time for one. If that is over, the connection is closed.
func (s *socket) send(parts ...[]byte) error {
	ctx, cancel := context.WithTimeout(s.upgrade.Context(), s.Server.limits.MessageTimeout)
	defer cancel()
	s.busy.Add(1)
	err := s.sendParts(ctx, parts)
	s.busy.Add(-1)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	cause := sendError(err)
	s.end(endOf(cause), "")
	return cause
}

// sendParts sends a small message as one frame. The parts of a large one, which are not copied, have one each.
func (s *socket) sendParts(ctx context.Context, parts [][]byte) error {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if size <= response.MaxKeptBuffer {
		whole := response.NewBuffer()
		defer response.Release(whole)
		for _, part := range parts {
			whole.Write(part)
		}
		return s.conn.Write(ctx, websocket.MessageText, whole.Bytes())
	}
	w, err := s.conn.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return w.Close()
}

// sendErrors sends the errors of an operation.
func (s *socket) sendErrors(id string, errs gqlerror.List) error {
	payload, err := json.Marshal(response.CapErrors(errs))
	if err != nil {
		panic(err) // errors of requests are JSON
	}
	return s.write(message{ID: id, Type: messageError, Payload: payload})
}

// sendAnswer sends an answer of an operation.
func (s *socket) sendAnswer(ctx context.Context, id string, answer response.Result) error {
	name, err := json.Marshal(id)
	if err != nil {
		panic(err) // a string is JSON
	}
	body := response.NewBuffer()
	defer response.Release(body)
	parts := answer.Wrapped(ctx, body, `{"id":`+string(name)+`,"type":"`+messageNext+`","payload":`, "}")
	return s.send(parts[:]...)
}
