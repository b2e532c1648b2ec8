package stream

import (
	"context"
	"errors"
	"maps"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/table"
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

func newShared(o *Options, id, arn string, schema table.Schema, expires time.Duration) *shared {
	return &shared{
		id: id, arn: arn, expires: expires, views: make(chan []string, 1), followed: make(chan fetched),
		follower: newFollower(o.Store, id, o.Logger), publisher: newPublisher(o, id, arn, schema, o.Logger),
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
