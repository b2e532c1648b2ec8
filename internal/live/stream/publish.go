package stream

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/replicas"
)

const (
	// storeKey is the name of the stream in the shared store.
	storeKey = "changes"
	// keptEntries is how many entries the store keeps about. A replica that is further behind reads the stream of the
	// table for what it has missed.
	keptEntries = 2000
	// entryBytes is the size of the records' items, in bytes, after which an entry ends.
	entryBytes     = 256 << 10
	defaultWaiting = 32 << 20
	// currentInterval is the time between two entries with the position.
	currentInterval = 500 * time.Millisecond
)

// publisher passes records to the other replicas through the shared store. While the store does not answer, entries
// wait, and are then added in their order: nothing is missing for the others. Its methods do nothing for a nil
// publisher.
type publisher struct {
	store  *replicas.Store
	key    string
	stream string
	log    *slog.Logger
	failed rate.Sometimes
	// maxWaiting is Options.Waiting.
	maxWaiting int

	// epoch is "" before the first entry, and after records that are not published: the others read them from the stream
	// of the table.
	epoch string
	// waiting are the entries that the store does not have as far as is known, and size that of the items in them, in
	// bytes. The first one has the number, and may be in the store already if isSent is set.
	waiting []*entry
	size    int
	number  int64
	isSent  bool
	// told is when the last entry with a position was published.
	told time.Time
}

// newPublisher returns nil without a store.
func newPublisher(o *Options, stream string, log *slog.Logger) *publisher {
	if o.Store == nil {
		return nil
	}
	return &publisher{
		store: o.Store, key: o.Store.Key(storeKey), stream: stream, log: log, failed: rate.Sometimes{Interval: logInterval},
		maxWaiting: cmp.Or(o.Waiting, defaultWaiting),
	}
}

// begin publishes the position from which on records are published.
func (p *publisher) begin(ctx context.Context, at live.Position) {
	if p == nil {
		return
	}
	p.drop()
	p.epoch = uuid.NewString()
	p.send(ctx, &entry{Position: maps.Clone(at)})
}

func (p *publisher) lost(ctx context.Context) {
	if p != nil && p.epoch != "" {
		p.send(ctx, &entry{Lost: true})
	}
}

// released publishes that the lease is free.
func (p *publisher) released(ctx context.Context) {
	if p != nil && p.epoch != "" {
		p.send(ctx, &entry{Released: true})
	}
}

// publish publishes records. The position is behind them.
func (p *publisher) publish(ctx context.Context, records []*record, behind live.Position) {
	if p == nil {
		return
	}
	if p.epoch == "" { // the others notice that records are missing
		p.begin(ctx, behind)
		return
	}
	for _, one := range records {
		if err := p.add(one); err != nil {
			p.fail(ctx, err)
			p.drop()
			return
		}
	}
	p.flush(ctx)
	if p.size > p.maxWaiting {
		p.drop()
	}
}

// add adds a record to the entries that wait.
func (p *publisher) add(one *record) error {
	encoded, err := one.encode()
	if err != nil {
		return err
	}
	n := len(p.waiting)
	if n == 0 || n == 1 && p.isSent || p.waiting[n-1].Position != nil || p.waiting[n-1].size > entryBytes {
		p.waiting = append(p.waiting, &entry{})
		n++
	}
	last, size := p.waiting[n-1], len(encoded.Old)+len(encoded.New)
	last.Records = append(last.Records, encoded)
	last.size += size
	p.size += size
	return nil
}

// current publishes that all records until a time have been published, if that was not just done.
func (p *publisher) current(ctx context.Context, at time.Time, behind live.Position) {
	if p == nil || time.Since(p.told) < currentInterval {
		return
	}
	if p.epoch == "" {
		p.begin(ctx, behind)
	}
	if p.flush(ctx) {
		p.send(ctx, &entry{Position: maps.Clone(behind), At: at.UnixMilli()})
	}
	p.told = time.Now()
}

func (p *publisher) send(ctx context.Context, e *entry) {
	p.waiting = append(p.waiting, e)
	p.flush(ctx)
}

// flush adds the entries that wait to the store. It reports whether none is left.
func (p *publisher) flush(ctx context.Context) bool {
	for len(p.waiting) > 0 {
		first := p.waiting[0]
		first.Epoch, first.Number, first.Stream = p.epoch, p.number, p.stream
		if first.At != 0 { // it may have waited
			first.Lag = max(time.Since(time.UnixMilli(first.At)).Milliseconds(), 1)
		}
		text, err := first.encode()
		if err == nil {
			p.isSent = true
			err = p.store.Append(ctx, p.key, text, keptEntries)
		}
		if err != nil {
			p.fail(ctx, err)
			return false
		}
		p.waiting, p.size, p.isSent = p.waiting[1:], p.size-first.size, false
		p.number++
	}
	p.waiting = nil
	return true
}

// drop ends the epoch, with the entries that wait.
func (p *publisher) drop() {
	p.epoch, p.waiting, p.size, p.number, p.isSent = "", nil, 0, 0, false
}

// fail logs why the other replicas are behind. What this replica itself reads is not affected.
func (p *publisher) fail(ctx context.Context, err error) {
	p.failed.Do(func() {
		p.log.WarnContext(ctx, "the changes of the table are not published to the other replicas; it is tried again",
			"error", err.Error())
	})
}
