package subscribe

import (
	"encoding/json"

	"github.com/coder/websocket"
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

// tooLarge is why a connection ends whose client has sent a message above the limit.
const tooLarge = "a message is too large"

// transportWebSocket is the transport of a [socket] for the log and the metrics, and the protocol of the upgrade.
const transportWebSocket = "websocket"

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
	// maxExcess is how many bytes above the limit of a message are read before the connection ends.
	maxExcess = 1 << 20
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
