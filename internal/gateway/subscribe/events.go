package subscribe

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
	reads "github.com/partita/partita/request"
)

// Next implements Feed: it returns the first state, and then each event.
func (s *Subscription) Next(ctx context.Context) (answer response.Result, isAny bool, err *response.Error) {
	ctx = logging.WithRequest(ctx, s.log)
	s.log.Failures.Store(0)
	answer, isAny, err = s.next(ctx)
	if err != nil && ctx.Err() == nil {
		s.code = response.Codes(err.Errors)[0]
	}
	return answer, isAny, err
}

// next returns the next answer that there is for the viewer.
func (s *Subscription) next(ctx context.Context) (answer response.Result, isAny bool, err *response.Error) {
	if s.isUnproven {
		if err := s.checkState(ctx); err != nil {
			return response.Result{}, false, err
		}
	}
	for {
		if s.needsState {
			answer, isAny, err := s.readState(ctx)
			if err != nil || isAny {
				return answer, isAny, err
			}
		}
		change, isAny, cause := s.feed.Poll()
		if errors.Is(cause, live.ErrReplay) {
			if err := s.payReplay(ctx); err != nil {
				return response.Result{}, false, err
			}
			continue
		}
		s.countReplay(ctx, cause != nil)
		if errors.Is(cause, live.ErrUnsettled) {
			if err := s.renewFeed(); err != nil {
				return response.Result{}, false, err
			}
			s.needsState = true
			continue
		}
		if cause != nil {
			return response.Result{}, false, feedError(cause)
		}
		if !isAny {
			return response.Result{}, false, nil
		}
		answer, isAny, err := s.answer(ctx, change)
		if err != nil || isAny {
			return answer, isAny, err
		}
	}
}

// answer returns the answer of a change, if it is an event for the viewer.
func (s *Subscription) answer(
	ctx context.Context, change live.Event,
) (answer response.Result, isAny bool, err *response.Error) {
	ctx = reads.WithScope(ctx, &change.Change.Scope)
	images := loaders.Images{
		Old: change.Old, New: change.New, Was: change.Was, Is: change.Is, Partition: change.Partition, Earlier: s.members,
	}
	bound, err := s.admit(ctx, images)
	if err != nil {
		return response.Result{}, false, err
	}
	made := s.making(change, bound, images)
	defer made.end()
	var kind loaders.EventKind
	found := made.find(ctx, s.blocks)
	switch {
	case found == nil:
		bound = made.witnessed(bound)
		event, isAny := s.eventOf(ctx, bound, images)
		if !isAny {
			made.nothing()
			return response.Result{}, false, nil
		}
		kind = event.Kind
		answer, err = s.execute(ctx, execution{event: event, bound: bound, price: s.event, made: made})
	case !found.isAny:
		return response.Result{}, false, nil
	default:
		kind = found.kind
		answer, err = s.reuse(ctx, found)
	}
	if err != nil {
		return response.Result{}, false, err
	}
	answer.Position = change.Position() + s.proof
	report := reportOf(kind, change, answer)
	report.IsShared = found != nil
	s.observed(report)
	return answer, true, nil
}

// eventOf returns the event of a change for the viewer, and reports whether there is one.
func (s *Subscription) eventOf(
	ctx context.Context, bound *plan.Bound, images loaders.Images,
) (event loaders.Event, isAny bool) {
	engine := s.streams.Engine
	if s.first == nil {
		return engine.EventOf(ctx, bound, s.condition, images)
	}
	event, isAny, isLost := engine.Follow(ctx, bound, s.condition, s.first, images)
	if isLost {
		s.needsState, s.left = true, &images
	}
	return event, isAny
}

// admit returns the plan with the members that decide about a change, which are read for each: a membership may have
// ended. It costs as much of the caller's budget as it reads.
func (s *Subscription) admit(ctx context.Context, images loaders.Images) (*plan.Bound, *response.Error) {
	engine := s.streams.Engine
	members := engine.Members(s.bound, s.condition, images)
	if s.admission = (loaders.Cost{}); len(members) == 0 {
		return s.bound, nil
	}
	s.blocks()
	reserved, err := s.reserve(ctx, s.event, false, nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.streams.OperationTimeout)
	defer cancel()
	bound, cost, cause := engine.Admit(ctx, s.bound, members)
	reserved.Commit(ctx, cost.ReadUnits, 0)
	s.admission = cost
	if cause == nil {
		cause = bound.Authorize(s.condition, nil)
	}
	if cause != nil {
		err := fieldError(ctx, s.bound.Live, cause)
		err.Cost = response.CostOf(s.event, cost)
		return nil, err
	}
	s.members = bound.Members
	return bound, nil
}

