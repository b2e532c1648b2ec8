package live

import (
	"crypto/rand"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/partita/partita/keys/design"
)

// settled is how long after a time everything that was committed by then has been delivered, once Current has reported
// that the stream was read until then: a record is in the stream a moment after its item can be read, DynamoDB's times
// have whole seconds, and the clocks of replicas differ.
const settled = 5 * time.Second

// Hub passes the changes of a table to the feeds that they concern. It is a Sink. Its methods may be called
// concurrently, those of Sink by one goroutine at a time.
type Hub struct {
	options Options
	scheme  scheme
	indexes map[string]int
	expires bool
	design  *design.Design
	replays replays
	// made is the position that was made last.
	made atomic.Pointer[made]

	mu     sync.Mutex
	closed bool
	// epoch identifies the history: numbers of changes are valid in one epoch.
	epoch    string
	history  history
	clock    clock
	registry registry
	feeds    map[*Feed]struct{}
	// started is when the history began, current the time of the last call of Current, made at called.
	started, current, called time.Time
	// settling are the feeds whose first state may not be settled, in the order of Begin.
	settling []*Feed
	// growing are the feeds with open ranges over time buckets; the next bucket of one of them begins at grows.
	growing map[*Feed]struct{}
	grows   time.Time
	// places and images are those of the change that is being delivered.
	places []place
	images []images
}

// NewHub returns a Hub without changes. Subscribe returns ErrUnavailable until Current is called.
func NewHub(design *design.Design, o Options) *Hub {
	h := &Hub{
		options: o.withDefaults(), design: design, expires: design.ExpiryAttribute() != "",
		registry: registry{}, feeds: map[*Feed]struct{}{}, growing: map[*Feed]struct{}{}, called: time.Now(),
	}
	h.scheme, h.indexes = newScheme(design)
	h.images = make([]images, len(h.scheme.indexes))
	h.replays.hub = h
	h.begin()
	return h
}

// begin begins an epoch, without a history.
func (h *Hub) begin() {
	h.epoch, h.history = rand.Text()[:12], newHistory(h.options.HistoryBytes)
	h.clock = newClock(h.epoch)
	h.started = time.Time{}
}

// Deliver implements Sink.
func (h *Hub) Deliver(changes []*Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.grow(now)
	for _, c := range changes {
		h.clock.advance(c)
		h.places = h.scheme.read(c, h.images, h.places[:0])
		h.history.add(c, h.places, now, h.clock.present)
		number := h.history.last
		for _, p := range h.places {
			for _, f := range h.registry[p] {
				if f.seen == number {
					continue
				}
				f.seen = number
				if q, ok := f.match(c, &h.images[f.index], now); ok {
					q.after, q.number, q.bytes = h.clock.present, number, h.history.at(number).bytes
					f.offer(q)
				}
			}
		}
	}
}

// Current implements Sink.
func (h *Hub) Current(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.called, h.current = now, at
	if h.started.IsZero() {
		h.started = at
	}
	h.clock.fold(at)
	h.history.removeBefore(now.Add(-h.options.History))
	for len(h.settling) > 0 && !at.Before(h.settling[0].begun.Add(settled)) {
		f := h.settling[0]
		h.settling[0] = nil
		if h.settling = h.settling[1:]; !f.settle() {
			f.begun = later(now, at)
			h.settling = append(h.settling, f)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Lost implements Sink. All feeds end with ErrLost.
func (h *Hub) Lost(error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begin()
	h.endAll(ErrLost)
}

// Close ends all feeds with ErrClosed, and waits until the Reader replays nothing.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.endAll(ErrClosed)
	h.mu.Unlock()
	h.replays.close()
}

func (h *Hub) endAll(err error) {
	for f := range h.feeds {
		f.end(err)
	}
	h.settling = nil
}

// Lag returns how long ago everything that the stream had was delivered.
func (h *Hub) Lag() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current.IsZero() {
		return time.Since(h.called)
	}
	return time.Since(h.current)
}

// Feeds returns the number of feeds that are not closed.
func (h *Hub) Feeds() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.feeds)
}

// Subscribe returns the feed of the changes in the range of a condition, which is valid until Close.
//
// Without a position it has the changes after the state that is passed to Begin. That must be read after Subscribe, and
// strongly consistent unless the condition is one of an index. With a position, from Event.Position or Feed.Position,
// it has the changes after that, and Begin is not called. The partitions of the condition are not those around a
// cursor; the feed adds the time buckets that begin later. The errors are ErrUnavailable, ErrExpired and ErrPosition.
func (h *Hub) Subscribe(c *design.Condition, after string) (*Feed, error) {
	var from *position
	if after != "" {
		p, ok := h.parsePosition(c.Tenant, after)
		if !ok {
			return nil, ErrPosition
		}
		from = p
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if h.closed {
		return nil, ErrClosed
	}
	if h.current.IsZero() || now.Sub(h.called) > h.options.Patience {
		return nil, ErrUnavailable
	}
	f := newFeed(h, c, now)
	if from != nil {
		if err := h.resume(f, from, now); err != nil {
			return nil, err
		}
	}
	h.feeds[f] = struct{}{}
	return f, nil
}

// register adds the feed to those that receive changes.
func (h *Hub) register(f *Feed, now time.Time) {
	for _, p := range f.places {
		h.registry.add(p, f)
	}
	h.growing[f] = struct{}{}
	h.growFeed(f, now.Add(early))
}

// unregister removes the feed.
func (h *Hub) unregister(f *Feed) {
	for _, p := range f.places {
		h.registry.remove(p, f)
	}
	delete(h.feeds, f)
	delete(h.growing, f)
	h.replays.remove(f)
	h.settling = slices.DeleteFunc(h.settling, func(other *Feed) bool { return other == f })
}

// between returns the events of the feed after a change with a number.
func (h *Hub) between(f *Feed, after uint64, now time.Time) []queued {
	var numbers []uint64
	for i, p := range f.places {
		if !slices.Contains(f.places[:i], p) {
			numbers = h.history.appendNumbers(numbers, p, after)
		}
	}
	slices.Sort(numbers)
	var events []queued
	for _, n := range slices.Compact(numbers) {
		r := h.history.at(n)
		h.places = h.scheme.read(r.change, h.images, h.places[:0])
		if q, ok := f.match(r.change, &h.images[f.index], now); ok {
			q.after, q.number = r.after, n
			events = append(events, q)
		}
	}
	return events
}
