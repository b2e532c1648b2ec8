package check

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// maxAttempts is how often an item is inspected anew because it has changed before
// it could be repaired.
const maxAttempts = 20

// Repair repairs what Table would find, as far as Violation.Fix describes how, and
// reports what is left. It writes nothing that has changed since it was read. If
// anything is wrong it makes two passes: counters are set once all copies are in
// place, and a copy that several objects share gets the right one after what it held
// wrongly is removed. Otherwise it is like Table.
func Repair(ctx context.Context, source Source, o Options) (Report, error) {
	return run(ctx, source, o,
		func(v Violation) bool { return v.Kind != CounterWrong },
		func(v Violation) bool { return !v.lowers })
}

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
