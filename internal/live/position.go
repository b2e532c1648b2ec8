package live

import (
	"maps"
	"math/bits"
	"time"
)

// position is the time after an event.
type position struct {
	// epoch and number are those of a change: all changes after the position are after this one. They are valid for one
	// hub. If isJoined is set, not all of those are after the position: some were received elsewhere.
	epoch    string
	number   uint64
	isJoined bool
	// current is a time until which everything was delivered, and shards are the last changes of the shards that had one
	// shortly before or later, and of a few others, so that a replay of these need not begin at their oldest record.
	current time.Time
	shards  map[string]string
	// read is when a first state had been read of which the stream may not have had all changes yet; zero if it had. The
	// state does not follow from the position, so that changes until some time later may be in it.
	read time.Time
	// isOpen is set if a change before the position has been left out, and it is not certain yet that the state has it.
	isOpen bool
}

// isUnsettled reports whether the first state before the position may have a change after it.
func (p *position) isUnsettled(c *Change) bool {
	return !p.read.IsZero() && c.At.Before(p.read.Add(settled))
}

const (
	// recent is how long before its time a position has the last changes of all shards.
	recent = time.Minute
	// enough is how many shards a position has if there are others: the clients' texts must remain short.
	enough = 8
)

// precedes reports whether a change is after the position.
func (p *position) precedes(c *Change) bool {
	if sequence, ok := p.shards[c.Shard]; ok {
		return CompareSequences(c.Sequence, sequence) > 0
	}
	return p.isBefore(c.At)
}

// isBefore reports whether the position is before a change at a time, of a shard that the position does not have.
func (p *position) isBefore(at time.Time) bool { return !at.Before(p.current.Add(-settled)) }

// hasRoomFor reports whether the position has the last change of a shard.
func (p *position) hasRoomFor(r reached) bool {
	return p.current.IsZero() || p.current.Sub(r.at) < recent || len(p.shards) < enough
}

// join returns the position after everything that is before p, or before a moment of a hub or of a replay: one of them
// may be ahead in some shards, and the other one in others. The number is that of the hub at the moment.
func (p *position) join(number uint64, m moment) position {
	if m.isBegin() {
		return *p
	}
	j := position{
		epoch: m.epoch, number: number, isJoined: true,
		current: later(p.current, m.current), shards: maps.Clone(p.shards),
	}
	for r := range m.latest() {
		sequence, known := j.shards[r.shard]
		switch {
		case known && CompareSequences(r.sequence, sequence) > 0:
			j.shards[r.shard] = r.sequence
		case !known && p.isBefore(r.at) && j.hasRoomFor(r):
			// A replay for several feeds begins before the positions of most of them, and a hub may be behind.
			j.shards[r.shard] = r.sequence
		}
	}
	return j
}

// age returns a number for how long ago a position was. Each number is for times that are up to four times as long as
// those of the one before.
func (p *position) age(now time.Time) int {
	return bits.Len64(uint64(max(0, now.Sub(p.current))/time.Minute)) / 2
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
