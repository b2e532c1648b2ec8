package run

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// convert gives each attribute that has another form by each design the form by From again, before that is read.
func (m *Migrator) convert(ctx context.Context) error {
	first, _ := m.progress.at(phaseConvert)
	for n := first; n < first+maxPasses; n++ {
		written, err := m.pass(ctx, m.raw(), phaseConvert, n, m.convertItem)
		if err != nil {
			return err
		}
		if written == 0 {
			return nil
		}
	}
	return errors.New("run: bug: attributes have the form of the later design again each time they are converted")
}

// convertItem converts the attributes of a stored item. It reports whether it has changed any.
func (m *Migrator) convertItem(ctx context.Context, stored item.Item) (bool, error) {
	d := m.from.Design
	it := m.side(migrate.From).fromStored(stored)
	t := d.Type(it.Type())
	if t == nil || keys.IsDeleted(it) {
		return false, nil
	}
	items, err := write.ItemsOf(d, t, it)
	n := slices.IndexFunc(items, func(one item.Item) bool { return keys.KeyOf(one) == keys.KeyOf(it) })
	if err != nil || n < 0 {
		return false, nil //nolint:nilerr // what does not follow from the design is left as it is
	}
	a := write.Action{Kind: write.ActionUpdate, Key: m.raw().Schema().Layout().KeyOf(stored), If: unchanged(stored)}
	for _, want := range d.ToStored(items[n]) {
		if have, has := stored.Find(want.Name); has && !have.Equal(want.Value) {
			a.Set = append(a.Set, want)
		}
	}
	if len(a.Set) == 0 {
		return false, nil
	}
	return m.send(ctx, m.raw(), a)
}
