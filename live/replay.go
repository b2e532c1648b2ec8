package live

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"time"
)

// maxRequests is how many requests a replay sends while other feeds wait for the next one.
const maxRequests = 64

// replays replays changes for feeds, one replay at a time: AWS allows few readers of a stream. Feeds that wait share
// the next one if they were away for about as long: who was away for a minute does not wait for who was away for a day,
// and all replays together read at most a third more than one for all feeds.
//
// A replay can end at any request: each feed has a position then, after which it goes on. So it passes nothing to a
// feed whose reader does not receive what it has, or has used up what was paid for it, and it is not in the way of
// others.
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
	f.mu.Lock()
	f.replaying.isRunning = true
	f.mu.Unlock()
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

// remove removes a feed that has ended.
func (r *replays) remove(f *Feed) {
	r.waiting = slices.DeleteFunc(r.waiting, func(other *Feed) bool { return other == f })
}

// run replays until no feed waits.
func (r *replays) run(ctx context.Context) {
	for {
		r.hub.mu.Lock()
		next := r.next()
		r.running = next != nil
		r.hub.mu.Unlock()
		if next == nil {
			return
		}
		next.run(ctx)
	}
}

// next returns the next replay, nil if no feed waits.
func (r *replays) next() *replay {
	var next *replay
	var first int
	now := time.Now()
	r.waiting = slices.DeleteFunc(r.waiting, func(f *Feed) bool {
		from := f.replayedFrom()
		switch {
		case from == nil:
			return true
		case next == nil:
			next, first = newReplay(r.hub), from.age(now)
		case from.age(now) != first:
			return false
		}
		next.add(f, from)
		return true
	})
	if next != nil {
		next.share()
	}
	return next
}

// age returns a number for how long ago a position was. Each number is for times that are up to four times as long as
// those of the one before.
func (p *position) age(now time.Time) int {
	return bits.Len64(uint64(max(0, now.Sub(p.current))/time.Minute)) / 2
}

// hasWaiting reports whether feeds wait for the next replay.
func (r *replays) hasWaiting() bool {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return len(r.waiting) > 0
}

// replayedFrom returns the position after which changes must be replayed, nil for a feed that has ended.
func (f *Feed) replayedFrom() *position {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil
	}
	return f.replaying.from
}

// replay is one replay for several feeds.
type replay struct {
	hub *Hub
	// feeds are those that need more changes. matchers are theirs when the replay began.
	feeds    []*Feed
	matchers map[*Feed]matcher
	registry registry
	clock    clock
	images   []images
	places   []place
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

// add adds a feed, which needs the changes after a position. The hub's mutex is held.
func (r *replay) add(f *Feed, from *position) {
	after := make(Position, len(r.until))
	for shard, last := range r.until {
		if !from.isBefore(last.at) {
			after[shard] = last.sequence
		}
	}
	for shard, sequence := range from.shards {
		after[shard] = sequence
	}
	for shard, sequence := range f.replaying.read {
		after.advance(shard, sequence)
	}
	r.hub.extend(f, time.Now().Add(early))
	r.after, r.matchers[f] = earlier(r.after, after), f.matcher
	for _, p := range f.places {
		r.registry.add(p, f)
	}
	r.feeds = append(r.feeds, f)
}

// advance sets how far a shard has been read, unless that was further before.
func (p Position) advance(shard, sequence string) {
	if last, known := p[shard]; !known || CompareSequences(sequence, last) > 0 {
		p[shard] = sequence
	}
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
				if slices.ContainsFunc(r.places[:i], func(p place) bool { return slices.Contains(r.registry[p], f) }) {
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

// needsMore reports whether a feed goes on with the present replay.
func (f *Feed) needsMore() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err == nil && f.paid > 0 && f.hasRoom()
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
	// If the history does not have all changes since, or the queue is full, the next call of Next goes on.
	if !hasRoom || !r.hub.catchUp(f, &from, time.Now()) {
		f.wakeUp()
	}
}

// replay adds a replayed event. It does not wait for the end of the replay: that may be late, and a client that resumes
// again has less to replay then.
func (f *Feed) replay(q queued) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil || !f.replaying.from.precedes(q.change) {
		return
	}
	q.resumed = f.replaying.from
	f.missed++
	f.push(q)
}
