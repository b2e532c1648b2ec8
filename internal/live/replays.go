package live

import (
	"context"
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
		waiting := f.waiting()
		switch {
		case waiting == nil:
			return true
		case next == nil:
			next, first = newReplay(r.hub), waiting.from.age(now)
		case waiting.from.age(now) != first:
			return false
		}
		next.add(f, waiting)
		return true
	})
	if next != nil {
		next.share()
	}
	return next
}
