package live

import (
	"sync"
	"time"

	"github.com/partita/partita/keys/design"
)

// Feed has the changes of one range. Its methods may be called concurrently with those of its Hub; Poll is called by
// one goroutine at a time.
type Feed struct {
	matcher
	hub *Hub
	// condition is the caller's; own may have more time buckets.
	condition *design.Condition
	// places are those of the partitions.
	places []Place
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
	ready func() // see Notify
	// queue begins at head. Its first events are those that the feed had missed when it resumed: they do not count for
	// Options.Queue.
	queue  []queued
	head   int
	missed int
	// bytes are those of the changes in the queue.
	bytes int
	// last is the event that Poll returned last, or a moment before the first one.
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

// grown has Poll add the time buckets until a time.
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

// isOpen reports whether changes are left out that may be delivered after others. If the feed has ended, that is not
// known any more.
func (f *Feed) isOpen() bool {
	return f.err != nil || f.late > 0 || f.settling != nil && f.settling.open > 0
}

// push adds an event to the queue, and ends the feed if that is full.
func (f *Feed) push(q queued) {
	waiting := len(f.queue) - f.head - f.missed
	if waiting >= f.hub.options.Queue || waiting > 0 && f.bytes+q.bytes > f.hub.options.QueueBytes {
		f.endLocked(ErrSlow)
		return
	}
	if len(f.queue) == cap(f.queue) && f.head > len(f.queue)/2 {
		// The queue of a reader that is always a little behind is never empty.
		n := copy(f.queue, f.queue[f.head:])
		clear(f.queue[n:])
		f.queue, f.head = f.queue[:n], 0
	}
	f.queue = append(f.queue, q)
	f.bytes += q.bytes
	f.wake()
}

func (f *Feed) wakeUp() {
	f.mu.Lock()
	f.wake()
	f.mu.Unlock()
}

func (f *Feed) wake() {
	if f.ready != nil {
		f.ready()
	}
}

// pushLate adds events that were left out to the queue, after everything until now.
func (f *Feed) pushLate(events []queued) {
	for _, q := range events {
		if f.err != nil {
			return
		}
		q.number, q.after, q.isLate = f.hub.history.last, f.hub.clock.present, true
		f.late++
		f.push(q)
	}
}

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

// use counts a part of a request of a replay.
func (f *Feed) use(part float64) {
	f.used += part
	f.paid -= part
}

// hasRoom reports whether the queue has room for replayed events.
func (f *Feed) hasRoom() bool {
	return len(f.queue)-f.head < f.hub.options.Queue && f.bytes < f.hub.options.QueueBytes
}

// waiting returns what the feed waits for, nil if it has ended. Only replays change that.
func (f *Feed) waiting() *replaying {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil
	}
	return f.replaying
}

// needsMore reports whether a feed goes on with the present replay.
func (f *Feed) needsMore() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err == nil && f.paid > 0 && f.hasRoom()
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
