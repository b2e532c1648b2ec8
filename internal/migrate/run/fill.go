package run

import (
	"context"
	"errors"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
)

// fill gives each object its form by the other design, and then proves by reading everything that none is missing. The
// error is a *BlockedError if some cannot have one.
func (m *Migrator) fill(ctx context.Context, w *watcher) error {
	if at, is := m.progress.at(phaseProve); is {
		return m.completeAll(ctx, w, at, phaseProve, phaseProve)
	}
	at, _ := m.progress.at(phaseFill)
	return m.completeAll(ctx, w, at, phaseFill, phaseProve)
}

// completeAll completes all objects, in passes of a phase and then of another one, until nothing is missing.
func (m *Migrator) completeAll(ctx context.Context, w *watcher, first int, phase, proof string) error {
	c := completer{Migrator: m, of: m.side(m.record.State.Reads()), by: m.reads(m.record.State)}
	for n := first; n < first+maxPasses; n++ {
		if w.hasLost() {
			phase = phaseFill
			m.progress.update(func(p *Progress) { p.Phase = "" })
		}
		// What another program has deleted must not come back from its later form before that is deleted as well.
		c.onlyLooks = w != nil && c.of.Side == migrate.To && n < first+maxPasses-1
		if c.onlyLooks && (n == first || m.progress.get().Written > 0) {
			if err := w.catchUp(ctx); err != nil {
				return err
			}
		}
		c.blocked = &BlockedError{}
		written, err := m.pass(ctx, m.raw(), phase, n, func(ctx context.Context, stored item.Item) (bool, error) {
			return c.complete(ctx, c.of.fromStored(stored))
		})
		switch {
		case err != nil:
			return err
		case w.isLost():
			continue
		case m.progress.get().Blocked > c.blocked.count():
			continue // Another process has found them, and has not listed them.
		case c.blocked.count() > 0 && phase != phaseFill: // The proof lists duplicates as well.
			return c.blocked.sorted()
		case phase != phaseFill && written == 0:
			return nil
		}
		phase = proof
	}
	if w != nil { // which follows the programs whose objects the passes have found
		return nil
	}
	return errors.New("run: bug: objects are incomplete again each time they are completed")
}
