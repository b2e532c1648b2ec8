package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// remover removes what only one of two designs has.
type remover struct {
	*Migrator
	// gone is the design that the table leaves, kept the other one, with the translations between their objects.
	gone, kept *table.Table
	// of and to are their sides.
	of, to    side
	translate *migrate.Translation
	raw       *table.Table
	// follower has what the former form of an object is compared with; nil on the way back.
	follower *follow.Follower
	blocked  *BlockedError
	// converter is that of the side which remains.
	converter converter
	// isRepeated is set in all passes but the first one.
	isRepeated bool
}

// remove removes the items and attributes that only the side has that the table leaves. It proves of each that its
// object has its form by the other side, and leaves what belongs to none.
func (m *Migrator) remove(ctx context.Context, w *watcher) error {
	names := migrate.NewNames(m.from, m.to)
	r := &remover{
		Migrator: m, gone: m.by(m.from), kept: m.by(m.to), of: m.side(migrate.From), to: m.side(migrate.To),
		translate: names.Forward(),
	}
	if m.record.Goal == migrate.Former {
		r.gone, r.kept, r.of, r.to, r.translate = r.kept, r.gone, r.to, r.of, names.Back()
	} else {
		r.follower = follow.New(migrate.Filling, m.from, m.to).Deriving(follow.Derivation{KeepsMissing: true})
	}
	r.converter = m.converter(m.record.Goal.Reads())
	// Items are read as they are stored: what both designs have of one, and what only one of them has.
	r.raw = m.raw()
	first, _ := m.progress.at(phaseRemove)
	for n := first; n < first+maxPasses; n++ {
		r.blocked, r.isRepeated = &BlockedError{}, n > first
		written, err := m.pass(ctx, r.raw, phaseRemove, n, r.visit)
		blocked := max(r.blocked.count(), m.progress.get().Blocked)
		switch {
		case err != nil:
			return err
		case written > 0 || blocked > r.blocked.count() || blocked > 0 && n == first && w != nil:
		case blocked > 0:
			return r.blocked.sorted()
		default:
			return nil
		}
		// What another program has written meanwhile gets its other form.
		if err := w.catchUp(ctx); err != nil {
			return err
		}
	}
	if r.blocked.count() > 0 {
		return r.blocked.sorted()
	}
	return errors.New("run: bug: what has been removed is there again: other programs write what the former design has")
}

// visit removes an item, or attributes of it. It reports whether it has removed anything.
func (r *remover) visit(ctx context.Context, stored item.Item) (bool, error) {
	// Another program may have written the form of attributes that the table leaves.
	if isConverted, err := r.converter.convert(ctx, stored); isConverted || err != nil {
		return isConverted, err
	}
	if isForm(r.to.design, r.to.item(stored)) {
		// A gateway with the other schema may write attributes of its own at any time.
		isStripped, err := r.strip(ctx, stored)
		return isStripped && !r.isRepeated, err
	}
	it := r.of.item(stored)
	if r.of.isLoose(keys.KeyOf(it)) {
		return r.removeLoose(ctx, stored, it)
	}
	if !isForm(r.of.design, it) {
		return false, nil
	}
	base, isOnly, err := r.isBlocked(ctx, it)
	if isOnly || err != nil {
		return false, err
	}
	needed, err := r.isNeeded(ctx, it, base)
	if needed {
		key := r.key(stored)
		r.Log.WarnContext(ctx, "an item is left, because what it has is nowhere else", "pk", key.PK, "sk", key.SK)
	}
	if needed || err != nil {
		return false, err
	}
	return r.send(ctx, r.raw, write.DeleteItem(r.key(stored), unchanged(stored)...))
}

