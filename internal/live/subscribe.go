package live

import (
	"time"

	"github.com/partita/partita/keys/design"
)

// resume begins a feed after a position, from the stream if it must and the history has changes whose items are away;
// otherwise it returns these. The hub's mutex is held.
func (h *Hub) resume(f *Feed, from *position, now time.Time, mustDo bool) (away []*Change, err error) {
	f.setUnknown(from.current)
	f.resumed, f.read = from, from.read
	f.last = queued{resumed: from, after: moment{vector: &vector{}}}
	if from.isOpen {
		f.end(ErrUnsettled)
		return nil, nil
	}
	ok, away := h.catchUp(f, from, now)
	switch {
	case ok:
		return nil, nil
	case len(away) > 0 && !mustDo:
		return away, nil
	case h.options.Reader == nil || from.current.IsZero():
		return nil, ErrExpired
	}
	f.replaying = &replaying{from: from, read: Position{}}
	return nil, nil
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
		p, ok := h.positions.parse(c.Tenant, after)
		if !ok {
			return nil, ErrPosition
		}
		from = p
	}
	var f *Feed
	var err error
	h.withItems(func(mustDo bool) (away []*Change) {
		f, away, err = h.subscribe(c, from, mustDo)
		return away
	})
	return f, err
}

// subscribe returns a feed, unless it returns changes whose items are away and which it needs. If it must, it does
// without. The hub's mutex is held.
func (h *Hub) subscribe(c *design.Condition, from *position, mustDo bool) (f *Feed, away []*Change, err error) {
	now := time.Now()
	if h.closed {
		return nil, nil, ErrClosed
	}
	if h.current.IsZero() || now.Sub(h.called) > h.options.Patience {
		return nil, nil, ErrUnavailable
	}
	f = newFeed(h, c, now)
	if from != nil {
		if away, err = h.resume(f, from, now, mustDo); len(away) > 0 || err != nil {
			return nil, away, err
		}
	}
	h.feeds[f] = struct{}{}
	return f, nil, nil
}

func newFeed(h *Hub, c *design.Condition, now time.Time) *Feed {
	f := &Feed{
		matcher: matcher{expiring: h.expiring, own: c, index: h.indexes[c.Field.Index]},
		hub:     h, condition: c, since: h.history.last,
		begun: now,
		last:  queued{number: h.history.last, after: h.clock.present},
	}
	if c.Chronological() {
		own := *c
		f.own = &own
	}
	if c.Field.Kind != design.Query {
		f.places = []Place{h.scheme.place(c.Tenant, f.index, c.Key.PK)}
	}
	for _, p := range c.Partitions {
		f.places = append(f.places, h.scheme.place(c.Tenant, f.index, p.PK))
	}
	return f
}

// Begin sets the first state, which was read after Subscribe. Changes that it has are not delivered.
func (f *Feed) Begin(s State) {
	h := f.hub
	h.withItems(func(mustDo bool) []*Change {
		now := time.Now()
		h.extend(f, now.Add(early)) // by the time buckets that have begun since Subscribe
		away, ok := f.begin(s, now, mustDo)
		if ok {
			h.register(f, now)
			h.settling = append(h.settling, f)
		}
		return away
	})
}

// begin reports whether the feed goes on, unless it returns changes whose items are away and which it needs. If it
// must, it ends the feed then. The hub's mutex is held.
func (f *Feed) begin(s State, now time.Time, mustDo bool) (away []*Change, ok bool) {
	h := f.hub
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, false
	}
	if h.history.first > f.since+1 {
		f.endLocked(ErrLost) // reading has taken longer than the history
		return nil, false
	}
	oldest := f.since
	if f.own.Field.Index != "" {
		oldest = 0 // the index may have been behind the stream
	}
	f.setUnknown(now)
	events, away := h.between(f, oldest, now)
	if len(away) > 0 {
		if mustDo {
			f.endLocked(ErrLost)
		}
		return away, false
	}
	f.begun, f.read = now, now
	f.settling = newSettling(s, h.scheme.indexes[f.index].sk, f.own.Field.Descending, f.since)
	f.last = queued{number: h.history.last, after: h.clock.present}
	for i, q := range f.settling.first(events) {
		if i == 0 {
			f.last = queued{number: q.number - 1, after: moment{q.after.vector, q.after.log[:len(q.after.log)-1]}}
		}
		f.push(q)
	}
	return nil, true
}
