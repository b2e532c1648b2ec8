package check

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// maxAttempts is how often an item is inspected anew because it has changed before
// it could be repaired.
const maxAttempts = 20

// repair confirms a suspect and repairs those of its violations that this pass
// repairs.
func (p *pass) repair(ctx context.Context, key keys.Key) (outcome, error) {
	var o outcome
	for conflicts := 0; ; {
		found, confirmed, err := p.confirm(ctx, key)
		o.left, o.confirmed = found, confirmed
		if err != nil || p.repairs == nil {
			return o, err
		}
		next := slices.IndexFunc(found, func(v Violation) bool {
			return len(v.Actions) > 0 && p.repairs(v) && !hasSlot(o.repaired, v)
		})
		if next < 0 || conflicts == maxAttempts {
			return o, nil
		}
		err = write.Transaction{Actions: found[next].Actions}.Send(ctx, p.meter.transact)
		var failed *write.ConditionError
		switch {
		case err == nil:
			found[next].Repaired = true
			o.repaired = append(o.repaired, found[next])
		case errors.As(err, &failed):
			conflicts++
		default:
			return o, err
		}
	}
}

// hasSlot reports whether what is wrong was repaired before. It is then left, so that a repair has an end whatever
// others write.
func hasSlot(repaired []Violation, v Violation) bool {
	return slices.ContainsFunc(repaired, func(r Violation) bool { return r.slot() == v.slot() })
}

// outcome is what was found wrong with a suspect.
type outcome struct {
	repaired, left []Violation
	// confirmed is false if the rounds did not agree.
	confirmed bool
}

// resolve confirms and repairs each suspect. The last one is first: sort keys often have the order of what decides who
// the latest is, and if that one is put, the others need not be.
func (p *pass) resolve(ctx context.Context, suspects []keys.Key) ([]outcome, error) {
	outcomes := make([]outcome, len(suspects))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, key := range slices.Backward(suspects) {
		group.Go(func() (err error) {
			outcomes[i], err = p.repair(ctx, key)
			return err
		})
	}
	return outcomes, group.Wait()
}
