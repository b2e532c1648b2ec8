package run

import (
	"context"
	"errors"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
)

// fill gives each object its form by the other design, and then proves by reading everything that none is missing. The
// error is a *BlockedError if some cannot have one.
func (m *Migrator) fill(ctx context.Context) error {
	if at, is := m.at(phaseProve); is {
		return m.completeAll(ctx, at, phaseProve, phaseProve)
	}
	at, _ := m.at(phaseFill)
	return m.completeAll(ctx, at, phaseFill, phaseProve)
}

// completeAll completes all objects, in passes of a phase and then of another one, until nothing is missing.
func (m *Migrator) completeAll(ctx context.Context, first int, phase, proof string) error {
	s := m.side(m.record.State.Reads())
	t := m.reads()
	for n := first; n < first+maxPasses; n++ {
		if m.watch.hasLost() {
			phase = phaseFill
			m.progress.update(func(p *Progress) { p.Phase = "" })
		}
		// What another program has deleted must not come back from its later form before that is deleted as well.
		m.onlyLooks = m.watch != nil && s.Side == migrate.To && n < first+maxPasses-1
		if m.onlyLooks && (n == first || m.progress.get().Written > 0) {
			if err := m.watch.catchUp(ctx); err != nil {
				return err
			}
		}
		blocked := &BlockedError{}
		written, err := m.pass(ctx, m.raw(), phase, n, func(ctx context.Context, stored item.Item) (bool, error) {
			return m.complete(ctx, t, s, s.fromStored(stored), blocked)
		})
		switch {
		case err != nil:
			return err
		case m.watch.isLost():
			continue
		case m.progress.get().Blocked > blocked.count():
			continue // Another process has found them, and has not listed them.
		case blocked.count() > 0 && phase != phaseFill: // The proof lists duplicates as well.
			return blocked.sorted()
		case phase != phaseFill && written == 0:
			return nil
		}
		phase = proof
	}
	if m.watch != nil { // which follows the programs whose objects the passes have found
		return nil
	}
	return errors.New("run: bug: objects are incomplete again each time they are completed")
}
