package loaders

import (
	"context"
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Images are an item before and after a change.
type Images struct {
	// Old and New are nil if there is none.
	Old, New item.Item
	// Was and Is report whether they are in the range of a condition.
	Was, Is bool
	// Partition is the index of the partition in which the item is, or else was.
	Partition int
	// Earlier are the members by which the viewer had the item before.
	Earlier *plan.Members
}

// before returns the plan of a subscription as it was before the change.
func (i Images) before(b *plan.Bound) *plan.Bound {
	if i.Earlier == nil && b.Witness == nil {
		return b
	}
	own := *b
	own.Members, own.Witness = i.Earlier.Or(b.Members), b.Witness.Before()
	return &own
}

// Holds reports whether the event of a change, and its answer, are the same for another subscription with the same
// variables.
func (e *Engine) Holds(w *plan.Witness, b *plan.Bound, i Images) bool { return w.Holds(b, i.before(b)) }

// Members returns the keys of the members on which the decision about a change depends.
func (e *Engine) Members(b *plan.Bound, c *design.Condition, i Images) []keys.Key {
	members := b.Awaited(c)
	if !b.AwaitsItems(c) {
		return members
	}
	for _, it := range []item.Item{i.Old, i.New} {
		if it == nil {
			continue
		}
		if checked, err := b.CheckItem(c, it); err == nil {
			for _, key := range b.AwaitedByItems(c, []item.Item{checked}) {
				if !slices.Contains(members, key) {
					members = append(members, key)
				}
			}
		}
	}
	return members
}

// Admit reads members. It returns the plan of a subscription with them, and what the Reads have cost.
func (e *Engine) Admit(ctx context.Context, b *plan.Bound, members []keys.Key) (*plan.Bound, Cost, error) {
	ctx = e.Begin(ctx, b.OfEvent())
	op := OperationOf(ctx)
	err := op.readMembersOf(members)
	own := *b
	own.Members = op.bound.Members
	if e.source != nil {
		own.Now = e.source.Now()
	}
	return &own, e.Cost(ctx), err
}

// MembersOf returns the members that the operation of a context has read.
func (e *Engine) MembersOf(ctx context.Context) *plan.Members { return OperationOf(ctx).bound.Members }

// EventOf returns the event of a change for the viewer of a subscription, and reports whether there is one: there is
// none for an item that the viewer could not read before, and cannot read now.
//
// A tombstone, an item that has expired and a damaged item are not in the range. Of a damaged one there is an event
// with an error, unless it was damaged before. An item that expires leaves the range without a change, so that it was
// there until DynamoDB deletes it.
func (e *Engine) EventOf(ctx context.Context, b *plan.Bound, c *design.Condition, i Images) (event Event, isAny bool) {
	var old item.Item
	wasDamaged := false
	if i.Was && !keys.IsDeleted(i.Old) && !c.Excludes(i.Old) {
		old, wasDamaged = visible(i.before(b), c, i.Old)
	}
	was := old != nil
	is := i.Is && !e.expiry().IsMissing(i.New) && !c.Excludes(i.New)
	var damaged error
	if is {
		event.Item, damaged = b.CheckItem(c, i.New)
	}
	switch {
	case damaged != nil:
		e.reportDamage(ctx, i.New, damaged, true)
		event.IsDamaged = b.AllowsItems(c, nil, []item.Item{i.New})
		is = false
	case is:
		is = b.Allows(c, event.Item)
	}
	event.Partition = i.Partition
	switch {
	case was && is:
		event.Kind = ChangedEvent
	case is:
		event.Kind = AddedEvent
	case was:
		event.Kind, event.Item = RemovedEvent, old
	default:
		event.Kind, event.Item, event.WasMissing = RemovedEvent, i.New, true
	}
	return event, was || is || event.IsDamaged && !wasDamaged
}

// visible returns an item as the viewer of a subscription has got it; nil for one that was not shown. It reports
// whether the item is damaged.
func visible(b *plan.Bound, c *design.Condition, it item.Item) (_ item.Item, isDamaged bool) {
	checked, err := b.CheckItem(c, it)
	if err != nil || !b.Allows(c, checked) {
		return nil, err != nil
	}
	return checked, false
}