// isBlocked reports whether the base item of an object has what its form by the later design does not have, because
// another program has written it: removing it would lose that. It returns that form if it was read.
func (r *remover) isBlocked(ctx context.Context, it item.Item) (base item.Item, is bool, err error) {
	gone, kept := r.gone.Schema().Design, r.kept.Schema().Design
	t, key := gone.Type(it.Type()), keys.KeyOf(it)
	if r.follower == nil || t == nil || !t.IsBase(key) || gone.ExpiryAt(r.gone.Now()).IsExpired(it) {
		return nil, false, nil
	}
	for {
		object, is := r.translate.Object(it)
		if !is {
			return nil, false, nil
		}
		other, err := baseKey(kept, object)
		if err != nil {
			return nil, false, nil //nolint:nilerr // without a key there is no other form: it is left
		}
		if base, err = r.get(ctx, r.kept, other); err != nil {
			return nil, false, err
		}
		differs := r.follower.Differs(it, base, false)
		if base != nil && len(differs) == 0 {
			return base, false, nil
		}
		now, err := r.get(ctx, r.gone, key)
		if err != nil || now == nil {
			return nil, false, err // A gateway has deleted both forms.
		}
		if !item.FieldsValue(now).Equal(item.FieldsValue(it)) {
			it = now
			continue
		}
		if base == nil {
			differs = nil
		}
		r.progress.block(r.blocked, differing(t, key, differs))
		return base, true, nil
	}
}

// isBlockedToStrip is isBlocked for the base item of an object in both designs, of which attributes with these names
// would be removed.
func (r *remover) isBlockedToStrip(stored item.Item, names []string) bool {
	gone, kept := r.gone.Schema().Design, r.kept.Schema().Design
	it, key := gone.FromStored(slices.Clone(stored)), r.key(stored)
	t := gone.Type(it.Type())
	if r.follower == nil || t == nil || !t.IsBase(keys.KeyOf(it)) {
		return false
	}
	it = slices.DeleteFunc(it, func(a item.Attribute) bool {
		of := t.Attribute(a.Name)
		return a.Name != item.EntityType && (of == nil || !slices.Contains(names, of.StoredName()))
	})
	left := slices.DeleteFunc(slices.Clone(stored), func(a item.Attribute) bool { return slices.Contains(names, a.Name) })
	differs := r.follower.Differs(it, kept.FromStored(left), true)
	if len(differs) > 0 {
		r.progress.block(r.blocked, differing(t, key, differs))
	}
	return len(differs) > 0
}

// differing is an object with attributes that another program has written.
func differing(t *design.Type, key keys.Key, names []string) Blocked {
	problem := "another program has written it by the former design, and it is not stored by the later one"
	if len(names) > 0 {
		problem = "another program has written " + strings.Join(names, ", ") + " by one of both designs alone"
	}
	return Blocked{Code: Differs, Type: t.Name, PK: key.PK, SK: key.SK,
		Problem: problem + ": write it through a gateway, or delete the former item, and finish again"}
}

// removeLoose removes a loose item, if it is there with the tenant of the side that remains as well.
func (r *remover) removeLoose(ctx context.Context, stored, it item.Item) (bool, error) {
	key := keys.KeyOf(it)
	moved, err := r.get(ctx, r.kept, key)
	if err != nil {
		return false, err
	}
	isExpired := r.of.design.ExpiryAt(r.gone.Now()).IsExpired(it)
	if isExpired || moved != nil && item.FieldsValue(moved).Equal(item.FieldsValue(it)) {
		return r.send(ctx, r.raw, write.DeleteItem(r.key(stored), unchanged(stored)...))
	}
	switch now, err := r.get(ctx, r.gone, key); {
	case err != nil || now == nil:
		return false, err
	case !item.FieldsValue(now).Equal(item.FieldsValue(it)):
		return true, nil // It has changed meanwhile: the next pass looks at it.
	case r.follower == nil:
		r.Log.WarnContext(ctx, "an item is left, because what it has is nowhere else", "pk", key.PK, "sk", key.SK)
		return false, nil
	}
	r.progress.block(r.blocked, Blocked{Code: Differs, Type: it.Type(), PK: key.PK, SK: key.SK,
		Problem: "another program has written it without the tenant: write it with that, or delete it, and finish again"})
	return false, nil
}

