package run

import (
	"context"
	"errors"
	"maps"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// maxPasses limits how often the table is read until nothing is missing. Two are enough: all that is written meanwhile
// is complete.
const maxPasses = 5

// fill gives each object its form by the other design, and then proves by reading everything that none is missing. The
// error is a *BlockedError if some cannot have one.
func (m *Migrator) fill(ctx context.Context) error {
	if at, is := m.at(phaseProve); is {
		return m.completeAll(ctx, at, phaseProve, phaseProve)
	}
	at, _ := m.at(phaseFill)
	return m.completeAll(ctx, at, phaseFill, phaseProve)
}

// proveUnique proves that unique values are still so, since replicas keep them unique. Otherwise the record has no
// proof any more.
func (m *Migrator) proveUnique(ctx context.Context) error {
	at, _ := m.at(phaseUnique)
	err := m.completeAll(ctx, at, phaseUnique, phaseUnique)
	if _, is := errors.AsType[*BlockedError](err); is {
		return errors.Join(err, m.put(ctx, m.record.Disproven(), nil))
	}
	return err
}

// at returns the pass of a phase with which to go on: 1 if it has not been begun.
func (m *Migrator) at(phase string) (pass int, is bool) {
	if now := m.progress.get(); now.State == m.record.State.String() && now.Phase == phase {
		return now.Pass, true
	}
	return 1, false
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

// complete gives an object its form by the other design, if the item is its base item. It reports whether anything was
// missing.
func (m *Migrator) complete(
	ctx context.Context, t *table.Table, s side, it item.Item, blocked *BlockedError,
) (bool, error) {
	typ := s.design.Type(it.Type())
	if typ == nil || !isBase(typ, it) || s.design.ExpiryAt(t.Now()).IsExpired(it) {
		return false, nil
	}
	m.progress.update(func(p *Progress) { p.Objects++ })
	if b, is := m.blocks(s, typ, it); is {
		m.block(blocked, b)
		return false, nil
	}
	touch := touchOf(typ, it)
	preview, err := t.Preview(ctx, touch)
	if err := m.consume(ctx, preview.Read); err != nil {
		return false, err
	}
	if err != nil {
		return false, err
	}
	if preview.Writes == 0 {
		return m.isUnique(ctx, t, typ, it, blocked)
	}
	if s.Side == migrate.To && m.onlyLooks {
		return true, nil
	}
	result, err := t.TransactWriteItems(ctx, touch)
	if spent := m.consume(ctx, result); spent != nil {
		return false, spent
	}
	var failed *write.ConditionError
	switch {
	case errors.As(err, &failed) && failed.Find(0) != nil && failed.Find(0).Item == nil:
		return false, nil // it has been deleted meanwhile
	case errors.As(err, &failed):
		m.block(blocked, conflict(typ, it))
		return false, nil
	}
	return err == nil, err
}

// isBase reports whether an item is the base item of an object, and not how the other design stores it.
func isBase(t *design.Type, it item.Item) bool {
	return t.IsBase(keys.KeyOf(it)) && (t.Shards <= 1 || t.StoresBase(it))
}

// isUnique proves that no other object has a unique value of a complete one. It reports whether a claim is missing.
func (m *Migrator) isUnique(
	ctx context.Context, t *table.Table, typ *design.Type, it item.Item, blocked *BlockedError,
) (bool, error) {
	if m.progress.get().Phase == phaseFill {
		return false, nil
	}
	b, is, isMissing, err := m.duplicate(ctx, t, typ, it)
	if is {
		m.block(blocked, b)
	}
	return isMissing, err
}

// block adds an object that stops the migration.
func (m *Migrator) block(e *BlockedError, b Blocked) {
	e.add(b)
	m.progress.update(func(p *Progress) {
		by := maps.Clone(p.BlockedBy) // that of a Progress that has been returned stays as it is
		if by == nil {
			by = map[Code]int{}
		}
		by[b.Code]++
		p.Blocked, p.BlockedBy = p.Blocked+1, by
	})
}

// touchOf returns the transaction that writes both forms of an object without a change.
func touchOf(t *design.Type, base item.Item) write.Transaction {
	return write.Transaction{Actions: []write.Action{{
		Kind: write.ActionUpdate, Key: keys.KeyOf(base), Type: t.Name, If: []write.Precondition{write.IfStored()},
	}}}
}
