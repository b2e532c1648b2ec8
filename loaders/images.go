package loaders

import (
	"context"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/plan"
)

// Images are an item before and after a change.
type Images struct {
	// Old and New are nil if there is none.
	Old, New item.Item
	// Was and Is report whether they are in the range of a condition.
	Was, Is bool
	// Partition is the index of the partition in which the item is, or else was.
	Partition int
}

// EventOf returns the event of a change for the viewer of a subscription, and reports whether there is one: there is
// none for an item that the viewer could not read before, and cannot read now.
//
// A tombstone, an item that has expired and a damaged item are not in the range. An item that expires leaves the range
// without a change, so that it was there until DynamoDB deletes it.
func (e *Engine) EventOf(ctx context.Context, b *plan.Bound, c *keys.Condition, i Images) (event Event, isAny bool) {
	was := i.Was && !keys.IsDeleted(i.Old) && b.Schema.CheckItem(c, i.Old) == nil && b.Allows(c, i.Old)
	is := i.Is && !e.expiry().IsMissing(i.New)
	var damaged error
	if is {
		damaged = b.Schema.CheckItem(c, i.New)
	}
	switch {
	case damaged != nil:
		e.reportDamage(ctx, i.New, damaged, true)
		event.IsDamaged = b.AllowsItems(c, nil, []item.Item{i.New})
		is = false
	case is:
		is = b.Allows(c, i.New)
	}
	event.Item, event.Partition = i.New, i.Partition
	switch {
	case was && is:
		event.Kind = ChangedEvent
	case is:
		event.Kind = AddedEvent
	default:
		event.Kind, event.Item = RemovedEvent, i.Old
	}
	return event, was || is
}
