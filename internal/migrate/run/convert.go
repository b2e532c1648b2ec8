package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// converter gives attributes that have another form by each design the form by the side that remains.
type converter struct {
	*Migrator
	of    side
	parts []migrate.Part
}

func (m *Migrator) converter(s migrate.Side) converter {
	parts := slices.DeleteFunc(migrate.Compare(m.from, m.to).Parts, func(p migrate.Part) bool { return !p.IsInPlace })
	return converter{m, m.side(s), parts}
}

// all converts all items.
func (c converter) all(ctx context.Context) error {
	if len(c.parts) == 0 {
		return nil
	}
	first, _ := c.progress.at(phaseConvert)
	for n := first; n < first+maxPasses; n++ {
		written, err := c.pass(ctx, c.raw(), phaseConvert, n, c.convert)
		if err != nil {
			return err
		}
		if written == 0 {
			return nil
		}
	}
	return errors.New("run: bug: attributes have the form of the other design again each time they are converted")
}

// convert converts the attributes of a stored item. It reports whether it has changed any.
func (c converter) convert(ctx context.Context, stored item.Item) (bool, error) {
	if len(c.parts) == 0 {
		return false, nil
	}
	d := c.of.design
	it := c.of.fromStored(stored)
	key := keys.KeyOf(it)
	if d.Type(it.Type()) == nil {
		it, _ = c.of.back.Object(c.of.other.FromStored(slices.Clone(stored)))
	}
	t := d.Type(it.Type())
	if t == nil || keys.IsDeleted(it) {
		return false, nil
	}
	items, err := write.ItemsOf(d, t, it)
	n := slices.IndexFunc(items, func(one item.Item) bool { return keys.KeyOf(one) == key })
	if err != nil || n < 0 {
		return false, nil //nolint:nilerr // what does not follow from the design is left as it is
	}
	names := c.names(t)
	a := write.Action{Kind: write.ActionUpdate, Key: c.raw().Schema().Layout().KeyOf(stored), If: unchanged(stored)}
	wanted := d.ToStored(items[n])
	for _, want := range wanted {
		have, has := stored.Find(want.Name)
		if (has || t.IsConstant(want.Name)) && !have.Equal(want.Value) && slices.Contains(names, want.Name) {
			a.Set = append(a.Set, want)
		}
	}
	a.Remove = c.leftEntries(t, stored, wanted)
	if len(a.Set)+len(a.Remove) == 0 {
		return false, nil
	}
	return c.send(ctx, c.raw(), a)
}

// leftEntries returns the keys of entries in indexes that a stored item has by the other design alone: one of them has
// no entry for objects without some value.
func (c converter) leftEntries(t *design.Type, stored, wanted item.Item) []string {
	later := c.later(t)
	var left []string
	for _, p := range c.parts {
		if later == nil || p.Type != later.Name || p.Kind != migrate.IndexEntry {
			continue
		}
		index := c.to.Layout.Index(p.Name)
		for _, name := range slices.Concat(index.PK.Names(), index.SK.Names()) {
			_, has := stored.Find(name)
			if _, is := wanted.Find(name); has && !is {
				left = append(left, name)
			}
		}
	}
	return left
}

// later returns a type by the later design, nil if that does not have it.
func (c converter) later(t *design.Type) *design.Type {
	if c.of.Side == migrate.From {
		return c.to.Type(c.of.forward.TypeOf(t.Name))
	}
	return t
}

// names returns the stored names of the attributes of a type that have two forms.
func (c converter) names(t *design.Type) []string {
	later, layout := c.later(t), c.to.Layout
	var names []string
	for _, p := range c.parts {
		attribute, _, _ := strings.Cut(p.Name, ".") // A part of an object within is a part of the whole value.
		switch {
		case later == nil || p.Type != "" && p.Type != later.Name:
		case p.Kind == migrate.IndexEntry:
			names = slices.Concat(names, layout.Index(p.Name).PK.Names(), layout.Index(p.Name).SK.Names())
		case p.Kind == migrate.TypeValue:
			names = append(names, layout.Type)
			for _, constant := range t.Constants {
				names = append(names, constant.Name)
			}
		case later.Attribute(attribute) != nil:
			names = append(names, later.Attribute(attribute).StoredName())
		}
	}
	return names
}
