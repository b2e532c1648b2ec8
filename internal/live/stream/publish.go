package stream

import (
	"cmp"
	"context"
	"log/slog"
	"strconv"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/table"
)

const (
	// storeKey is the name of the stream in the shared store.
	storeKey = "shards"
	// keptEntries is how many entries the store keeps about. A replica that is further behind reads the stream of the
	// table for what it has missed.
	keptEntries = 2000
	// keptItems is how long the store keeps the items of an entry: longer than a hub keeps changes.
	keptItems = time.Minute
	// entryBytes is the size of the records' items, in bytes, after which an entry ends.
	entryBytes     = 256 << 10
	defaultWaiting = 32 << 20
	// currentInterval is the time between two entries with the position.
	currentInterval = 500 * time.Millisecond
)

// publisher passes records to the other replicas through the shared store. While the store does not answer, entries
// wait, and are then added in their order: nothing is missing for the others. What they do not get nevertheless, they
// read from the stream of the table, because each part says what is before it. An entry may be added twice.
type publisher struct {
	store *replicas.Store
	key   string
	// from is the id of this replica.
	from   string
	stream string
	log    *slog.Logger
	failed rate.Sometimes
	// maxWaiting is Options.Waiting.
	maxWaiting int
	encoder    encoder
	// texts is how many entries with items there have been.
	texts int

	// waiting are the entries that the store does not have as far as is known, and size that of the items in them, in
	// bytes.
	waiting []*entry
	size    int
	// told is when the last entry with a position was published.
	told time.Time
}

func newPublisher(o *Options, id, stream string, schema table.Schema, log *slog.Logger) *publisher {
	return &publisher{
		encoder: newEncoder(schema),
		store:   o.Store, key: o.Store.Key(storeKey), from: id, stream: stream, log: log,
		failed: rate.Sometimes{Interval: logInterval}, maxWaiting: cmp.Or(o.Waiting, defaultWaiting),
	}
}

// publish publishes records of a shard. The part has all of itself but the records.
func (p *publisher) publish(ctx context.Context, of part, records []*record) {
	ended := of.Ended
	of.Ended = false
	at := p.begin(of)
	changes := make([]live.Change, len(records))
	for i, one := range records {
		if len(last(p.waiting).items) > entryBytes {
			at = p.begin(part{Shard: of.Shard, After: last(at.heads).sequence})
		}
		e := last(p.waiting)
		before := len(e.items)
		var encoded head
		encoded, e.items = p.encoder.encode(one, &changes[i], e.items)
		at.heads = append(at.heads, encoded)
		p.size += len(e.items) - before
	}
	at.Ended = ended
	p.flush(ctx)
	if p.size > p.maxWaiting {
		p.waiting, p.size = nil, 0
	}
}

// begin adds a part to the entries that wait. What it returns is valid until the next call.
func (p *publisher) begin(of part) *part {
	n := len(p.waiting)
	if n == 0 || p.waiting[n-1].At != 0 || p.waiting[n-1].Changed || len(p.waiting[n-1].items) > entryBytes {
		p.waiting = append(p.waiting, &entry{})
		n++
	}
	e := p.waiting[n-1]
	e.Parts = append(e.Parts, of)
	return &e.Parts[len(e.Parts)-1]
}

// tell publishes how far the records have been published, unless some are still waiting.
func (p *publisher) tell(ctx context.Context, e *entry) {
	p.told = time.Now()
	if p.flush(ctx) {
		p.send(ctx, e)
	}
}

// changed publishes that this replica reads from now on, or no longer.
func (p *publisher) changed(ctx context.Context) { p.send(ctx, &entry{Changed: true}) }

func (p *publisher) send(ctx context.Context, e *entry) {
	p.waiting = append(p.waiting, e)
	p.flush(ctx)
}

// flush adds the entries that wait to the store. It reports whether none is left.
func (p *publisher) flush(ctx context.Context) bool {
	for len(p.waiting) > 0 {
		first := p.waiting[0]
		first.from, first.Stream = p.from, p.stream
		if first.At != 0 { // it may have waited
			first.Lag = max(time.Since(time.UnixMilli(first.At)).Milliseconds(), 1)
		}
		if len(first.items) > 0 && first.Items == "" {
			p.texts++
			first.Items, first.Scheme = p.key+":"+p.from+":"+strconv.Itoa(p.texts), p.encoder.scheme
		}
		text, err := first.encode()
		if err == nil {
			beside := replicas.Text{Key: first.Items, Text: string(first.items), Kept: keptItems}
			err = p.store.Append(ctx, p.key, text, keptEntries, beside)
		}
		if err != nil {
			p.fail(ctx, err)
			return false
		}
		p.waiting, p.size = p.waiting[1:], p.size-len(first.items)
	}
	p.waiting = nil
	return true
}

// fail logs why the other replicas are behind. What this replica itself reads is not affected.
func (p *publisher) fail(ctx context.Context, err error) {
	p.failed.Do(func() {
		p.log.WarnContext(ctx, "the changes of the table are not published to the other replicas; it is tried again",
			"error", err.Error())
	})
}
