// Package pace sends the requests of a partition key that DynamoDB throttles no faster than it takes them, in turns of
// their callers.
//
// What is throttled is sent again, and so is sent in vain as often as others come first: the more callers there are,
// the more of the requests are in vain, and the more of the rest belongs to who sends most. So from the first throttle
// on, a key has a lane. All writes of the process to the key, or all its reads, pass it one after the other, at a rate
// that grows slowly and becomes less with each throttle: several processes find their parts of the key as connections
// do theirs of a network. That needs no store, which may be slow or lost, and does not know of other programs. Who
// waits for a lane has its place by caller: see [share.Pool].
package pace

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Key is a partition key of an index, or with "" of the table.
type Key struct{ Index, Partition string }

// Part is how much of a request is about one key, in units, as far as that is known before. There are some.
type Part struct {
	Key
	Units float64
}

// How many units a second Amazon lets a partition key consume at most. It is less for keys that share a partition with
// others.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
const (
	WriteUnits = 1000
	ReadUnits  = 3000
)

// maxLanes limits the memory for keys. A further key has none until one of them is forgotten.
const maxLanes = 256

// Lanes are the keys that are throttled, for writes or for reads. Its methods may be called concurrently.
type Lanes struct {
	limit float64
	mu    sync.Mutex
	byKey map[Key]*lane
	// count is how many there are. Most processes have none most of the time.
	count atomic.Int64
}

// New returns Lanes whose keys may consume so many units a second at most, without a key.
func New(limit float64) *Lanes { return &Lanes{limit: limit} }

// IsEmpty reports whether no key has a lane.
func (l *Lanes) IsEmpty() bool { return l.count.Load() == 0 }

// Pass waits until a request may be sent, in the turn of the caller of the context, and returns for how long. Its error
// wraps request.ErrThrottled if that takes longer than the context has time.
func (l *Lanes) Pass(ctx context.Context, parts []Part) (waited time.Duration, err error) {
	began := time.Now()
	for _, p := range parts {
		if at := l.lane(p.Key); at != nil {
			if err := at.pass(ctx, p.Units); err != nil {
				return time.Since(began), err
			}
		}
	}
	return time.Since(began), nil
}

// Accepted is called after a request that was not throttled, with how many times what is known before it has consumed.
// Later ones take as much as the latest ones have consumed.
func (l *Lanes) Accepted(parts []Part, factor float64) {
	for _, p := range parts {
		if at := l.lane(p.Key); at != nil {
			at.accepted(p.Units, p.Units*factor)
		}
	}
}

// Throttled is called after a request that was throttled because of a key.
func (l *Lanes) Throttled(key Key) {
	if at := l.laneFor(key); at != nil {
		at.throttled()
	}
}

// lane returns the lane of a key; nil if it has none.
func (l *Lanes) lane(key Key) *lane {
	if l.IsEmpty() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byKey[key]
}

// laneFor returns the lane of a key that is throttled, a new one if it has none; nil if there are too many.
func (l *Lanes) laneFor(key Key) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := l.byKey[key]; at != nil {
		return at
	}
	maps.DeleteFunc(l.byKey, func(_ Key, at *lane) bool { return at.isForgotten() })
	if len(l.byKey) >= maxLanes {
		return nil
	}
	if l.byKey == nil {
		l.byKey = map[Key]*lane{}
	}
	at := newLane(l.limit)
	l.byKey[key] = at
	l.count.Store(int64(len(l.byKey)))
	return at
}
