package live

import (
	"time"

	"github.com/partita/partita/keys/design"
)

// queued is an Event in a queue.
type queued struct {
	change    *Change
	was, is   bool
	partition int32
	// number is that of the change in the hub's epoch; 0 for a replayed one.
	number uint64
	after  moment
	// bytes are those of a change that was delivered while the feed was there; 0 for others.
	bytes int
	// resumed is a position after which the feed has resumed, if the hub was not there yet or the change was replayed.
	// The position after the event is that and the moment, whichever is later in each shard.
	resumed *position
	// isOpen is set if changes before the event have been left out, and will perhaps be delivered.
	isOpen bool
	// isLate is set for a change that was left out before.
	isLate bool
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
	select {
	case f.ready <- struct{}{}:
	default:
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
	position := func() string { return f.hub.position(f.condition.Tenant, &q, read) }
	return Event{Change: q.change, Was: q.was, Is: q.is, Partition: int(q.partition), Position: position}, true, nil
}
