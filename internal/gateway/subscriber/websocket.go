package subscriber

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/coder/websocket"
)

const protocol = "graphql-transport-ws"

// Dial opens a WebSocket to the URL of a gateway, such as http://127.0.0.1:8080/graphql, and initialises it. The
// authorization is a value of the header of that name; "" is an anonymous caller.
func Dial(ctx context.Context, url, authorization string) (Connection, error) {
	conn, response, err := websocket.Dial(ctx, url, &websocket.DialOptions{ //nolint:bodyclose // Dial closes it
		Subprotocols: []string{protocol},
	})
	if err != nil {
		if response != nil {
			return nil, fmt.Errorf("%s: %w", response.Status, err)
		}
		return nil, err
	}
	conn.SetReadLimit(maxMessage)
	s := &socket{conn}
	if err := s.initialize(ctx, authorization); err != nil {
		s.Cut()
		return nil, err
	}
	return s, nil
}

// maxMessage is in bytes.
const maxMessage = 16 << 20

type socket struct{ *websocket.Conn }

// envelope is a message of the protocol.
type envelope struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

func (s *socket) initialize(ctx context.Context, authorization string) error {
	payload := map[string]string{}
	if authorization != "" {
		payload["Authorization"] = authorization
	}
	if err := s.send(ctx, "", "connection_init", payload); err != nil {
		return err
	}
	for {
		switch m, err := s.receive(ctx); {
		case err != nil:
			return err
		case m.Type == "connection_ack":
			return nil
		}
	}
}

// Subscribe implements Connection.
func (s *socket) Subscribe(ctx context.Context, id string, r Request) error {
	return s.send(ctx, id, "subscribe", r)
}

// Receive implements Connection.
func (s *socket) Receive(ctx context.Context) (m Message, err error) {
	for {
		e, err := s.receive(ctx)
		if err != nil {
			return m, err
		}
		m.ID = e.ID
		switch e.Type {
		case "next":
			return m, json.Unmarshal(e.Payload, &m.Response)
		case "error":
			m.Ended = true
			return m, json.Unmarshal(e.Payload, &m.Errors)
		case "complete":
			m.Ended = true
			return m, nil
		}
	}
}

// receive returns the next message that is not a ping, which it answers.
func (s *socket) receive(ctx context.Context) (e envelope, err error) {
	for {
		_, text, err := s.Read(ctx)
		if err != nil {
			return e, err
		}
		e = envelope{}
		if err := json.Unmarshal(text, &e); err != nil {
			return e, err
		}
		if e.Type != "ping" {
			return e, nil
		}
		if err := s.send(ctx, "", "pong", nil); err != nil {
			return e, err
		}
	}
}

func (s *socket) send(ctx context.Context, id, kind string, payload any) error {
	e := envelope{ID: id, Type: kind}
	if payload != nil {
		var err error
		if e.Payload, err = json.Marshal(payload); err != nil {
			return err
		}
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.Write(ctx, websocket.MessageText, text)
}

// Cut implements Connection.
func (s *socket) Cut() { _ = s.CloseNow() }
