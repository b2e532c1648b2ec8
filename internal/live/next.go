package live

import (
	"time"
)

// maxMissed is how many times more events than Options.Queue a feed gets from the history when it resumes.
const maxMissed = 16

// replaying is what a feed has until it receives the changes that are delivered.
type replaying struct {
	// from is the position after which changes must be read from the stream.
	from *position
	// read is how far earlier replays have read the shards, also those in which there was nothing after from: the next
	// one goes on there.
	read Position
	// isRunning is set while the feed waits for a replay, or is part of one.
	isRunning bool
}

// resume begins a feed after a position. The hub's mutex is held.
func (h *Hub) resume(f *Feed, from *position, now time.Time) error {
	f.setUnknown(from.current)
	f.resumed, f.read = from, from.read
	f.last = queued{resumed: from, after: moment{vector: &vector{}}}
	if from.isOpen {
		f.end(ErrUnsettled)
		return nil
	}
	if h.catchUp(f, from, now) {
		return nil
	}
	if h.options.Reader == nil || from.current.IsZero() {
		return ErrExpired
	}
	f.replaying = &replaying{from: from, read: Position{}}
	return nil
}

// catchUp has a feed continue after a position with the changes of the history, and then with those that are delivered.
// It reports whether the history has all that follow, and not too many for the feed. The hub's mutex is held.
func (h *Hub) catchUp(f *Feed, from *position, now time.Time) bool {
	after, ok := h.remembers(from)
	if !ok {
		return false
	}
	h.extend(f, now.Add(early))
	events := h.between(f, after, now)
	if len(events) > maxMissed*h.options.Queue {
		return false
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
	return true
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

// isReached reports whether a hub at a moment has delivered what is before the position, as far as it has the shards.
func (p *position) isReached(m moment) bool {
	for shard, r := range m.sequences() {
		if CompareSequences(r.sequence, p.shards[shard]) < 0 {
			return false
		}
	}
	return true
}

// Replay has the changes that Next has asked for by ErrReplay read from the stream, and pays for some requests. All
// feeds for which a request is sent share it.
func (f *Feed) Replay(requests float64) {
	f.mu.Lock()
	f.paid += requests
	f.mu.Unlock()
	f.goOn()
}

// goOn continues a feed that must be replayed. It reports whether there was a need, and it has been paid.
func (f *Feed) goOn() bool {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	from, isPaid := f.pausedAt()
	switch {
	case from == nil || h.catchUp(f, from, time.Now()):
		return true
	case !isPaid:
		return false
	}
	h.replays.add(f)
	return true
}

// pausedAt returns the position after which changes must be replayed, nil if none must or they are being replayed. It
// reports whether a replay has been paid.
func (f *Feed) pausedAt() (from *position, isPaid bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil || f.replaying == nil || f.replaying.isRunning {
		return nil, false
	}
	return f.replaying.from, f.paid > 0
}

// Replayed returns how many requests the feed has used since it was called last, and reports whether it may use more.
func (f *Feed) Replayed() (requests float64, mayBeMore bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	requests, f.used = f.used, 0
	return requests, f.err == nil && f.replaying != nil
}

// use counts a part of a request of a replay.
func (f *Feed) use(part float64) {
	f.used += part
	f.paid -= part
}

// hasRoom reports whether the queue has room for replayed events.
func (f *Feed) hasRoom() bool {
	return len(f.queue)-f.head < f.hub.options.Queue && f.bytes < f.hub.options.QueueBytes
}
