package live

import (
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// matcher decides which changes concern a range.
type matcher struct {
	// expiring is the design if items expire, otherwise nil.
	expiring *design.Design
	// own is the condition with all time buckets that have begun. It is replaced, and does not change.
	own   *design.Condition
	index int
	// unknown are the items that had expired before the state was read, so that the reader of the feed does not know them.
	unknown design.Expiry
}

func (m *matcher) setUnknown(at time.Time) {
	if m.expiring != nil {
		m.unknown = m.expiring.ExpiryAt(at)
	}
}

// match returns the event of a change. It reports whether there is one.
func (m *matcher) match(c *Change, in *images, now time.Time) (q queued, ok bool) {
	if c.Tenant != m.own.Tenant {
		return queued{}, false
	}
	old, current := m.find(in.old, c.Old), m.find(in.new, c.New)
	if m.expiring != nil {
		if old >= 0 && m.unknown.IsExpired(c.Old) {
			old = -1
		}
		if current >= 0 && m.expiring.ExpiryAt(now).IsExpired(c.New) {
			current = -1
		}
	}
	q = queued{change: c, was: old >= 0, is: current >= 0, partition: int32(current)}
	if !q.is {
		q.partition = int32(old)
	}
	return q, q.was || q.is
}

// find returns the index of the partition that has an item; -1 if the item is not in the range, is excluded, or is a
// tombstone. An item of a type that the field does not return is in the range: a page has an error for it, and so has
// its event.
func (m *matcher) find(entry keys.Key, it item.Item) int {
	if entry.PK == "" {
		return -1
	}
	i := m.own.Find(entry)
	if i < 0 || keys.IsDeleted(it) || m.own.Excludes(it) {
		return -1
	}
	return i
}

// isImage reports whether an item that was read is an image. An entry of an index has some of its attributes.
func isImage(read, image item.Item) bool {
	isEntry, same := false, 0
	for _, a := range read {
		v, found := image.Find(a.Name)
		switch {
		case found && v.Equal(a.Value):
			same++
		case keys.IsEntryMark(a.Name):
			isEntry = true
		default:
			return false
		}
	}
	return isEntry || same == len(image)
}
