package check

import (
	"context"
	"errors"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// maxRefusals bounds how often an item is looked at again because it had changed
// when it was to be mended.
const maxRefusals = 20

// Repair mends what Table would find, as far as Violation.Fix says how, and
// reports what is left. Nothing is written that has changed since it was read.
// It takes two passes when anything is wrong: counters are counted once all
// copies are in place. Otherwise it is as Table.
func Repair(ctx context.Context, source Source, o Options) (Report, error) {
	return run(ctx, source, o,
		func(v Violation) bool { return v.Kind != CounterWrong },
		func(Violation) bool { return true })
}

// mend confirms a suspect, mends what this pass mends of it, and tells what is
// left.
func (p *pass) mend(ctx context.Context, key keys.Key) (verdict, error) {
	var v verdict
	for refusals := 0; ; {
		found, settled, err := p.confirm(ctx, key)
		v.left, v.settled = found, settled
		if err != nil || p.mends == nil {
			return v, err
		}
		next := -1
		for i, violation := range found {
			if len(violation.Mend) > 0 && p.mends(violation) {
				next = i
				break
			}
		}
		if next < 0 || refusals == maxRefusals {
			return v, nil
		}
		err = p.meter.transact(ctx, found[next].Mend)
		var refused *write.ConditionError
		switch {
		case err == nil:
			found[next].Mended = true
			v.mended = append(v.mended, found[next])
		case errors.As(err, &refused):
			refusals++
		default:
			return v, err
		}
	}
}
