package live

import "time"

// early is how long before its beginning a time bucket is read: the clocks of writers may be ahead.
const early = time.Minute

// grow adds the time buckets that have begun to the feeds with open ranges.
func (h *Hub) grow(now time.Time) {
	if now = now.Add(early); h.grows.IsZero() || now.Before(h.grows) {
		return
	}
	h.grows = time.Time{}
	for f := range h.growing {
		h.growFeed(f, now)
	}
}

// growFeed adds the time buckets of a feed that have begun. It removes the feed from growing if there will be no more.
func (h *Hub) growFeed(f *Feed, now time.Time) {
	added, next := h.extend(f, now)
	for _, p := range added {
		h.registry.add(p, f)
	}
	switch {
	case next.IsZero():
		delete(h.growing, f)
	case h.grows.IsZero() || next.Before(h.grows):
		h.grows = next
	}
}

// extend adds the time buckets that have begun to the places of a feed. It returns these places, and when the next
// bucket begins; zero if there will be none, or the keys of later ones are too long.
func (h *Hub) extend(f *Feed, now time.Time) (added []place, next time.Time) {
	own := *f.own // a replay may be using the other one
	next, err := own.Grow(now)
	if err != nil {
		next = time.Time{}
	}
	if more := own.Partitions[len(f.own.Partitions):]; len(more) > 0 {
		for _, p := range more {
			added = append(added, h.scheme.place(own.Tenant, f.index, p.PK))
		}
		f.places = append(f.places, added...)
		f.own = &own
		f.grown(now)
	}
	return added, next
}
