package live

import (
	"iter"
	"slices"
	"time"
)

// reached is the last change of a shard that has been delivered.
type reached struct {
	shard, sequence string
	at              time.Time
}

// moment is a time between two changes: after those of a vector and then of a log.
type moment struct {
	*vector
	log []reached
}

// vector is how far each shard has been delivered. It does not change.
type vector struct {
	// epoch is that of the hub; "" in a replay.
	epoch string
	// current is a time until which everything has been delivered; zero if it is unknown.
	current time.Time
	// shards are the last changes of the shards, the latest ones first.
	shards []reached
}

// maxLog is how many changes share a vector. A moment does not need more memory than its vector and so many changes,
// however long it is kept.
const maxLog = 64

// clock is the present moment of a sequence of changes.
type clock struct {
	present moment
	numbers map[string]int // the indexes of shards in present.shards
}

func newClock(epoch string) clock {
	return clock{present: moment{vector: &vector{epoch: epoch}}, numbers: map[string]int{}}
}

// advance adds a change.
func (k *clock) advance(c *Change) {
	if len(k.present.log) == maxLog {
		k.fold(k.present.current)
	}
	if k.present.log == nil {
		k.present.log = make([]reached, 0, maxLog)
	}
	// Earlier moments share the array and end before the new element.
	k.present.log = append(k.present.log, reached{c.Shard, c.Sequence, c.At})
}

// fold begins a new vector, with the time until which everything has been delivered.
func (k *clock) fold(current time.Time) {
	next := &vector{epoch: k.present.epoch, current: current, shards: k.present.shards}
	if len(k.present.log) > 0 {
		next.shards = k.merge(current)
	}
	k.present = moment{vector: next}
}

// merge returns the last changes of all shards, the latest ones first, without those that the stream does not have any
// more.
func (k *clock) merge(current time.Time) []reached {
	clear(k.numbers)
	shards := make([]reached, 0, len(k.present.shards)+1)
	for _, r := range k.present.shards {
		if current.Sub(r.at) < retention {
			k.numbers[r.shard] = len(shards)
			shards = append(shards, r)
		}
	}
	for _, r := range k.present.log {
		if i, ok := k.numbers[r.shard]; ok {
			shards[i] = r
		} else {
			k.numbers[r.shard] = len(shards)
			shards = append(shards, r)
		}
	}
	slices.SortStableFunc(shards, func(a, b reached) int { return b.at.Compare(a.at) })
	return shards
}

// retention is how long a stream has a record, and some more. A shard without a later one has none.
const retention = 25 * time.Hour

// isBegin reports whether the moment is before all changes.
func (m moment) isBegin() bool { return m.current.IsZero() && len(m.shards)+len(m.log) == 0 }

// latest returns the last changes of the shards, the latest ones first. Earlier changes of some may follow.
func (m moment) latest() iter.Seq[reached] {
	return func(yield func(reached) bool) {
		for _, r := range slices.Backward(m.log) {
			if !yield(r) {
				return
			}
		}
		for _, r := range m.shards {
			if !yield(r) {
				return
			}
		}
	}
}

// sequences returns the last change of each shard.
func (m moment) sequences() map[string]reached {
	all := make(map[string]reached, len(m.shards)+1)
	for _, r := range m.shards {
		all[r.shard] = r
	}
	for _, r := range m.log {
		all[r.shard] = r
	}
	return all
}

// settled is how long after a time everything that was committed by then has been delivered, once Current has reported
// that the stream was read until then: a record is in the stream a moment after its item can be read, DynamoDB's times
// have whole seconds, and the clocks of replicas differ.
const settled = 5 * time.Second

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
