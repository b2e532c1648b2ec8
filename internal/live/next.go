package live

import (
	"errors"
	"time"

	"github.com/partita/partita/keys/design"
)

// Replay has the changes that Poll has asked for by ErrReplay read from the stream, and pays for some requests. All
// feeds for which a request is sent share it.
func (f *Feed) Replay(requests float64) {
	f.mu.Lock()
	f.paid += requests
	f.mu.Unlock()
	f.goOn()
}

// goOn continues a feed that must be replayed. It reports whether there was a need, and it has been paid.
func (f *Feed) goOn() bool {
	h, goesOn := f.hub, true
	h.withItems(func(mustDo bool) []*Change {
		from, isPaid := f.pausedAt()
		if from == nil {
			return nil
		}
		ok, away := h.catchUp(f, from, time.Now())
		switch {
		case ok:
		case len(away) > 0 && !mustDo:
			return away
		case isPaid:
			h.replays.add(f)
		default:
			goesOn = false
		}
		return nil
	})
	return goesOn
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

// kept is the capacity of an empty queue that is not freed.
const kept = 4

func (f *Feed) pop() (e Event, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.err != nil:
		return Event{}, false, f.err
	case f.head < len(f.queue):
	case f.replaying != nil && !f.replaying.isRunning:
		return Event{}, false, ErrReplay
	default:
		return Event{}, false, nil
	}
	q := f.queue[f.head]
	if f.resumed != nil && f.resumed.isUnsettled(q.change) {
		f.endLocked(ErrUnsettled)
		return Event{}, false, f.err
	}
	f.queue[f.head] = queued{}
	f.missed = max(0, f.missed-1)
	f.bytes -= q.bytes
	if f.head++; f.head == len(f.queue) {
		if f.queue, f.head = f.queue[:0], 0; cap(f.queue) > kept {
			f.queue = nil
		}
	}
	if q.isLate {
		f.late--
	}
	q.isOpen = f.isOpen()
	f.last = q
	if f.condition.Field.Kind != design.Query {
		f.read = time.Time{} // its one item is found: the state has no change after this one
	}
	if !f.bucketsUntil.IsZero() {
		_, _ = f.condition.Grow(f.bucketsUntil) // the hub has made the same buckets
		f.bucketsUntil = time.Time{}
	}
	read := f.read
	position := func() string { return f.hub.positions.after(f.condition.Tenant, &q, read) }
	return Event{Change: q.change, Was: q.was, Is: q.is, Partition: int(q.partition), Position: position}, true, nil
}

// Poll returns the next event, if there is one. The events of an item are in order. The errors are ErrSlow, ErrLost,
// ErrUnavailable, and ErrExpired and ErrUnsettled for a feed that resumes; after one of these the feed has ended, and
// further calls return the same one. ErrReplay asks for Replay, and the feed goes on.
func (f *Feed) Poll() (e Event, isAny bool, err error) {
	for {
		if e, isAny, err = f.pop(); !errors.Is(err, ErrReplay) || !f.goOn() {
			return e, isAny, err
		}
	}
}

// Notify sets a function that is called whenever Poll may return more than it did before. It must neither block nor
// call the feed or its hub, which are locked.
func (f *Feed) Notify(ready func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ready = ready
}

// Position returns the position after everything that Poll has returned, or after the first state. If there is nothing
// more, it is that of the present.
func (f *Feed) Position() string {
	f.hub.mu.Lock()
	f.mu.Lock()
	q := f.last
	if f.err == nil && f.head == len(f.queue) && f.replaying == nil {
		q = queued{number: f.hub.history.last, after: f.hub.clock.present}
		if f.joining != nil {
			q.resumed = f.joining
		}
	}
	q.isOpen = f.isOpen()
	read := f.read
	f.mu.Unlock()
	f.hub.mu.Unlock()
	return f.hub.positions.after(f.condition.Tenant, &q, read)
}

// Close ends the feed. Its events are gone.
func (f *Feed) Close() {
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	f.hub.unregister(f)
	f.end(ErrUnavailable)
}
