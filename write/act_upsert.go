package write

import (
	"context"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// upsert reads the object, which is created if there is none, and updated otherwise. It returns false after a user
// error.
func (s *step) upsert(ctx context.Context) (isKnown bool, err error) {
	if !s.identifyUpsert() {
		return false, nil
	}
	if !s.wasRead {
		if s.read, err = ReadItem(ctx, keys.KeyOf(s.base)); err != nil {
			return false, err
		}
		s.wasRead = true
	}
	if !s.isThere(s.read) {
		s.become(s.declared.As(design.CreateStep, s.t))
		return s.create(ctx)
	}
	identity, base := s.identity, s.base
	s.become(s.declared.As(design.UpdateStep, s.t))
	s.identity, s.base = identity, base
	s.own.out.ID = idOf(s.t, identity)
	s.own.parents[keys.KeyOf(base)] = s.read
	return true, nil
}

// identifyElement is identify without a read, also for an UpsertStep.
func (s *step) identifyElement(ctx context.Context) (isKnown bool, _ error) {
	if s.declared.Kind == design.UpsertStep {
		return s.identifyUpsert(), nil
	}
	return s.identify(ctx)
}

// identifyUpsert finds the base item of the object from its values. It returns false after a user error.
func (s *step) identifyUpsert() bool {
	s.become(s.declared)
	return s.identifyFrom(s.given())
}

// isThere reports whether what is stored is an object, and not what is left of a deleted one.
func (s *step) isThere(it item.Item) bool {
	return it != nil && it.Type() == s.t.Name && !keys.IsDeleted(it)
}

// become lets an UpsertStep be one of another kind, until it is tried again.
func (s *step) become(kind *design.Step) {
	s.Step, s.own = kind, s.of.newStep(kind).own
	s.reads = kind.Kind != design.CreateStep
}

// tryAgain lets an UpsertStep be tried with what is stored now, if that is why it failed: its object was created or
// deleted meanwhile.
func (s *step) tryAgain(it item.Item) bool {
	if s.declared.Kind != design.UpsertStep || s.isThere(it) == (s.Kind == design.UpdateStep) || keys.IsDeleted(it) {
		return false
	}
	s.own.moved = nil
	s.read, s.wasRead = it, true
	return true
}
