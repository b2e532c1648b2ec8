package subscribe

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// An answer without errors is made once for all subscriptions of an audience for which its Witness holds. What is the
// subscriber's own is not part of it: the position, the cost and the budget. Whoever comes while it is made waits.

// eventKey identifies what the answer of a change depends on beside the viewer.
type eventKey struct {
	audience *audience
	was, is  bool
	// partition and pk are the partition of the entry, which a cursor has.
	partition int
	pk        keys.PK
}

// shared is an answer of a change. Its fields do not change after ready is closed.
type shared struct {
	ready chan struct{}
	// witness is nil if there is no answer.
	witness *plan.Witness
	// isAny reports whether the change is an event.
	isAny bool
	kind  loaders.EventKind
	data  json.RawMessage
	cost  loaders.Cost
}

// sharing are the answers of one change. Its methods may be called concurrently.
type sharing struct {
	mu       sync.Mutex
	isClosed bool
	byKey    map[eventKey][]*shared
	count    int
	bytes    int
}

const (
	// maxVariants is how many answers of a change an audience has: viewers to whom rules say something different have
	// different ones.
	maxVariants = 8
	// maxShared is how many answers of a change are kept, and maxSharedBytes how many bytes they have.
	maxShared      = 256
	maxSharedBytes = 1 << 20
	// sharedFor is how long answers are kept. Later ones are made again.
	sharedFor = 5 * time.Second
	// patience is how long a subscription waits for an answer that is made for another one, whose Reads may take longer.
	patience = time.Second
)

// sharingOf returns the answers of a change.
func sharingOf(scope *request.Scope) *sharing {
	return scope.Answers(func() any {
		s := &sharing{byKey: map[eventKey][]*shared{}}
		time.AfterFunc(sharedFor, s.close)
		return s
	}).(*sharing)
}

// close forgets all answers.
func (s *sharing) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isClosed, s.byKey = true, nil
}

// of returns the answers that there are or that are being made.
func (s *sharing) of(key eventKey) []*shared {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byKey[key] // what is there does not change
}

// lead begins an answer, unless there are others than those that the caller has seen. It is nil if it is not shared.
func (s *sharing) lead(key eventKey, seen int) (led *shared, isLate bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch n := len(s.byKey[key]); {
	case s.isClosed || n == maxVariants || s.count == maxShared || s.bytes >= maxSharedBytes:
		return nil, false
	case n != seen:
		return nil, true
	}
	led = &shared{ready: make(chan struct{})}
	s.byKey[key] = append(s.byKey[key], led)
	s.count++
	return led, false
}

func (s *shared) isReady() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// making is an event of a subscription whose answer is shared. A nil making is one whose answer is not.
type making struct {
	*sharing
	key     eventKey
	holds   func(*plan.Witness) bool
	witness *plan.Witness
	// led is the answer that the subscription makes, for which others wait until end; nil if it makes none.
	led *shared
}

// making returns what an event shares with those of other subscriptions, nil for nothing.
func (s *Subscription) making(change live.Event, bound *plan.Bound, images loaders.Images) *making {
	if s.first != nil || !s.streams.audiences.isShared(s.audience) {
		return nil
	}
	m := &making{
		sharing: sharingOf(&change.Change.Scope),
		key:     eventKey{audience: s.audience, was: change.Was, is: change.Is, partition: change.Partition},
		holds:   func(w *plan.Witness) bool { return s.streams.Engine.Holds(w, bound, images) },
	}
	if p := s.condition.Partitions; change.Partition >= 0 && change.Partition < len(p) {
		m.key.pk = p[change.Partition].PK
	}
	return m
}

// witnessed returns a plan whose decisions are noted.
func (m *making) witnessed(b *plan.Bound) *plan.Bound {
	if m == nil {
		return b
	}
	own := *b
	m.witness = plan.NewWitness()
	own.Witness = m.witness
	return &own
}

// find returns the answer that holds for the subscription. If it returns nil, the subscription makes its own. It waits
// for answers that others make, and calls blocks before it waits.
func (m *making) find(ctx context.Context, blocks func()) *shared {
	if m == nil {
		return nil
	}
	var checked [maxVariants]bool
	var limit <-chan time.Time
	for {
		all := m.of(m.key)
		var made *shared
		for i, one := range all {
			switch {
			case checked[i]:
			case !one.isReady():
				made = one
			case one.witness != nil && m.holds(one.witness):
				return one
			default:
				checked[i] = true
			}
		}
		if made == nil {
			led, isLate := m.lead(m.key, len(all))
			if m.led = led; isLate {
				continue
			}
			return nil
		}
		if blocks(); limit == nil {
			limit = time.After(patience)
		}
		select {
		case <-made.ready:
		case <-limit:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// nothing notes that the change is no event.
func (m *making) nothing() {
	if m != nil && m.led != nil {
		m.led.witness = m.witness
	}
}

// answer notes the answer, unless it is the viewer's own.
func (m *making) answer(data json.RawMessage, kind loaders.EventKind, cost loaders.Cost) {
	switch {
	case m == nil || data == nil:
	case m.witness.IsOwn():
		m.key.audience.isOwn.Store(true)
	case m.led != nil:
		m.led.witness, m.led.isAny, m.led.kind, m.led.data, m.led.cost = m.witness, true, kind, data, cost
	}
}

// end passes what was noted to those who wait for it, once.
func (m *making) end() {
	if m == nil || m.led == nil {
		return
	}
	m.mu.Lock()
	m.bytes += len(m.led.data)
	m.mu.Unlock()
	close(m.led.ready)
	m.led = nil
}
