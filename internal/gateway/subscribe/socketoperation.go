package subscribe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
)

// begin begins an operation, and reports whether the connection goes on. The operation leaves the seat.
func (s *socket) begin(m message, seat *operation.Seat) (goesOn bool) {
	if !s.initialised {
		seat.Leave()
		s.close(closeUnauthorized, "Unauthorized: send connection_init first", endProtocol)
		return false
	}
	if m.ID == "" || len(m.ID) > maxOperationID || len(m.Payload) == 0 || m.Payload[0] != '{' {
		seat.Leave()
		return s.malformed(fmt.Sprintf("Invalid message: subscribe has an id of at most %d bytes, and an object as payload",
			maxOperationID))
	}
	ctx, cancel := context.WithCancelCause(s.contextOf(seat))
	o := &socketOperation{id: m.ID, payload: m.Payload, seat: seat, cancel: cancel}
	switch s.add(o) {
	case added:
		go s.run(ctx, o)
		return true
	case known:
		s.close(closeSubscriberExists, "Subscriber for "+o.id+" already exists", endProtocol)
	case tooMany:
		err := response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited,
			"%d operations of this connection are in flight. Send fewer at a time.", s.Server.limits.MaxOperationsPerConnection)
		goesOn = s.sendErrors(o.id, err.Errors) == nil
	case retired: // the client sends the operation again when it has connected again
		goesOn = true
	}
	seat.Leave()
	cancel(nil)
	return goesOn
}

// contextOf returns the context of an operation. Its id in the log begins with the connection's.
func (s *socket) contextOf(seat *operation.Seat) context.Context {
	ctx := s.request.Context()
	of := logging.RequestOf(ctx)
	s.line.operations++
	id := of.ID + "-" + strconv.Itoa(s.line.operations)
	return logging.WithRequest(seat.Within(ctx), &logging.Request{ID: id, Logger: of.Logger})
}

// The results of adding an operation.
const (
	added = iota
	known
	tooMany
	retired
)

func (s *socket) add(o *socketOperation) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.retired != nil:
		return retired
	case s.active[o.id] != nil:
		return known
	case s.inFlight >= s.Server.limits.MaxOperationsPerConnection:
		return tooMany
	}
	s.active[o.id] = o
	s.inFlight++
	s.operations.Add(1)
	s.idleTimer.Stop()
	return added
}

// complete ends an operation whose answers the client does not want any more. Its id may be used again.
func (s *socket) complete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.active[id]; o != nil {
		delete(s.active, id)
		o.cancel(ErrClientLeft)
	}
}

