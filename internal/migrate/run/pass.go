package run

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// maxPasses limits how often the table is read until nothing is missing. Two are enough: all that is written meanwhile
// is complete.
const maxPasses = 5

// pass reads the whole table as a design has it, from where the phase has been left, and calls visit with each item,
// for several at a time. It returns what visit has returned in all: how many items it has written.
func (m *Migrator) pass(
	ctx context.Context, t *table.Table, phase string, n int, visit func(context.Context, item.Item) (bool, error),
) (written int, err error) {
	m.progress.begin(phase, n)
	if now := m.progress.get(); now.IsDone { // by a process that has ended before the next pass
		return now.Written, nil
	}
	for {
		page, err := (admin.Scanner{Table: t}).Scan(ctx, admin.Scan{Start: m.progress.get().Start})
		if err != nil {
			return 0, err
		}
		if err := m.progress.consume(ctx, page); err != nil {
			return 0, err
		}
		group, within := errgroup.WithContext(ctx)
		group.SetLimit(m.Parallel)
		for i, it := range page.Items {
			ctx := within
			if page.Tenants != nil {
				ctx = request.WithTenant(within, page.Tenants[i])
			}
			group.Go(func() error {
				isWritten, err := visit(ctx, it)
				if isWritten {
					m.progress.update(func(p *Progress) { p.Written++ })
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return 0, err
		}
		m.progress.update(func(p *Progress) {
			p.Items += len(page.Items)
			p.Start = page.Last.Base
			p.IsDone = page.Last.Base == keys.Key{}
		})
		if page.Last.Base == (keys.Key{}) {
			return m.progress.get().Written, nil
		}
	}
}

// get returns an item, nil if there is none.
func (m *Migrator) get(ctx context.Context, t *table.Table, key keys.Key) (item.Item, error) {
	result, err := t.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	if spent := m.progress.consume(ctx, result); spent != nil {
		return nil, spent
	}
	if err != nil || len(result.Items) == 0 {
		return nil, err
	}
	return result.Items[0], nil
}

// send carries out an action on an item as it is stored, as long as it is as it was read. What has changed meanwhile is
// left to the next pass.
func (m *Migrator) send(ctx context.Context, t *table.Table, a write.Action) (bool, error) {
	result, err := t.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{a}})
	if spent := m.progress.consume(ctx, result); spent != nil {
		return false, spent
	}
	if _, is := errors.AsType[*write.ConditionError](err); is {
		return true, nil
	}
	return err == nil, err
}

// unchanged returns the conditions that an item is as it was read.
func unchanged(it item.Item) []write.Precondition {
	conditions := []write.Precondition{write.IfStored()}
	for _, a := range it {
		if a.Value.Kind != item.Null && a.Name != keys.AttributePK && a.Name != keys.AttributeSK {
			conditions = append(conditions, write.IfEquals(a.Name, a.Value))
		}
	}
	return conditions
}
