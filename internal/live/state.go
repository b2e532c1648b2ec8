package live

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// State is the first state of a live field, as it was read.
type State struct {
	// Items are those of the field's range in its order, or a part of them without a gap.
	Items []item.Item
	// Before and After report whether the range may have more items before Items, and after them.
	Before, After bool
}

// settling decides which changes the first state has.
//
// A stream has the versions of an item as a chain: the old image of each change is the new image of the one before. The
// state has one of the versions, or shows that the item was not where the state has all items. The changes until that
// version are in the state, and the later ones are not, wherever in the stream the reading took place:
//
//   - A change whose new image is the version is the last one that the state has. If there are several, the last one is
//     taken: an item that changes and changes back while it is read may be left out, and ends as it was.
//   - The first change whose old image is the version is the first one that the state does not have.
//   - An item whose changes have neither is ahead of the stream: they are left out until the version comes.
//
// For example, the state has A in version 2 and B in version 5, and the stream then has A 1→2, B 3→4, A 2→3, B 4→5 and
// B 5→6, each with its old and its new image. A 1→2 and B 4→5 are the last ones that the state has, so that A 2→3 and
// B 5→6 are passed. B 3→4 is left out, since version 5 has not come by then.
//
// After the version has been found, all changes of the item are passed. Everything that was committed before the state
// was read is delivered a moment later, and then the state is not needed any more. An item whose version has not come
// by then was read from an index that was further behind than the history, or had another form when it was read: its
// last change is delivered, so that nothing is lost.
type settling struct {
	// attribute has the sort keys of the range.
	attribute string
	// since is the number of the last change before Subscribe.
	since uint64
	// known are the items of the state, and further ones that have changed.
	known map[keys.Key]*known
	// The state has all items of the range with sort keys between low and high, both exclusive, or no limit if they are
	// "". It has no others if nothing is set.
	low, high keys.SK
	nothing   bool
	// open is how many items have changes that were left out, and whose version has not come.
	open int
}

// known is what the reader of a feed knows of an item.
type known struct {
	// item is the version in the state, nil if the state shows that the item was not there.
	item item.Item
	// found is set as soon as all further changes are passed.
	found bool
	// left is the last change that was left out before.
	left *queued
}

func newSettling(s State, attribute string, descending bool, since uint64) *settling {
	t := &settling{attribute: attribute, since: since, known: make(map[keys.Key]*known, len(s.Items))}
	for _, it := range s.Items {
		t.known[keys.KeyOf(it)] = &known{item: it}
	}
	if len(s.Items) == 0 {
		t.nothing = s.Before || s.After
		return t
	}
	low, high := keys.SK(s.Items[0].Text(attribute)), keys.SK(s.Items[len(s.Items)-1].Text(attribute))
	below, above := s.Before, s.After
	if descending {
		low, high, below, above = high, low, above, below
	}
	if below {
		t.low = low
	}
	if above {
		t.high = high
	}
	return t
}

// covers reports whether the state has all items with the sort key of an image.
func (t *settling) covers(image item.Item) bool {
	if t.nothing {
		return false
	}
	sk := keys.SK(image.Text(t.attribute))
	return (t.low == "" || sk > t.low) && (t.high == "" || sk < t.high)
}

// has reports whether an image is the version of the state; in is whether it is in the range.
func (t *settling) has(k *known, image item.Item, in bool) bool {
	if k.item == nil {
		return !in || !t.covers(image)
	}
	return in && isImage(k.item, image)
}

// first returns the events that the state does not have, of those that were delivered before Begin.
func (t *settling) first(events []queued) []queued {
	// last are the indexes of the last events that the state has.
	last := make(map[keys.Key]int)
	for i := range events {
		if q := &events[i]; t.isLast(q) {
			last[q.change.Key] = i
		}
	}
	passed := events[:0]
	for i, q := range events {
		n, found := last[q.change.Key]
		if found && i <= n {
			if i == n {
				t.find(t.of(q.change.Key))
			}
			continue
		}
		if t.accept(&q) {
			passed = append(passed, q)
		}
	}
	return passed
}

// isLast reports whether the state has the change of an event, as far as is known without the other events.
func (t *settling) isLast(q *queued) bool {
	k := t.known[q.change.Key]
	before := q.number <= t.since
	switch {
	case k == nil:
		// An item beyond the state was there before: that is no news.
		return !q.is || before && !t.covers(q.change.New)
	case keys.IsEntry(k.item):
		// The rest of the item was read after the entry, and a change of it may be in neither.
		return before && q.is && isImage(k.item, q.change.New)
	default:
		return q.is && isImage(k.item, q.change.New)
	}
}

func (t *settling) of(key keys.Key) *known {
	k := t.known[key]
	if k == nil {
		k = &known{}
		t.known[key] = k
	}
	return k
}

// accept reports whether an event is passed, and sets whether the reader knows that the item was in the range.
func (t *settling) accept(q *queued) bool {
	k := t.of(q.change.Key)
	switch {
	case k.found:
		return true
	case t.has(k, q.change.Old, q.was):
		t.find(k)
		return true
	case t.has(k, q.change.New, q.is):
		t.find(k)
		if k.item != nil || !q.is {
			return false
		}
		q.was = false // it has moved from where the state would have it
		return true
	default:
		left := *q
		if k.left == nil {
			t.open++
		}
		k.left = &left
		return false
	}
}

// find notes that the version of an item has come.
func (t *settling) find(k *known) {
	if k.found = true; k.left != nil {
		t.open--
	}
}

// late returns the last changes of the items whose version has not come.
func (t *settling) late() []queued {
	var events []queued
	for _, k := range t.known {
		if k.found || k.left == nil {
			continue
		}
		q := *k.left
		q.was = k.item != nil
		if !q.is && q.partition < 0 {
			continue
		}
		if q.was || q.is {
			events = append(events, q)
		}
	}
	return events
}