// remove removes an operation that has ended.
func (s *socket) remove(o *socketOperation) {
	s.free(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.subscribed {
		s.subscriptions--
	} else {
		s.inFlight--
	}
	if s.inFlight+s.subscriptions == 0 && s.retired == nil {
		s.idleTimer.Reset(s.Server.limits.ConnectionIdleTimeout)
	}
	s.operations.Done()
}

// free lets the client use the id of an operation again, before it gets the last message. It reports whether the client
// wants that message.
func (s *socket) free(o *socketOperation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := s.active[o.id] == o
	if wanted {
		delete(s.active, o.id)
	}
	return wanted
}

// isActive reports whether the client wants answers of an operation.
func (s *socket) isActive(o *socketOperation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active[o.id] == o
}

// run answers an operation. A subscription that has begun goes on without it.
func (s *socket) run(ctx context.Context, o *socketOperation) {
	line := &operation.Line{Start: time.Now(), Method: transportWebSocket}
	r := new(http.Request)
	*r = *s.request
	r.Method = http.MethodPost // it may be a mutation
	ctx, ended := s.Observer.Operation(r.WithContext(ctx))
	line.Ended = ended
	passing, err := s.answer(ctx, r.WithContext(ctx), o, line)
	if passing != nil {
		passing.start()
		return
	}
	if err != nil {
		line.Errors, line.Cost, line.Status = err.Errors, err.Cost, err.Status
	}
	line.End(ctx)
	s.leave(o, err)
}

// leave ends an operation, with an error if there is one.
func (s *socket) leave(o *socketOperation, err *response.Error) {
	if err != nil {
		o.seat.Turn.End() // the client may be slow
		if s.free(o) {
			_ = s.sendErrors(o.id, err.Errors) // an error means that the connection has ended
		}
	}
	o.cancel(nil)
	o.seat.Leave()
	s.remove(o)
}

// answer performs the steps after the authentication, see the package comment. It returns what passes the answers of a
// subscription on, or an error that is sent to the client.
func (s *socket) answer(
	ctx context.Context, r *http.Request, o *socketOperation, line *operation.Line,
) (passing *relay, err *response.Error) {
	defer func() {
		if cause := recover(); cause != nil {
			logging.Logger(ctx).ErrorContext(ctx, "panic", "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			passing, err = nil, response.Internal(ctx)
		}
	}()
	limited, cancel := context.WithTimeout(ctx, s.OperationTimeout)
	defer cancel()
	if err := o.seat.Enter(limited); err != nil {
		return nil, err
	}
	params, err := document.ReadBody(o.payload, s.Limits.Limits)
	o.payload = nil // a subscription does not keep it
	if err != nil && err.Malformed {
		s.malformed("Invalid message: the payload of subscribe: " + err.Errors[0].Message)
	}
	if err != nil {
		return nil, err
	}
	req, err := s.Load(r, params, line)
	if err != nil {
		return nil, err
	}
	if req.Operation.Operation == ast.Subscription {
		return s.subscribe(ctx, o, req, line)
	}
	answer, err := s.Execute(limited, req)
	if err == nil {
		err = s.CheckAnswer(ctx, answer, line.Kind)
	}
	if err != nil {
		return nil, err
	}
	line.Executed, line.Status, line.Errors, line.Cost = true, http.StatusOK, answer.Errors, answer.Cost
	o.seat.Turn.End() // the client may be slow
	if s.isActive(o) && s.sendAnswer(ctx, o.id, answer) == nil && s.free(o) {
		_ = s.write(message{ID: o.id, Type: messageComplete}) // an error means that the connection has ended
	}
	return nil, nil
}

// subscribe begins a subscription, and returns what passes its answers on until it ends.
func (s *socket) subscribe(
	ctx context.Context, o *socketOperation, req operation.Request, line *operation.Line,
) (passing *relay, _ *response.Error) {
	unsubscribe, err := s.Server.subscribe(ctx, o.seat.Turn.Caller)
	if err != nil {
		return nil, err
	}
	defer func() {
		if passing == nil {
			unsubscribe()
		}
	}()
	if err := s.subscribed(o); err != nil {
		return nil, err
	}
	subscription, err := s.Server.begin(ctx, req)
	if err != nil {
		return nil, err
	}
	o.seat.Leave() // it is not an operation in flight any more
	line.Begun(ctx)

	ended := &streamLine{start: line.Start, transport: transportWebSocket, name: line.Name}
	send := func(answer response.Result) error {
		if !s.isActive(o) {
			return ErrClientLeft
		}
		return s.sendAnswer(ctx, o.id, answer)
	}
	end := func(err *response.Error, cause error) {
		ended.ended(err, cause)
		if err == nil && errors.Is(cause, errSlowClient) {
			err = slowConsumer()
		}
		subscription.Close(ctx)
		unsubscribe()
		s.Server.log.write(ctx, subscriptionEnded, ended) // when its place has been given back
		s.leave(o, err)
	}
	return &relay{ctx: ctx, feed: subscription, of: &s.relays, line: ended, send: send, ended: end}, nil
}

// subscribed counts an operation as a subscription, which is not in flight. It ends at once if the connection has ended
// all others meanwhile.
func (s *socket) subscribed(o *socketOperation) *response.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subscriptions >= s.Server.limits.MaxSubscriptionsPerConnection {
		return response.Later(response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited,
			"The connection has %d subscriptions. End one first.", s.Server.limits.MaxSubscriptionsPerConnection))
	}
	s.inFlight--
	s.subscriptions++
	o.subscribed = true
	if s.retired != nil {
		o.cancel(s.retired)
	}
	return nil
}
