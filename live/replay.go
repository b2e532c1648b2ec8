package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// maxMissed is how many times more events than Options.Queue a feed may have missed.
const maxMissed = 16

// joining joins replayed changes with those that were delivered meanwhile.
type joining struct {
	from *position
	// replayed counts the events of the replay, and live are those that were delivered since.
	replayed int
	live     []queued
	// done is set after the replay.
	done bool
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

// resume begins a feed after a position: with changes of the history if it has all, or else with a replay.
func (h *Hub) resume(f *Feed, from *position, now time.Time) error {
	f.setUnknown(from.current)
	f.resumed, f.read = from, from.read
	f.last = queued{resumed: from, after: moment{vector: &vector{}}}
	if from.isOpen {
		f.end(ErrUnsettled)
		return nil
	}
	if after, ok := h.remembers(from); ok {
		events := h.between(f, after, now)
		if len(events) > maxMissed*h.options.Queue {
			return ErrExpired
		}
		isHere := from.epoch == h.epoch && !from.isJoined
		if !isHere {
			f.joining = &joining{from: from, done: true}
			h.settling = append(h.settling, f)
		}
		for _, q := range events {
			if isHere {
				f.push(q)
			} else {
				f.join(q)
			}
			f.missed = len(f.queue)
		}
		h.register(f, now)
		return nil
	}
	if h.options.Reader == nil || from.current.IsZero() {
		return ErrExpired
	}
	f.joining = &joining{from: from}
	h.register(f, now)
	h.replays.add(f)
	return nil
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

// replays replays changes for feeds, one replay at a time: AWS allows few readers of a stream. Feeds that wait share
// the next one.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html#Streams.Processing
type replays struct {
	hub  *Hub
	wait sync.WaitGroup
	// The others are guarded by the hub's mutex.
	waiting []*Feed
	running bool
	cancel  context.CancelFunc
}

// close ends the present replay, and waits for it. No feed is added afterwards.
func (r *replays) close() {
	r.hub.mu.Lock()
	if r.cancel != nil {
		r.cancel()
	}
	r.hub.mu.Unlock()
	r.wait.Wait()
}

// add adds a feed to the next replay. The hub's mutex is held.
func (r *replays) add(f *Feed) {
	r.waiting = append(r.waiting, f)
	if r.running {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.running, r.cancel = true, cancel
	r.wait.Go(func() {
		defer cancel()
		r.run(ctx)
	})
}

// run replays until no feed waits.
func (r *replays) run(ctx context.Context) {
	for {
		h := r.hub
		h.mu.Lock()
		feeds, present := r.waiting, h.clock.present
		r.waiting, r.running = nil, len(feeds) > 0
		var next *replay
		if r.running {
			next = newReplay(h, feeds, present)
		}
		h.mu.Unlock()
		if next == nil {
			return
		}
		next.run(ctx)
	}
}

// replay is one replay for several feeds.
type replay struct {
	hub   *Hub
	feeds []*Feed
	// matchers are those of the feeds when the replay began.
	matchers map[*Feed]matcher
	registry registry
	clock    clock
	images   []images
	places   []place
	after    Position
	until    Position
}

func newReplay(h *Hub, feeds []*Feed, present moment) *replay {
	r := &replay{
		hub: h, registry: registry{}, clock: newClock(""), images: make([]images, len(h.images)),
		matchers: make(map[*Feed]matcher, len(feeds)), until: Position{},
	}
	sequences := present.sequences()
	for shard, last := range sequences {
		r.until[shard] = last.sequence
	}
	for _, f := range feeds {
		from := f.resumes()
		if from == nil {
			continue
		}
		after := make(Position, len(sequences))
		for shard, last := range sequences {
			if last.at.Before(from.current.Add(-settled)) {
				after[shard] = last.sequence
			}
		}
		for shard, sequence := range from.shards {
			after[shard] = sequence
		}
		r.after, r.matchers[f] = earlier(r.after, after), f.matcher
		for _, p := range f.places {
			r.registry.add(p, f)
		}
		r.feeds = append(r.feeds, f)
	}
	return r
}

// earlier returns a position before two, nil for no position yet.
func earlier(a, b Position) Position {
	if a == nil {
		return b
	}
	for shard, sequence := range a {
		switch other, ok := b[shard]; {
		case !ok:
			delete(a, shard)
		case CompareSequences(other, sequence) < 0:
			a[shard] = other
		}
	}
	return a
}

func (r *replay) run(ctx context.Context) {
	if len(r.feeds) == 0 {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := r.hub.options.Reader.Replay(ctx, r.after, r.until, func(changes []*Change) {
		if !r.deliver(changes) {
			cancel()
		}
	})
	if err != nil && !errors.Is(err, ErrExpired) {
		err = ErrUnavailable
	}
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	for _, f := range r.feeds {
		if err != nil {
			f.end(err)
		} else if f.endReplay(r.clock.present) {
			f.begun = time.Now()
			r.hub.settling = append(r.hub.settling, f)
		}
	}
}

// deliver reports whether a feed needs more changes.
func (r *replay) deliver(changes []*Change) bool {
	now := time.Now()
	for _, c := range changes {
		r.clock.advance(c)
		r.places = r.hub.scheme.read(c, r.images, r.places[:0])
		for i, p := range r.places {
			for _, f := range r.registry[p] {
				m := r.matchers[f]
				if slices.ContainsFunc(r.places[:i], func(p place) bool { return slices.Contains(r.registry[p], f) }) {
					continue // the item has moved between two partitions of the range
				}
				if q, ok := m.match(c, &r.images[m.index], now); ok {
					q.after = r.clock.present
					f.replay(q)
				}
			}
		}
	}
	for _, f := range r.feeds {
		if !f.hasEnded() {
			return true
		}
	}
	return false
}

func (f *Feed) hasEnded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil
}

// resumes returns the position after which changes must be replayed, nil for a feed that has ended.
func (f *Feed) resumes() *position {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil
	}
	return f.joining.from
}

// replay adds a replayed event. It does not wait for the end of the replay: that may be late, and a client that resumes
// again has less to replay then.
func (f *Feed) replay(q queued) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil || !f.joining.from.precedes(q.change) {
		return
	}
	if f.joining.replayed++; f.joining.replayed > maxMissed*f.hub.options.Queue {
		f.endLocked(ErrExpired)
		return
	}
	q.resumed = f.joining.from
	f.missed++
	f.push(q)
}

// endReplay adds the live events that were not replayed to the queue. It reports whether the feed goes on.
func (f *Feed) endReplay(m moment) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return false
	}
	j := f.joining
	from := j.from.join(0, m)
	j.done, j.from = true, &from
	for _, q := range j.live {
		f.missed++
		f.join(q)
	}
	j.live = nil
	return true
}
