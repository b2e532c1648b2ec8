// Package subscribe answers subscriptions, and the operations on connections that stay open.
//
// A subscription has taken the steps of an operation up to its variables, see package operation. Then:
//
//  1. A transport counts the connection (server.go) and the subscription. httpstream.go writes server-sent events and
//     multipart responses. websocket.go opens WebSockets and handles the messages of their protocol (protocol.go),
//     socketoperation.go answers the operations in them, socketmessage.go sends messages, and socket.go ends the
//     connection. trust.go ends what a withdrawn token has begun.
//  2. subscription.go begins it: it is authorized and priced, and its changes are kept from now on. proof.go decides
//     whether who resumes has to be shown the state first.
//  3. events.go returns the first state and then each event, each executed as an operation of its own. replay.go pays
//     for the changes that were missed, and reserve.go takes all that out of the caller's budget. shared.go has the
//     answers that others have made, of the same audience (audience.go), and documents.go what they keep in common.
//  4. relay.go passes the answers on until the subscription ends, by follow.go if it has a connection for itself, as
//     agents have; log.go logs why it has ended, and errors.go has the errors for the client.
package subscribe
