package live

import (
	"slices"
	"time"
)

// maxMissed is how many times more events than Options.Queue a feed gets from the history when it resumes.
const maxMissed = 16

// catchUp has a feed continue after a position with the changes of the history, and then with those that are delivered.
// It reports whether the history has all that follow, and not too many for the feed; away are those of them whose items
// must be fetched first. The hub's mutex is held.
func (h *Hub) catchUp(f *Feed, from *position, now time.Time) (ok bool, away []*Change) {
	after, ok := h.remembers(from)
	if !ok {
		return false, nil
	}
	h.extend(f, now.Add(early))
	events, away := h.between(f, after, now)
	if len(away) > 0 || len(events) > maxMissed*h.options.Queue {
		return false, away
	}
	h.register(f, now)
	f.mu.Lock()
	defer f.mu.Unlock()
	isExact := from.epoch == h.epoch && !from.isJoined
	if f.replaying = nil; !isExact {
		f.joining, f.begun = from, now
		h.settling = append(h.settling, f)
	}
	for _, q := range events {
		if isExact {
			f.push(q)
		} else {
			f.join(q)
		}
		f.missed = len(f.queue) - f.head
	}
	f.wake()
	return true, nil
}

// remembers returns the number of a change, so that those after it include all after the position. It reports whether
// the history has them.
func (h *Hub) remembers(p *position) (after uint64, ok bool) {
	if p.epoch == h.epoch {
		return p.number, p.number+1 >= h.history.first
	}
	since := p.current.Add(-settled)
	return 0, !p.current.IsZero() && !h.started.IsZero() && h.started.Before(since) && h.history.forgotten.Before(since)
}

// between returns the events of the feed after a change with a number, as far as the items are here, and the changes
// whose items are away.
func (h *Hub) between(f *Feed, after uint64, now time.Time) (events []queued, away []*Change) {
	var numbers []uint64
	for i, p := range f.places {
		if !slices.Contains(f.places[:i], p) {
			numbers = h.history.appendNumbers(numbers, p, after)
		}
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		r := h.history.weigh(n)
		if r.change.Away != nil {
			away = append(away, r.change)
			continue
		}
		h.places = h.scheme.read(r.change, h.images, h.places[:0])
		if q, ok := f.match(r.change, &h.images[f.index], now); ok {
			q.after, q.number = r.after, n
			events = append(events, q)
		}
	}
	return events, away
}
