package subscribe

import (
	"context"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// A Subscription has the first state of a live field, and then its events. Each is an operation of its caller: it has a
// price, waits for its turn on the CPUs and has the timeout of operations. In between, the subscription has only its
// Feed and its bound plan, which shares the rest with all that have the same document.
//
// Its methods are called by one goroutine at a time.
type Subscription struct {
	streams *Server
	bound   *plan.Bound
	// members are those that were read last; nil if no member decides about events.
	members *plan.Members
	// admission is what the last decision by members has cost.
	admission loaders.Cost
	condition *design.Condition
	audience  *audience
	feed      *live.Feed
	// ready and blocks are those of Feed.
	ready, blocks func()
	caller        share.Caller
	// allowance is what the answers may consume beside the budget of the caller; nil for no limit.
	allowance Allowance
	// kept is the memory of large variables, and release gives that of the document back.
	kept    operation.Seat
	release func()
	// log is that of all answers.
	log *logging.Request
	// state and event are the prices of the first state and of an event.
	state, event plan.Price
	// needsState is set until the first state has been read, and again if the first item of a Query has left its place.
	needsState bool
	// proof follows each position. isUnproven is set until the state has been read for a request without it.
	proof      string
	isUnproven bool
	// first is set if the field returns the first item of a Query. left is the change by which it has left its place, if
	// it has.
	first *loaders.First
	left  *loaders.Images
	// replay is what is reserved for reading missed changes from the stream; nil for nothing. replayed is what has been
	// used of it.
	replay   *reservation
	replayed float64
	// observed and ended notify the Observer.
	observed func(operation.EventReport)
	ended    func(code string)
	// code is that of the error that has ended the subscription.
	code     string
	isClosed bool
}

// Begin begins a subscription: the operation is authorized and priced, and its changes are kept from now on.
// Nothing has been read. The caller must close it.
func (s *Server) Begin(ctx context.Context, req operation.Request) (*Subscription, *response.Error) {
	if err := s.CheckTenant(ctx, req); err != nil {
		return nil, err
	}
	if s.settings.Live == nil {
		return nil, response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"This gateway has no live data: it does not read the changes of its table.")
	}
	position, err := positionOfRequest(req.Extensions)
	if err != nil {
		return nil, err
	}
	if err := checkLive(ctx, req); err != nil {
		return nil, err
	}
	n := &Subscription{
		streams: s, bound: s.Bind(ctx, req), caller: share.TurnOf(ctx).Caller,
		log: &logging.Request{ID: logging.ID(ctx), Logger: logging.Logger(ctx)},
	}
	n.allowance, _ = ctx.Value(allowanceKey{}).(Allowance)
	if err := n.price(ctx); err != nil {
		return nil, err
	}
	if s.IsMeasured(req.Header) {
		n.bound.Measured = true
	}
	if err := n.keep(req); err != nil {
		return nil, err
	}
	if err := n.register(ctx, req.Variables, position); err != nil {
		n.kept.Leave()
		n.release()
		return nil, err
	}
	n.observed, n.ended = s.Observer.Subscribed(ctx, req.Operation.Name)
	return n, nil
}

// begin is Begin, unless the settings have another one.
func (s *Server) begin(ctx context.Context, req operation.Request) (Feed, *response.Error) {
	if s.settings.Begin != nil {
		return s.settings.Begin(ctx, req)
	}
	begun, err := s.Begin(ctx, req)
	if err != nil {
		return nil, err // a Feed that is a nil *Subscription is not nil
	}
	return begun, nil
}

// positionOfRequest returns the position after which a request subscribes, in extensions.live.position; "" for the
// present.
func positionOfRequest(extensions map[string]any) (string, *response.Error) {
	given := extensions[response.ExtensionLive]
	if given == nil {
		return "", nil
	}
	object, _ := given.(map[string]any)
	position, isText := object[response.LivePosition].(string)
	if !isText {
		return "", response.BadParameter(
			`extensions.live must be an object with the text "position", which a response had there.`)
	}
	return position, nil
}

