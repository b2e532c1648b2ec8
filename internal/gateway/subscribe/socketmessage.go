package subscribe

import (
	"context"
	"encoding/json"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/response"
)

// malformed ends the connection for a message that the protocol does not have.
func (s *socket) malformed(reason string) (goesOn bool) {
	s.close(closeBadRequest, reason, endProtocol)
	return false
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