// readState reads the state of the field. If it is not the first one, there is no answer unless the viewer has had an
// object or has one now.
func (s *Subscription) readState(ctx context.Context) (answer response.Result, isAny bool, err *response.Error) {
	hadObject := s.left != nil && s.first.IsShown()
	for attempt := 1; ; attempt++ {
		if s.left != nil {
			if err := s.renewFeed(); err != nil {
				return response.Result{}, false, err
			}
		}
		var state loaders.State
		event := loaders.Event{Kind: loaders.CurrentEvent, IsLater: s.left != nil}
		read := func(ctx context.Context) *response.Error {
			state, s.members = s.streams.Engine.State(ctx), s.streams.Engine.MembersOf(ctx)
			if state.Err != nil {
				return fieldError(ctx, s.bound.Live, state.Err)
			}
			return nil
		}
		answer, err = s.execute(ctx, execution{event: event, bound: s.bound, price: s.state, read: read})
		if err != nil {
			return response.Result{}, false, err
		}
		if s.left == nil || !state.IsStale(*s.left) {
			s.begin(state)
			break
		}
		if attempt == maxStateAttempts {
			return response.Result{}, false, indexBehind()
		}
		if cause := reads.Pause(ctx, attempt); cause != nil {
			return response.Result{}, false, feedError(cause)
		}
	}
	if s.left != nil && !hadObject && !s.first.IsShown() {
		s.left = nil
		return response.Result{}, false, nil
	}
	s.left = nil
	answer.Position = s.feed.Position() + s.proof
	s.observed(operation.EventReport{
		Change: loaders.CurrentEvent.String(), Cost: answer.Cost, Codes: response.Codes(answer.Errors),
	})
	return answer, true, nil
}

// maxStateAttempts is how often a state is read until the index has a change that the stream had.
const maxStateAttempts = 8

// renewFeed replaces the feed by one that begins with a state that is read now.
func (s *Subscription) renewFeed() *response.Error {
	feed, cause := s.streams.settings.Live.Subscribe(s.condition, "")
	if cause != nil {
		return feedError(cause)
	}
	s.feed.Close()
	s.feed = feed
	feed.Notify(s.ready)
	return nil
}

// begin continues the state by the events after it.
func (s *Subscription) begin(state loaders.State) {
	s.needsState = false
	s.feed.Begin(live.State{Items: state.Items, Before: state.Before, After: state.After})
	if s.first != nil {
		*s.first = s.streams.Engine.FirstOf(s.bound, s.condition, state, s.members)
	}
}

// execution is what execute needs of an event.
type execution struct {
	event loaders.Event
	bound *plan.Bound
	price plan.Price
	// read is called with the context of the operation when everything has been read; nil if nobody asks.
	read func(context.Context) *response.Error
	made *making
}

// execute answers an event, as an operation of its caller.
func (s *Subscription) execute(ctx context.Context, x execution) (answer response.Result, err *response.Error) {
	s.blocks()
	isState := x.event.Kind == loaders.CurrentEvent
	reserved, err := s.reserve(ctx, x.price, isState && !x.event.IsLater, x.made.end)
	if err != nil {
		return response.Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.streams.OperationTimeout)
	defer cancel()
	seat := &operation.Seat{Shares: s.streams.Shares}
	seat.Sit(s.caller)
	defer seat.Leave()
	ctx = seat.Within(ctx)
	executing := ctx
	defer func() {
		if cause := recover(); cause != nil {
			logging.Logger(ctx).ErrorContext(ctx, "panic", "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			answer, err = response.Result{}, response.Internal(ctx)
		}
		cost := response.CostOf(x.price, s.streams.Meter.Cost(executing))
		cost.ThrottleStatus = reserved.Commit(
			ctx, operation.InBudget(cost.ReadUnits, cost.WriteUnits, 0), float64(cost.Objects))
		if !isState {
			s.addAdmission(&cost)
		}
		if answer.Cost = cost; err != nil {
			err.Cost = cost
		}
	}()
	executing = s.streams.Engine.BeginEvent(ctx, x.bound, s.condition, x.event)
	enter := seat.Enter
	if !isState {
		enter = seat.Event
	}
	if err := enter(ctx); err != nil {
		return response.Result{}, err
	}
	answered := s.streams.Executors.Answer(executing)
	if len(answered.Errors) == 0 {
		x.made.answer(answered.Data, x.event.Kind, s.streams.Engine.SharedCost(executing))
	}
	if x.read != nil {
		if err := x.read(executing); err != nil {
			return response.Result{}, err
		}
	}
	if answered.Data == nil {
		return response.Result{}, response.OperationError(ctx, answered.Errors)
	}
	return response.Result{
		Data: answered.Data, Errors: answered.Errors,
		Extensions: s.streams.WithMeasured(executing, answered.Extensions),
	}, nil
}

// reuse returns the answer that was made for another subscription, at the cost of its objects.
func (s *Subscription) reuse(ctx context.Context, found *shared) (response.Result, *response.Error) {
	objects := float64(found.cost.Objects)
	reserved, err := s.reserve(ctx, plan.Price{Objects: objects}, false, nil)
	if err != nil {
		return response.Result{}, err
	}
	cost := response.CostOf(s.event, found.cost)
	cost.ThrottleStatus = reserved.Commit(ctx, 0, objects)
	s.addAdmission(&cost)
	return response.Result{Data: found.data, Cost: cost}, nil
}

// addAdmission adds what the members have cost that decide about the event.
func (s *Subscription) addAdmission(to *response.Cost) {
	to.ReadUnits += s.admission.ReadUnits
	to.Requests += s.admission.Requests
	to.Waves += s.admission.Waves
}

func reportOf(kind loaders.EventKind, change live.Event, answer response.Result) operation.EventReport {
	return operation.EventReport{
		Change: kind.String(), Delay: time.Since(change.At), Cost: answer.Cost, Codes: response.Codes(answer.Errors),
	}
}
