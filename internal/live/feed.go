package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/partita/partita/keys/design"
)

// Event is a change that concerns a feed.
type Event struct {
	*Change
	// Was reports whether the item was in the range, as far as the feed's reader knows, and Is whether it is there now.
	// One of them is set, or both.
	Was, Is bool
	// Partition is the index in the condition's Partitions of the item's entry: of the new one if Is is set, otherwise of
	// the old one.
	Partition int
	// Position returns the position after the event. It is opaque and valid for all replicas with the same secret.
	Position func() string
}

// Feed has the changes of one range. Its methods may be called concurrently with those of its Hub; Next is called by
// one goroutine at a time.
type Feed struct {
	matcher
	// condition is the caller's; own may have more time buckets.
	condition *design.Condition
	// places are those of the partitions.
	places []place
	// begun is when Begin was called, or when the replay had ended.
	begun time.Time
	// read is when the first state had been read, also if that was before the feed resumed; zero if all changes that it
	// has are before the feed. resumed is the position from which the feed has resumed, or nil.
	read    time.Time
	resumed *position
	// since is the number of the last change before Subscribe, seen that of the last one that was matched.
	since, seen uint64

	mu    sync.Mutex
	err   error
	ready chan struct{}
	// queue begins at head. Its first events are those that the feed had missed when it resumed: they do not count for
	// Options.Queue.
	queue  []queued
	head   int
	missed int
	// bytes are those of the changes in the queue.
	bytes int
	// last is the event that Next returned last, or a moment before the first one.
	last queued
	// settling is what the reader knows from the first state; nil as soon as it does not matter.
	settling *settling
	// replaying is set while changes must be read from the stream. paid is for how many requests, and used how many have
	// been sent since Replayed.
	replaying  *replaying
	paid, used float64
	// joining is the position after which the feed has resumed, until the hub has delivered everything before it.
	joining *position
	// late is how many events of the queue are late.
	late int
	// bucketsUntil is a time until which condition needs time buckets; zero if it has them.
	bucketsUntil time.Time
}

func newFeed(h *Hub, c *design.Condition, now time.Time) *Feed {
	f := &Feed{
		matcher:   matcher{hub: h, own: c, index: h.indexes[c.Field.Index]},
		condition: c, since: h.history.last,
		ready: make(chan struct{}, 1), begun: now,
		last: queued{number: h.history.last, after: h.clock.present},
	}
	if c.Chronological() {
		own := *c
		f.own = &own
	}
	if c.Field.Kind != design.Query {
		f.places = []place{h.scheme.place(c.Tenant, f.index, c.Key.PK)}
	}
	for _, p := range c.Partitions {
		f.places = append(f.places, h.scheme.place(c.Tenant, f.index, p.PK))
	}
	return f
}

// Begin sets the first state, which was read after Subscribe. Changes that it has are not delivered.
func (f *Feed) Begin(s State) {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	h.register(f, time.Now()) // with the time buckets that have begun since Subscribe
	if f.begin(s) {
		h.settling = append(h.settling, f)
	}
}

// begin reports whether the feed goes on. The hub's mutex is held.
func (f *Feed) begin(s State) bool {
	h := f.hub
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return false
	}
	if h.history.first > f.since+1 {
		f.endLocked(ErrLost) // reading has taken longer than the history
		return false
	}
	f.begun = time.Now()
	f.read = f.begun
	f.setUnknown(f.begun)
	f.settling = newSettling(f, s)
	oldest := f.since
	if f.own.Field.Index != "" {
		oldest = 0 // the index may have been behind the stream
	}
	f.last = queued{number: h.history.last, after: h.clock.present}
	for i, q := range f.settling.first(h.between(f, oldest, f.begun)) {
		if i == 0 {
			f.last = queued{number: q.number - 1, after: moment{q.after.vector, q.after.log[:len(q.after.log)-1]}}
		}
		f.push(q)
	}
	return true
}

// offer adds an event to the queue, unless it is in the first state or was replayed.
func (f *Feed) offer(q queued) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.err != nil:
	case f.joining != nil:
		f.join(q)
	case f.settling == nil || f.settling.accept(&q):
		f.push(q)
	}
}

// join adds an event to the queue of a feed that has resumed, unless its reader has had it.
func (f *Feed) join(q queued) {
	if f.joining.precedes(q.change) {
		q.resumed = f.joining
		f.push(q)
	}
}

// settle delivers what the first state was expected to have and does not. It reports whether the hub is at least where
// the feed has resumed. The hub's mutex is held.
func (f *Feed) settle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.settling != nil {
		f.pushLate(f.settling.late())
	}
	f.settling = nil
	if f.joining != nil && !f.joining.isReached(f.hub.clock.present) {
		return false
	}
	f.joining = nil
	return true
}

// grown has Next add the time buckets until a time.
func (f *Feed) grown(until time.Time) {
	f.mu.Lock()
	f.bucketsUntil = until
	f.mu.Unlock()
}

func (f *Feed) end(err error) {
	f.mu.Lock()
	f.endLocked(err)
	f.mu.Unlock()
}

func (f *Feed) endLocked(err error) {
	if f.err == nil {
		f.err, f.queue, f.head, f.settling, f.joining, f.replaying = err, nil, 0, nil, nil, nil
		f.wake()
	}
}

// Next waits for the next event, and returns it. The events of an item are in order. The errors are that of the
// context, ErrSlow, ErrLost, ErrUnavailable, and ErrExpired and ErrUnsettled for a feed that resumes; after one of
// these the feed has ended, and further calls return the same one. ErrReplay asks for Replay, and the feed goes on.
func (f *Feed) Next(ctx context.Context) (Event, error) {
	for {
		e, ok, err := f.pop()
		if errors.Is(err, ErrReplay) && f.goOn() {
			continue
		}
		if ok || err != nil {
			return e, err
		}
		select {
		case <-ctx.Done():
			return Event{}, ctx.Err()
		case <-f.ready:
		}
	}
}

// isOpen reports whether changes are left out that may be delivered after others. If the feed has ended, that is not
// known any more.
func (f *Feed) isOpen() bool {
	return f.err != nil || f.late > 0 || f.settling != nil && f.settling.open > 0
}

// Position returns the position after everything that Next has returned, or after the first state. If there is nothing
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
	return f.hub.position(f.condition.Tenant, &q, read)
}

// Close ends the feed. Its events are gone.
func (f *Feed) Close() {
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	f.hub.unregister(f)
	f.end(ErrUnavailable)
}
