package loaders

import (
	"cmp"
	"context"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// First follows the object of a subscription whose field is the first item of a Query.
type First struct {
	item      item.Item // nil for none
	partition int
	// isShown is set if the viewer has got the object.
	isShown bool
}

// FirstOf returns the object that a CurrentEvent has read, with the members that decide about it.
func (e *Engine) FirstOf(b *plan.Bound, c *design.Condition, s State, members *plan.Members) First {
	if len(s.Items) == 0 {
		return First{}
	}
	f := First{item: s.Items[0], partition: s.Partitions[0]}
	it, _ := visible(Images{Earlier: members}.before(b), c, f.item)
	f.isShown = it != nil
	return f
}

// IsShown reports whether the viewer has got an object, not null.
func (f *First) IsShown() bool { return f.isShown }

// IsStale reports whether a state that was read after a change still begins with the item before it: the index was
// behind the stream.
func (s State) IsStale(i Images) bool {
	return len(s.Items) > 0 && i.Old != nil && keys.KeyOf(s.Items[0]) == keys.KeyOf(i.Old) && isEqual(s.Items[0], i.Old)
}

func isEqual(read, image item.Item) bool {
	for _, a := range read {
		if v, found := image.Find(a.Name); found && !v.Equal(a.Value) {
			return false
		}
	}
	return true
}

// Follow returns the event of a change, and reports whether there is one: there is none if another item remains the
// first one, and if the viewer has null before and after. If the first item has left its place, another one may be the
// first, and isLost is set: the state must be read again.
func (e *Engine) Follow(
	ctx context.Context, b *plan.Bound, c *design.Condition, f *First, i Images,
) (event Event, isAny, isLost bool) {
	is := i.Is && !e.expiry().IsMissing(i.New) && !c.Excludes(i.New)
	isFirst := f.item != nil && (i.Old != nil && keys.KeyOf(f.item) == keys.KeyOf(i.Old) ||
		i.New != nil && keys.KeyOf(f.item) == keys.KeyOf(i.New))
	order := -1
	if is && f.item != nil {
		order = compare(c, i.New, i.Partition, f.item, f.partition)
	}
	switch {
	case isFirst && (!is || order > 0), is && !isFirst && order == 0:
		return Event{}, false, true
	case !is, order > 0:
		return Event{}, false, false
	}
	event, isAny = e.EventOf(ctx, b, c, Images{Old: f.item, New: i.New, Was: f.item != nil, Is: true,
		Partition: i.Partition, Earlier: i.Earlier})
	f.item, f.partition, f.isShown = i.New, i.Partition, event.Kind != RemovedEvent
	return event, isAny, false
}

// compare compares the places of two items in the order of a condition: in time buckets by these first, otherwise by
// their sort keys and then by their partitions.
func compare(c *design.Condition, a item.Item, partA int, b item.Item, partB int) int {
	attribute := keys.IndexSK(c.Field.Index)
	byPartition, bySK := cmp.Compare(partA, partB), cmp.Compare(a.Text(attribute), b.Text(attribute))
	order := cmp.Or(bySK, byPartition)
	if c.Chronological() {
		order = cmp.Or(byPartition, bySK)
	}
	if c.Field.Descending {
		return -order
	}
	return order
}
