package subscribe

import (
	"context"
	"strings"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// A position of an object whose rule depends on the object has a proof: this viewer was not denied its state. Who
// resumes with a position of something else has no first state that would be denied, so it is read for them.

// proofSeparator is between a position and its proof. Neither has one.
const proofSeparator = "."

// proofScope returns what a proof is for; nil if the rules decide without the object.
func (s *Subscription) proofScope() []string {
	c := s.condition
	if c.Field.Kind == design.Query || s.bound.DecideObjects(c) != plan.Unknown {
		return nil
	}
	return []string{"live", c.Field.Parent, c.Field.Name, s.bound.Viewer.ID, string(c.Key.PK), string(c.Key.SK)}
}

// prove sets the proof of the subscription, and returns the position of a request without its own. The state is read if
// the request needs a proof and has none.
func (s *Subscription) prove(given string) (position string) {
	position, proof, _ := strings.Cut(given, proofSeparator)
	if position == "" {
		position = given // a proof alone is not a position
	}
	scope := s.proofScope()
	if scope == nil {
		return position
	}
	s.proof = proofSeparator + s.condition.Cursors.Token(s.condition.Tenant, scope, nil)
	_, isProven := s.condition.Cursors.ParseToken(s.condition.Tenant, scope, proof)
	s.isUnproven = position != "" && !isProven
	return position
}

// checkState returns an error if the state of the field is one: a new subscription would have the same.
func (s *Subscription) checkState(ctx context.Context) *response.Error {
	s.isUnproven = false
	current := loaders.Event{Kind: loaders.CurrentEvent}
	_, err := s.execute(ctx, execution{event: current, bound: s.bound, price: s.state, read: s.stateError})
	return err
}

// stateError returns the error of the state that the operation of a context has read.
func (s *Subscription) stateError(ctx context.Context) *response.Error {
	if state := s.streams.Engine.State(ctx); state.Err != nil {
		return fieldError(ctx, s.bound.Live, state.Err)
	}
	return nil
}
