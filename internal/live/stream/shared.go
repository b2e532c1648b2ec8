package stream

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
)

// presentGrace is how long a replica waits for another one to say where it reads a shard of which no position is known,
// before it begins behind the newest record itself.
const presentGrace = 3 * currentInterval

// errNoPosition is the cause if nobody knows any longer where a shard was read that had no record since.
var errNoPosition = errors.New("stream: the position in a shard without a record is not known any longer")

// shared is how the replicas divide the shards of a stream, as this replica knows it. It remains when a session ends,
// so that the next one can continue. Sessions use it one after the other.
type shared struct {
	id, arn   string
	follower  *follower
	publisher *publisher
	// expires is after how long without a renewal another replica reads no longer.
	expires time.Duration
	// views has the latest readers, and followed what they publish.
	views    chan []string
	followed chan fetched

	// readers are the replicas that read, this one included.
	readers []string
	// owners are those of the shards that are being read, and isChanged is set if they must be divided again.
	owners    map[string]string
	isChanged bool
	// heard is when the owner of a shard has said how far it is, or should have begun to.
	heard map[string]time.Time
	// present has where the shards are read whose position is present. One that is not here is of a replica that has
	// begun: it takes any position from others.
	present map[string]*latest
	// owes are losses that are reported when the position of a shard is known, behind which nothing is missing.
	owes map[string]error
	// lost are the shards whose next published records are behind a loss.
	lost map[string]bool
	// missed are the records that the store did not have since that was logged.
	missed int
	logged rate.Sometimes
}

func newShared(o *Options, id, arn string, expires time.Duration) *shared {
	return &shared{
		id: id, arn: arn, expires: expires, views: make(chan []string, 1), followed: make(chan fetched),
		follower: newFollower(o.Store, id, o.Logger), publisher: newPublisher(o, id, arn, o.Logger),
		present: map[string]*latest{}, owes: map[string]error{}, logged: rate.Sometimes{Interval: logInterval},
	}
}

// begin begins a session of this replica and others.
func (d *shared) begin(readers []string) {
	d.readers, d.owners, d.heard, d.lost = readers, nil, map[string]time.Time{}, map[string]bool{}
	maps.DeleteFunc(d.present, func(_ string, at *latest) bool { return at.Iterator == "" }) // nothing was read there yet
	select {
	case <-d.views:
	default:
	}
}

// view says who reads now.
func (d *shared) view(readers []string) {
	select {
	case <-d.views:
	default:
	}
	d.views <- readers
}

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
		s.shared.present[b.shard] = &latest{at.Origin, *b.next}
	}
}

// publish publishes what the reader of a shard has read after a position.
func (d *shared) publish(ctx context.Context, b *batch, after string) {
	if !b.of.publishes || len(b.records) == 0 && !b.ended {
		return
	}
	p := part{Shard: b.shard, After: after, Ended: b.ended, Lost: d.lost[b.shard]}
	if at := d.present[b.shard]; after == present && at != nil {
		p.Origin = at.Origin
	}
	delete(d.lost, b.shard)
	d.publisher.publish(ctx, p, b.records)
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
