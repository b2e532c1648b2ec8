package stream

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/internal/live"
)

// divide reads the shards of this replica, and no longer those that others have begun to read: see hear. The children
// of a shard are divided as soon as this replica knows its end.
func (s *session) divide(ctx context.Context) {
	d := s.shared
	if before := d.owners; before == nil || d.isChanged {
		d.owners, d.isChanged = divide(slices.Collect(maps.Keys(s.tips)), d.readers), false
		for id, owner := range d.owners {
			if owner != before[id] {
				d.heard[id] = time.Now()
			}
		}
		maps.DeleteFunc(d.heard, func(id string, _ time.Time) bool { return d.owners[id] == "" })
	}
	for id, owner := range d.owners {
		r := s.running[id]
		if owner != d.id && r == nil && (s.isOff || time.Since(d.heard[id]) > d.expires) {
			// Its owner may be cut off from the store. The readers of all replicas together stay within what a shard allows.
			s.readShared(ctx, id, false, s.interval*time.Duration(4*len(d.readers)))
		}
		if owner != d.id || s.position[id] == present && d.present[id] == nil && s.mayHear(id) {
			continue
		}
		if r == nil {
			s.readShared(ctx, id, true, s.interval)
			continue
		}
		if r.publishes = true; r.interval.Swap(int64(s.interval)) != int64(s.interval) {
			signal(r.woken)
		}
	}
}

// mayHear reports whether another replica may say soon where it reads a shard.
func (s *session) mayHear(id string) bool {
	return len(s.shared.readers) > 1 && time.Since(s.shared.heard[id]) < presentGrace
}

// readShared starts the reader of a shard.
func (s *session) readShared(ctx context.Context, id string, publishes bool, interval time.Duration) {
	d := s.shared
	var iterator *string
	var lost error
	if s.position[id] == present {
		switch p := d.present[id]; {
		case p != nil && p.Iterator != "":
			borrowed := p.Iterator
			iterator = &borrowed
		case p != nil && p.first != "":
		default:
			if p != nil {
				lost = errNoPosition
			}
			if owed := d.owes[id]; owed != nil {
				lost = owed
			}
			d.present[id] = &latest{Origin: uuid.NewString()}
		}
	}
	s.running[id] = s.read(ctx, id, iterator, lost, interval)
	s.running[id].publishes = publishes
}

// share leaves out what others have published of a batch, and publishes the rest.
func (s *session) share(ctx context.Context, b *batch) {
	after := s.position[b.shard]
	i := 0
	for i < len(b.records) && live.CompareSequences(b.records[i].sequence, after) <= 0 {
		i++
	}
	if b.records = b.records[i:]; len(b.records) > 0 && !b.of.publishes {
		s.logMissed(ctx, len(b.records))
	}
	switch {
	case b.lost == nil:
	case after == present: // what was lost is before the reader begins: for the others this is another origin
		s.shared.present[b.shard] = &latest{Origin: uuid.NewString()}
		delete(s.shared.owes, b.shard)
	case b.of.publishes:
		s.shared.lost[b.shard] = true
	}
	s.shared.publish(ctx, b, after)
	if at := s.shared.present[b.shard]; at != nil && b.next != nil && len(b.records) == 0 {
		s.shared.present[b.shard] = &latest{Origin: at.Origin, Iterator: *b.next}
	}
}

// tell publishes how far the shards of this replica have been read, if that was not just done.
func (s *session) tell(ctx context.Context) {
	d := s.shared
	if time.Since(d.publisher.told) < currentInterval {
		return
	}
	e := &entry{Position: live.Position{}, Present: map[string]*latest{}}
	var at time.Time
	for id, r := range s.running {
		tip := s.tips[id]
		if !r.publishes || tip.IsZero() {
			continue
		}
		if e.Position[id] = s.position[id]; s.position[id] == present {
			e.Present[id] = d.present[id]
		}
		if at.IsZero() || tip.Before(at) {
			at = tip
		}
	}
	if e.At = at.UnixMilli(); !at.IsZero() {
		d.publisher.tell(ctx, e)
	}
}
