package write

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// act carries out an action: one transaction, or a single write if it changes one item. An object is read before if
// what is written depends on it.
func (x *mutation) act(ctx context.Context) error {
	a := &action{mutation: x, attempt: newAttempt(x.now), declared: x.m}
	x.m = x.m.Expanded(x.in.Length)
	defer a.nameElements()
	for i := range x.m.Steps {
		a.steps = append(a.steps, a.newStep(&x.m.Steps[i]))
	}
	if a.readInput(); x.out.Any() {
		return nil
	}
	for _, s := range a.steps {
		s.check()
	}
	if x.out.Any() {
		return nil
	}
	if x.in.IdempotencyKey != "" {
		if isRepeated, err := a.findClaim(ctx); isRepeated || err != nil {
			return err
		}
	}
	attempts := maxChanges
	for _, s := range a.steps {
		if s.Kind.Creates() {
			attempts = max(attempts, s.own.maxAttempts())
		}
	}
	for range attempts {
		isDone, err := a.try(ctx)
		if isDone || err != nil || x.out.Any() {
			return err
		}
	}
	x.busy()
	return nil
}

// try makes one transaction from the objects as they are, and sends it. It is done unless an object has changed since
// it was read.
func (x *action) try(ctx context.Context) (isDone bool, err error) {
	x.beginNumbers()
	if err := x.readElements(ctx); err != nil || x.out.Any() {
		return false, err
	}
	for _, s := range x.steps {
		if err := s.prepare(ctx); err != nil || x.out.Any() {
			return false, err
		}
	}
	tx, handled := x.compose()
	if !x.out.Any() {
		err = x.settle(ctx, &tx)
	}
	if err != nil || x.out.Any() {
		x.fail()
		return false, err
	}
	for _, s := range x.steps {
		s.counted(&tx)
	}
	isSent := func(s *step) bool { return s.Kind == design.CheckStep && !s.wasRead }
	if !slices.ContainsFunc(tx.Actions, func(a Action) bool { return a.Kind != ActionCheck }) &&
		!slices.ContainsFunc(x.steps, isSent) {
		x.succeed(nil)
		return true, nil
	}
	stored, failed, err := x.commit(ctx, tx, handled)
	switch {
	case err != nil, x.out.Any(), x.out.Steps != nil:
		return err == nil, err
	case failed == nil:
		x.succeed(stored)
		return true, nil
	}
	for _, s := range x.steps {
		s.fail(x.failureOf(s, failed))
	}
	x.out.once()
	x.fail()
	return false, nil
}

// commit carries out the transaction, with the claim of the idempotency key if there is one. After an earlier attempt,
// the outcome has its objects.
func (x *action) commit(ctx context.Context, tx Transaction, handled []string) (item.Item, *Failure, error) {
	if x.in.IdempotencyKey == "" {
		return tx.commit(ctx, "", handled)
	}
	earlier, failed, err := x.commitOnce(ctx, x.once, x.claim, tx, handled)
	if isRepeated, err := x.isRepeated(ctx, earlier, err); isRepeated || err != nil {
		return nil, nil, err
	}
	return nil, failed, nil
}

// findClaim finds the claim of the idempotency key. It is read if anything else is read before the write, because that
// has changed since an earlier attempt. After one, the outcome has its objects.
func (x *action) findClaim(ctx context.Context) (isRepeated bool, err error) {
	digest, err := Digest(plain(x.in.Set))
	if err != nil {
		return false, err
	}
	x.once = onceOf(x.d, x.declared.Name, 1)
	key, err := x.once.KeyFor(onceValues(x.declared, x.in))
	if err != nil {
		return false, err
	}
	x.claim = Attempt{Key: key, Created: x.attempt.id(x.declared.Name), Digest: digest}
	without := *x.in
	without.IdempotencyKey = ""
	if WorkloadOf(x.d, x.declared, &without).Reads == 0 {
		return false, nil
	}
	x.isSent = true
	_, earlier, err := x.once.find(ctx, x.claim)
	return x.isRepeated(ctx, earlier, err)
}

// isRepeated reports whether there is nothing to do because of an earlier attempt, or of its claim.
func (x *action) isRepeated(ctx context.Context, earlier keys.ID, err error) (bool, error) {
	switch {
	case errors.Is(err, ErrKeyReused):
		x.out.Add(CodeKeyReused, fieldIdempotencyKey, "%s was used for another input; make a new key for each",
			fieldIdempotencyKey)
		return true, nil
	case err == nil && earlier != "" && earlier != x.claim.Created:
		return true, x.repeated(ctx, earlier)
	}
	return false, err
}

// failureOf returns the failure of the parts of a step.
func (x *action) failureOf(s *step, all *Failure) *Failure {
	f := &Failure{items: map[string]item.Item{}}
	for _, name := range all.named {
		if own, is := strings.CutPrefix(name, s.part("")); is {
			f.named = append(f.named, own)
			if it, failed := all.items[name]; failed {
				f.items[own] = it
			}
		}
	}
	return f
}

// succeed sets the outcome of an action that was carried out. stored is the item of a single update.
func (x *action) succeed(stored item.Item) {
	outcome := make([]StepOutcome, len(x.steps))
	for i, s := range x.steps {
		x.out.IsSwept = x.out.IsSwept || s.Kind == design.DeleteStep && len(x.d.Below(s.t)) > 0
		known := s.after
		if stored != nil {
			known = stored
		}
		outcome[i] = StepOutcome{
			ID: idOf(s.t, s.identity), Object: known, Identity: s.identity, IsDeleted: s.Kind == design.DeleteStep,
		}
	}
	x.out.Steps = x.grouped(outcome)
}

// fail sets the objects as they are, after user errors.
func (x *action) fail() {
	if !x.out.Any() {
		return
	}
	outcome := make([]StepOutcome, len(x.steps))
	for i, s := range x.steps {
		if s.shown != nil {
			outcome[i] = StepOutcome{ID: idOf(s.t, s.identity), Object: s.shown, Identity: s.identity}
		}
	}
	x.out.Steps = x.grouped(outcome)
}

// repeated sets the outcome of an earlier execution with the idempotency key. Objects that it has created are read.
func (x *action) repeated(ctx context.Context, earlier keys.ID) error {
	var err error
	if x.attempt, err = parseAttempt(earlier); err != nil {
		return err
	}
	x.now = x.attempt.time()
	outcome := make([]StepOutcome, len(x.steps))
	for i, s := range x.steps {
		s.own.now = x.now
		isKnown, err := s.identifyAgain(ctx)
		if err != nil {
			return err
		}
		if !isKnown {
			x.out.UserErrors = UserErrors{} // It follows from an object that has been deleted since.
			continue
		}
		outcome[i] = StepOutcome{
			ID: idOf(s.t, s.identity), Identity: s.identity, IsDeleted: s.Kind == design.DeleteStep,
		}
		if s.Kind != design.CreateStep {
			continue
		}
		if outcome[i].Object, err = ReadItem(ctx, keys.KeyOf(s.base)); err != nil {
			return err
		}
		if outcome[i].Object == nil {
			x.out.Add(CodeNotFound, fieldIdempotencyKey, "the %s that was created with this %s has been deleted", s.t.Name,
				fieldIdempotencyKey)
			return nil
		}
	}
	x.out.Steps = x.grouped(outcome)
	return nil
}
