package live

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"github.com/partita/partita/keys/design"
)

// Hub passes the changes of a table to the feeds that they concern. It is a Sink. Its methods may be called
// concurrently, those of Sink by one goroutine at a time.
type Hub struct {
	options Options
	scheme  Scheme
	indexes map[string]int
	// expiring is the design if its items expire, otherwise nil.
	expiring  *design.Design
	replays   replays
	positions positions

	mu     sync.Mutex
	closed bool
	// epoch identifies the history: numbers of changes are valid in one epoch.
	epoch    string
	history  history
	clock    clock
	registry registry
	feeds    map[*Feed]struct{}
	// awaiting are the places of feeds that fetch items, as often as they do.
	awaiting map[Place]int
	fetches  fetches
	// started is when the history began, current the time of the last call of Current, made at called.
	started, current, called time.Time
	// settling are the feeds whose first state may not be settled, in the order of Begin.
	settling []*Feed
	// growing are the feeds with open ranges over time buckets; the next bucket of one of them begins at grows.
	growing map[*Feed]struct{}
	grows   time.Time
	// places and images are those of the change that is being delivered.
	places []Place
	images []images
}

// NewHub returns a Hub without changes. Subscribe returns ErrUnavailable until Current is called.
func NewHub(design *design.Design, o Options) *Hub {
	h := &Hub{
		options: o.withDefaults(),
		indexes: map[string]int{}, awaiting: map[Place]int{},
		registry: registry{}, feeds: map[*Feed]struct{}{}, growing: map[*Feed]struct{}{}, called: time.Now(),
	}
	if design.ExpiryAttribute() != "" {
		h.expiring = design
	}
	h.positions.cursors = h.options.Cursors
	h.scheme = NewScheme(design.IndexNames())
	for i, name := range design.IndexNames() {
		h.indexes[name] = i + 1 // behind the table
	}
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

// Deliver implements Sink. Items that are away are needed if a feed is at one of their places.
func (h *Hub) Deliver(changes []*Change) (needed []*Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.grow(now)
	for _, c := range changes {
		if c.Away != nil && h.needs(c) {
			needed = append(needed, c)
		}
	}
	if len(needed) > 0 {
		return needed
	}
	for _, c := range changes {
		h.clock.advance(c)
		if c.Away != nil {
			h.history.add(c, c.Away.Places, now, h.clock.present)
			continue
		}
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
	return nil
}

// needs reports whether a feed needs the items of a change that are away.
func (h *Hub) needs(c *Change) bool {
	return slices.ContainsFunc(c.Away.Places, func(p Place) bool { return len(h.registry[p]) > 0 || h.awaiting[p] > 0 })
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

// registry has feeds by the places of their partitions.
type registry map[Place][]*Feed

func (r registry) add(p Place, f *Feed) { r[p] = append(r[p], f) }

func (r registry) remove(p Place, f *Feed) {
	feeds := r[p]
	i := slices.Index(feeds, f)
	if i < 0 {
		return
	}
	last := len(feeds) - 1
	feeds[i], feeds[last] = feeds[last], nil
	if last == 0 {
		delete(r, p)
	} else {
		r[p] = feeds[:last]
	}
}

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
func (h *Hub) extend(f *Feed, now time.Time) (added []Place, next time.Time) {
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
