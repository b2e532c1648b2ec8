package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/internal/plan"
)

// follower is a call that follows a subscription. It is the allowance of what the answers consume: it takes that out of
// the session as it happens.
type follower struct {
	*call
	following
	// notify sends an event as progress; nil if the client wants none.
	notify func(ctx context.Context, event []byte, n int) error
	// room is how many bytes the events may have, and size how many they have: those of a JSON array.
	room, size int
	// kept is the memory of the events.
	kept operation.Seat

	out output
	// cost is what the answers have consumed.
	cost response.Cost
	// failure and why are those of the end: an error for the agent, and the cause.
	failure *response.Error
	why     error
	// large is set if an event was larger than the room, and charged is how many bytes it is charged.
	large   *response.Error
	charged int
}

// follow follows a subscription within the session's budget.
func (c *call) follow(t *tool, arguments json.RawMessage, by caller, notify notifier) *output {
	_, asked, err := t.read(arguments)
	if err != nil {
		return c.failed(err)
	}
	req, _, err := c.priced(arguments)
	if err != nil {
		return c.failed(err)
	}
	reserved, err := c.session.begin(plan.Price{}, c.Tools.AnswerBytes)
	if err != nil {
		return c.failed(err)
	}
	f := &follower{
		call: c, following: asked, notify: notify, room: int(reserved.Bytes), size: len("[]"),
		kept: operation.Seat{Shares: c.free.Shares}, out: output{Position: asked.position},
	}
	f.kept.Sit(operation.SeatOf(c.ctx()).Turn.Caller)
	defer f.kept.Leave()
	if err := f.run(req, by, reserved); err != nil {
		return c.failed(err)
	}
	return f.result()
}

// run follows the subscription until it ends. With an error, it has not begun. What was reserved for the bytes is
// replaced by what was used.
func (f *follower) run(req operation.Request, by caller, reserved Amount) *response.Error {
	defer func() { f.session.end(reserved, Amount{Bytes: float64(f.bytes())}) }()
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(f.lasting.Context()))
	defer cancel(nil)
	// A client of a version with sessions cancels by a message. Without its connection, nobody gets the result.
	defer context.AfterFunc(f.lasting.Context(), func() { cancel(subscribe.ErrClientLeft) })()
	defer context.AfterFunc(by.request.Context(), func() { cancel(subscribe.ErrClientGone) })()
	ctx, stop := context.WithTimeoutCause(ctx, f.duration(), errTime)
	defer stop()
	if by.lasts != nil {
		by.lasts(f.duration())
	}
	return f.streams.Follow(f.lasting.WithContext(ctx), req, f.line, subscribe.Follower{
		Transport: subscribe.TransportAgents, Position: f.position, Allowance: f,
		Begun: func() (send func(response.Result) error, ended func(*response.Error, error)) {
			return func(answer response.Result) error { return f.send(ctx, answer) },
				func(err *response.Error, cause error) { f.failure, f.why = err, cause }
		},
	})
}

// Why a call ends a subscription.
var (
	errTime   = &end{"the seconds are over", subscribe.ErrDone}
	errEnough = &end{"these are all the events that were asked for", subscribe.ErrLast}
	errFull   = &end{"no more events fit into a result", subscribe.ErrDone}
	errLarge  = &end{"an event is too large", subscribe.ErrDone}
)

// end is why a call ends a subscription, in words for the agent, and for the log.
type end struct {
	text  string
	cause error
}

// Error implements error.
func (e *end) Error() string { return "gateway: " + e.text }

// Unwrap returns what the log says.
func (e *end) Unwrap() error { return e.cause }

// bytes returns how many bytes of the answer are charged.
func (f *follower) bytes() int {
	if len(f.out.Events) == 0 {
		return f.charged
	}
	return f.size
}

// Check implements subscribe.Allowance.
func (f *follower) Check(price plan.Price) *response.Error { return f.session.check(price) }

// Reserve implements subscribe.Allowance.
func (f *follower) Reserve(price plan.Price) (commit func(units, objects float64), _ *response.Error) {
	reserved, err := f.session.reserve(price)
	if err != nil {
		return nil, err
	}
	return func(units, objects float64) {
		f.session.end(reserved, Amount{Units: units, Objects: objects})
		f.cost.ReadUnits += units
		f.cost.Objects += int(objects)
	}, nil
}

// send keeps an event for the result, and sends it as progress. The error is why the subscription ends.
func (f *follower) send(ctx context.Context, answer response.Result) error {
	made := event{answer.Data, failuresOf(answer.Errors)}
	text, err := json.Marshal(made)
	if err != nil {
		panic(err) // the data are JSON
	}
	f.cost.Requests += answer.Cost.Requests
	f.cost.Waves += answer.Cost.Waves
	grown := f.size + len(text) + min(len(f.out.Events), len(","))
	if grown > f.room {
		if len(f.out.Events) > 0 {
			return errFull
		}
		if f.charged, f.large = f.checkSize(grown, f.room); f.room == f.Tools.AnswerBytes {
			f.out.Position = answer.Position // or else the next call would end with the same event
		}
		return errLarge
	}
	if f.kept.Take(len(text)) != nil {
		return errFull
	}
	f.size = grown
	f.out.Events, f.out.Position = append(f.out.Events, made), answer.Position
	if f.notify != nil {
		if err := f.notify(ctx, text, len(f.out.Events)); err != nil {
			return subscribe.ErrClientGone
		}
	}
	if len(f.out.Events) == f.events {
		return errEnough
	}
	return nil
}

// result returns the result of a call whose subscription has ended.
func (f *follower) result() *output {
	out := &f.out
	if failed := cmp.Or(f.failure, f.large); failed != nil {
		out.Errors = failuresOf(response.CapErrors(failed.Errors))
		f.session.refuse(len(out.Events) == 0)
	}
	if e, is := errors.AsType[*end](f.why); is {
		out.Ended = e.text
	}
	out.Receipt = receiptOf(f.cost, f.bytes(), nil)
	out.Session = f.session.left()
	return out
}

// notifier sends an event as progress.
type notifier func(ctx context.Context, event []byte, n int) error

// addSubscription adds a tool that follows a subscription.
func (s *Service) addSubscription(server *mcp.Server, by callers, of *tool, t *mcp.Tool) {
	server.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var notify notifier
		if token := req.Params.GetProgressToken(); token != nil {
			notify = func(ctx context.Context, event []byte, n int) error {
				return req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					Meta: mcp.Meta{MetaUntrusted: true}, ProgressToken: token, Message: string(event), Progress: float64(n),
				})
			}
		}
		who := by(req)
		out := s.run(ctx, who, t.Name, func(c *call) *output {
			return c.follow(of, req.Params.Arguments, who, notify)
		})
		return out.result(t.Name), nil
	})
}
