package live

import (
	"context"
	"errors"
	"slices"
	"time"
)

// replay is one replay for several feeds.
type replay struct {
	hub *Hub
	// feeds are those that need more changes. matchers are theirs when the replay began.
	feeds    []*Feed
	matchers map[*Feed]matcher
	registry registry
	clock    clock
	images   []images
	places   []Place
	// after is where the replay begins. It ends at the moment of the hub when it began, after the change with a number of
	// an epoch.
	after    Position
	until    map[string]reached
	epoch    string
	number   uint64
	requests int
	// isStopped is set if the replay makes room for the next one.
	isStopped bool
}

// newReplay returns a replay until now. The hub's mutex is held.
func newReplay(h *Hub) *replay {
	return &replay{
		hub: h, matchers: map[*Feed]matcher{}, registry: registry{}, clock: newClock(""),
		images: make([]images, len(h.images)),
		until:  h.clock.present.sequences(), epoch: h.epoch, number: h.history.last,
	}
}

// add adds a feed. The hub's mutex is held.
func (r *replay) add(f *Feed, waiting *replaying) {
	from := waiting.from
	after := make(Position, len(r.until))
	for shard, last := range r.until {
		if !from.isBefore(last.at) {
			after[shard] = last.sequence
		}
	}
	for shard, sequence := range from.shards {
		after[shard] = sequence
	}
	for shard, sequence := range waiting.read {
		after.advance(shard, sequence)
	}
	r.hub.extend(f, time.Now().Add(early))
	r.after, r.matchers[f] = earlier(r.after, after), f.matcher
	for _, p := range f.places {
		r.registry.add(p, f)
	}
	r.feeds = append(r.feeds, f)
}

// share counts a request for all feeds that need more changes.
func (r *replay) share() {
	r.requests++
	part := 1 / float64(len(r.feeds))
	for _, f := range r.feeds {
		f.mu.Lock()
		f.use(part)
		f.mu.Unlock()
	}
}

func (r *replay) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	until := make(Position, len(r.until))
	for shard, last := range r.until {
		until[shard] = last.sequence
	}
	err := r.hub.options.Reader.Replay(ctx, r.after, until, func(changes []*Change) {
		if !r.deliver(changes) {
			cancel()
		}
	})
	if err != nil && !errors.Is(err, ErrExpired) {
		err = ErrUnavailable
	}
	h := r.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range r.feeds {
		switch {
		case r.isStopped:
			if r.pause(f) {
				h.replays.waiting = append(h.replays.waiting, f)
			}
		case err != nil:
			f.end(err)
		default:
			r.complete(f)
		}
	}
}

// deliver passes the changes of a request. It reports whether a feed needs more.
func (r *replay) deliver(changes []*Change) bool {
	if len(r.feeds) == 0 || r.isStopped {
		return false
	}
	r.share()
	now := time.Now()
	for _, c := range changes {
		r.clock.advance(c)
		r.places = r.hub.scheme.read(c, r.images, r.places[:0])
		for i, p := range r.places {
			for _, f := range r.registry[p] {
				m := r.matchers[f]
				if slices.ContainsFunc(r.places[:i], func(p Place) bool { return slices.Contains(r.registry[p], f) }) {
					continue // the item has moved between two partitions of the range
				}
				if q, ok := m.match(c, &r.images[m.index], now); ok {
					q.after, q.bytes = r.clock.present, sizeOf(c)
					f.replay(q)
				}
			}
		}
	}
	r.feeds = slices.DeleteFunc(r.feeds, func(f *Feed) bool {
		needsMore := f.needsMore()
		if !needsMore {
			r.remove(f)
		}
		return !needsMore
	})
	r.isStopped = len(r.feeds) > 0 && r.requests >= maxRequests && r.hub.replays.hasWaiting()
	return len(r.feeds) > 0 && !r.isStopped
}

// remove removes a feed from the replay. It goes on with another one, unless it has ended.
func (r *replay) remove(f *Feed) {
	for p := range r.registry {
		if slices.Contains(r.registry[p], f) {
			r.registry.remove(p, f)
		}
	}
	if r.pause(f) {
		f.mu.Lock()
		f.replaying.isRunning = false
		f.wake()
		f.mu.Unlock()
	}
}

// pause sets the position after which a feed goes on. It reports whether the feed does.
func (r *replay) pause(f *Feed) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return false
	}
	from := f.replaying.from.join(0, r.clock.present)
	f.replaying.from = &from
	for shard, last := range r.clock.present.sequences() {
		f.replaying.read.advance(shard, last.sequence)
	}
	return true
}

// complete continues a feed with the changes after the replay. The hub's mutex is held.
func (r *replay) complete(f *Feed) {
	f.mu.Lock()
	if f.err != nil {
		f.mu.Unlock()
		return
	}
	from := f.replaying.from.join(0, r.clock.present)
	from.epoch, from.number, from.isJoined = r.epoch, r.number, true
	f.replaying.from, f.replaying.isRunning = &from, false
	hasRoom := f.hasRoom()
	f.mu.Unlock()
	// If the history does not have all changes since, or the queue is full, the next call of Poll goes on.
	if hasRoom {
		if ok, _ := r.hub.catchUp(f, &from, time.Now()); ok {
			return
		}
	}
	f.wakeUp()
}

// hasWaiting reports whether feeds wait for the next replay.
func (r *replays) hasWaiting() bool {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return len(r.waiting) > 0
}
