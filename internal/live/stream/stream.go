package stream

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/table"
)

const (
	// maxGap is how long ago the stream may have been read for a new reader to continue there. If nobody has read it for
	// longer, nobody waits for its changes.
	maxGap = 15 * time.Minute
	// releaseTimeout is how long the release of a lease may take.
	releaseTimeout = 2 * time.Second
)

// Reader reads the stream of a table. It is a live.Reader.
type Reader struct {
	table   *table.Table
	options Options
	log     *slog.Logger
	// id is that of this replica in leases.
	id string
	// shared is nil before this replica divides the stream with others. Read uses it.
	shared *shared
	// replay has room for one, and replayed is what they have read: see Replay.
	replay   chan struct{}
	replayed replayed

	mu sync.Mutex
	// arn is the stream of the position.
	arn      string
	position live.Position // nil before the first

	fetchFailed rate.Sometimes

	records  atomic.Int64
	requests atomic.Int64
	read     atomic.Int64 // in nanoseconds since 1970
	reading  atomic.Int64 // how many shards are read
}

var _ live.Reader = (*Reader)(nil)

// New returns a Reader of the table's stream.
func New(t *table.Table, o Options) *Reader {
	o.Interval, o.Lease = cmp.Or(o.Interval, DefaultInterval), cmp.Or(o.Lease, defaultLease)
	return &Reader{
		table: t, options: o, log: o.Logger, id: uuid.NewString(), replay: make(chan struct{}, 1),
		replayed:    replayed{logged: rate.Sometimes{Interval: logInterval}},
		fetchFailed: rate.Sometimes{Interval: logInterval},
	}
}

func (r *Reader) setPosition(arn string, p live.Position) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arn, r.position = arn, maps.Clone(p)
}

// known returns the position in a stream; nil if it is not known, or of another stream.
func (r *Reader) known(arn string) live.Position {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.arn != arn {
		return nil
	}
	return maps.Clone(r.position)
}

// hasReadOther reports whether this replica has read another stream, so that it lacks what was written before it reads
// this one.
func (r *Reader) hasReadOther(arn string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.position != nil && r.arn != arn
}

// Records returns how many records have been passed to the sink.
func (r *Reader) Records() int64 { return r.records.Load() }

// Requests returns how many requests of GetRecords have been sent, each of which is paid.
func (r *Reader) Requests() int64 { return r.requests.Load() }

// find returns the stream of the table as find does, whose requests are counted.
func (r *Reader) find(ctx context.Context) (*source, error) {
	s, err := find(ctx, r.table)
	if err == nil {
		s.requests = &r.requests
	}
	return s, err
}

// Lag returns how long ago everything that the stream had was passed to the sink. It reports whether it ever was.
func (r *Reader) Lag() (lag time.Duration, known bool) {
	read := r.read.Load()
	return time.Since(time.Unix(0, read)), read != 0
}

// Shards returns how many shards of the stream this replica reads by itself. It follows other replicas in the others.
func (r *Reader) Shards() int { return int(r.reading.Load()) }

// Holds reports whether this replica reads a part of the stream by itself, or all of it.
func (r *Reader) Holds() bool { return r.Shards() > 0 }

// deliver passes records to a sink, except those of leases, with the items that it needs. It reports whether these
// could be fetched.
func (r *Reader) deliver(sink live.Sink, records []*record) bool {
	changes := changesOf(r.table.Schema(), records)
	if len(changes) == 0 {
		return true
	}
	for needed := sink.Deliver(changes); len(needed) > 0; needed = sink.Deliver(changes) {
		items, err := r.Fetch(live.AwayOf(needed))
		if err != nil {
			return false
		}
		for i, c := range needed {
			c.Bring(items[i])
		}
	}
	r.records.Add(int64(len(changes)))
	return true
}

func (r *Reader) report(sink live.Sink, at time.Time) {
	r.read.Store(at.UnixNano())
	sink.Current(at)
}

// replayed is what replays have read since that was logged.
type replayed struct {
	replays, requests, records int
	took                       time.Duration
	logged                     rate.Sometimes
}

// end logs what replays have read, at most once in logInterval.
func (p *replayed) end(log *slog.Logger, begun time.Time) {
	p.took += time.Since(begun)
	p.logged.Do(func() {
		log.Info("the stream has been read for clients that resume", "replays", p.replays, "requests", p.requests,
			"records", p.records, "milliseconds", p.took.Milliseconds())
		p.replays, p.requests, p.records, p.took = 0, 0, 0, 0
	})
}

// begun returns where to begin in a stream: where this replica has ended, or where others have, or nil.
func (r *Reader) begun(arn string, stored leaseState) live.Position {
	after := r.known(arn)
	if after == nil && stored.stream == arn && len(stored.position) > 0 &&
		(r.options.Alone || time.Since(stored.at) < maxGap) {
		after = stored.position
	}
	return after
}

// hasPresent reports whether a position is not exact for one of the shards.
func hasPresent(p live.Position) bool {
	for _, sequence := range p {
		if sequence == present {
			return true
		}
	}
	return false
}

// readAt returns when everything that the stream had was passed to the sink.
func (r *Reader) readAt() time.Time { return time.Unix(0, r.read.Load()) }