// checkLive returns an error for what a subscription cannot select.
func checkLive(ctx context.Context, req operation.Request) *response.Error {
	if f := req.Plan.NotReadyLive(); f != nil {
		return fieldError(ctx, f, req.Plan.Schema.NotReady(f))
	}
	if req.Plan.Live == nil || len(req.Plan.Root.Fields) != 1 {
		return response.ErrorAt(req.Operation.Position, "A subscription selects one field. It must not be skipped.")
	}
	if f, reason := req.Plan.NotLive(); f != nil {
		return response.ErrorAt(f.Position, "%s.%s cannot be part of a subscription: %s.", f.Parent, f.Name, reason)
	}
	return nil
}

// price returns an error if the first state or an event may cost more than an operation may, or more than the caller
// can ever have.
func (s *Subscription) price(ctx context.Context) *response.Error {
	for _, p := range []struct {
		bound *plan.Bound
		price *plan.Price
	}{{s.bound, &s.state}, {s.bound.OfEvent(), &s.event}} {
		var cause error
		if *p.price, cause = s.streams.Meter.Price(ctx, p.bound); cause != nil {
			err := response.LimitError(ctx, cause)
			err.Cost = response.EstimateOf(*p.price)
			return err
		}
		if err := s.streams.Budgets.Check(s.caller, *p.price); err != nil {
			err.Cost = response.EstimateOf(*p.price)
			return err
		}
		if s.allowance == nil {
			continue
		}
		if err := s.allowance.Check(*p.price); err != nil {
			err.Cost = response.EstimateOf(*p.price)
			return err
		}
	}
	return nil
}

// keep counts what the subscription keeps of a request as bytes of the caller: the document, and large variables.
func (s *Subscription) keep(req operation.Request) (err *response.Error) {
	s.kept.Shares = s.streams.Shares
	s.kept.Sit(s.caller)
	if bytes := req.VariableBytes - usualVariables; bytes > 0 {
		if err := s.kept.Take(bytes); err != nil {
			return err
		}
	}
	if s.release, err = s.streams.documents.keep(s.caller, req.Document); err != nil {
		s.kept.Leave()
	}
	return err
}

// register has the hub keep the changes after a position, or from now on.
func (s *Subscription) register(
	ctx context.Context, variables map[string]any, position string,
) *response.Error {
	var cause error
	s.bound.Witness = plan.NewWitness()
	s.condition, cause = s.streams.Engine.LiveCondition(s.bound)
	ofCondition := s.bound.Witness
	if s.bound.Witness = nil; cause != nil {
		return fieldError(ctx, s.bound.Live, cause)
	}
	position = s.prove(position)
	if read := s.condition.Field; read.Kind == design.Query && read.Result == design.One {
		// Which item is the first one does not follow from the changes alone.
		s.first, position = &loaders.First{}, ""
	}
	if s.feed, cause = s.streams.settings.Live.Subscribe(s.condition, position); cause != nil {
		return feedError(cause)
	}
	s.needsState = position == ""
	s.audience = s.streams.audiences.join(s.bound, variables, ofCondition)
	return nil
}

// fieldError returns the error of the live field as a request error.
func fieldError(ctx context.Context, f *plan.Field, cause error) *response.Error {
	shown := response.PresentField(ctx, answer.FieldError{Err: cause, Field: f})
	code, _ := shown.Extensions["code"].(string)
	err := &response.Error{Status: http.StatusUnprocessableEntity, Errors: gqlerror.List{shown}}
	if status, known := response.StatusOf[code]; known {
		err.Status = status
	}
	return err
}

// Notify implements Feed.
func (s *Subscription) Notify(ready, blocks func()) {
	s.ready, s.blocks = ready, blocks
	s.feed.Notify(ready)
}

// Close ends the subscription.
func (s *Subscription) Close(ctx context.Context) {
	if s.isClosed {
		return
	}
	s.isClosed = true
	s.feed.Close()
	s.streams.audiences.leave(s.audience)
	s.countReplay(context.WithoutCancel(ctx), true)
	s.kept.Leave()
	s.release()
	s.ended(s.code)
}
