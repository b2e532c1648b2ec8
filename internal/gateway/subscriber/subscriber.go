// Package subscriber is a client of subscriptions, for tests and benchmarks: over WebSockets with the protocol
// graphql-transport-ws, and over server-sent events with the distinct connections of graphql-sse.
//
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
// https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
package subscriber

import (
	"context"
	"encoding/json"
)

// Connection has one or more subscriptions. One goroutine subscribes and receives; another one may cut at the same
// time, once there is a subscription.
type Connection interface {
	// Subscribe begins a subscription. The id is that of its messages.
	Subscribe(ctx context.Context, id string, r Request) error
	// Receive waits for the next message. After an error the connection has ended.
	Receive(ctx context.Context) (Message, error)
	// Cut ends the connection without a farewell.
	Cut()
}

// Request is a subscription.
type Request struct {
	Query     string
	Variables map[string]any
	// Position is that of an earlier message; the subscription begins after it. "" begins with the present state.
	Position string
}

// MarshalJSON returns the request as GraphQL over HTTP has it.
func (r Request) MarshalJSON() ([]byte, error) {
	body := map[string]any{"query": r.Query, "variables": r.Variables}
	if r.Position != "" {
		body["extensions"] = map[string]any{"live": map[string]any{"position": r.Position}}
	}
	return json.Marshal(body)
}

// Message is what a subscription receives: a response, the errors that end it, or its end.
type Message struct {
	ID string
	Response
	// Ended reports that the subscription has ended; then the message has errors or nothing.
	Ended bool
}

// Response is a response of GraphQL.
type Response struct {
	Data   json.RawMessage `json:"data"`
	Errors []Error         `json:"errors"`
	// Extensions have the position after the message, and what it consumed.
	Extensions struct {
		Live struct {
			Position string `json:"position"`
		} `json:"live"`
		Cost struct {
			Requests    int `json:"requests"`
			ReusedReads int `json:"reusedReads"`
		} `json:"cost"`
	} `json:"extensions"`
}

// Error is an error of a response.
type Error struct {
	Message    string `json:"message"`
	Extensions struct {
		Code string `json:"code"`
	} `json:"extensions"`
}

// Code returns the code of the first error, "" without errors.
func (m Message) Code() string {
	if len(m.Errors) == 0 {
		return ""
	}
	return m.Errors[0].Extensions.Code
}