// isNeeded reports whether the object of an item of the design that the table leaves has no form by the other one, so
// that the item may be all that is left of it. base is that form if it was read.
func (r *remover) isNeeded(ctx context.Context, it, base item.Item) (bool, error) {
	gone, kept := r.gone.Schema().Design, r.kept.Schema().Design
	t := gone.Type(it.Type())
	if t == nil {
		return r.isClaimNeeded(ctx, it)
	}
	if keys.IsDeleted(it) && isLatest(t, it) {
		return false, nil
	}
	if r.translate.TypeOf(t.Name) == "" {
		return true, nil // The other design has no such type: only a person can know whether it is needed.
	}
	object, _ := r.translate.Object(it)
	key, err := baseKey(kept, object)
	if err != nil {
		return true, nil //nolint:nilerr // without a key there is no other form
	}
	isOfBoth := func(one item.Item) bool { return keys.KeyOf(one) == keys.KeyOf(it) }
	if items, _ := write.ItemsOf(kept, kept.Type(object.Type()), object); !r.isMoved() &&
		(isOfBoth(key.Item()) || slices.ContainsFunc(items, isOfBoth)) {
		return true, nil // It would be its own proof.
	}
	if base == nil {
		if base, err = r.get(ctx, r.kept, key); err != nil {
			return false, err
		}
	}
	return base == nil || hasMore(gone, t, it, base), nil
}

// baseKey returns the key of the base item of an object.
func baseKey(d *design.Design, object item.Item) (keys.Key, error) {
	return d.Type(object.Type()).BaseKey(func(name string) keys.Value { return keys.AttributeValue(object, name) })
}

// hasMore reports whether an item has an attribute that its design does not know and that the object does not have: an
// attribute of another program on this item alone.
func hasMore(d *design.Design, t *design.Type, it, base item.Item) bool {
	return slices.ContainsFunc(it, func(a item.Attribute) bool {
		if t.Attribute(a.Name) != nil || d.IsKeyAttribute(a.Name) || a.Name == item.EntityType ||
			a.Name == t.Expires || a.Name == keys.AttributeDeletedAt || t.IsConstant(a.Name) {
			return false
		}
		v, has := base.Find(a.Name)
		return !has || !v.Equal(a.Value)
	})
}

// isClaimNeeded is isNeeded for a claim: that of an object which exists in no form is left to a check.
func (r *remover) isClaimNeeded(ctx context.Context, it item.Item) (bool, error) {
	gone, kept := r.gone.Schema().Design, r.kept.Schema().Design
	of, u := write.ClaimOf(gone, it)
	holder := write.UniqueClaims(of, u).HolderOf(it)
	to := kept.Type(r.translate.TypeOf(of.Name))
	if to == nil {
		return true, nil
	}
	key, err := write.ObjectKey(to, keys.NewID(to.Name, holder.Value()))
	if err != nil {
		return true, nil //nolint:nilerr // nobody knows whose it is
	}
	base, err := r.get(ctx, r.kept, key)
	return base == nil, err
}

// strip removes the attributes of an item that only the design has that the table leaves.
func (r *remover) strip(ctx context.Context, stored item.Item) (bool, error) {
	names := follow.OnlyOf(r.gone.Schema().Design, r.kept.Schema().Design, r.translate, stored)
	if len(names) == 0 || r.isBlockedToStrip(stored, names) {
		return false, nil
	}
	after := slices.DeleteFunc(slices.Clone(stored), func(a item.Attribute) bool { return slices.Contains(names, a.Name) })
	return r.send(ctx, r.raw, write.Action{
		Kind: write.ActionUpdate, Key: r.key(stored), Remove: names, After: after, If: unchanged(stored),
	})
}

func (r *remover) key(stored item.Item) keys.Key { return r.raw.Schema().Layout().KeyOf(stored) }
