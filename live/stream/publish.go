package stream

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"github.com/partita/partita/live"
	"github.com/partita/partita/replicas"
)

const (
	// storeKey is the name of the stream in the shared store.
	storeKey = "changes"
	// keptEntries is how many entries the store keeps about. A replica that is further behind has lost some.
	keptEntries = 2000
	// entryBytes is the size of the records' items, in bytes, after which an entry ends.
	entryBytes = 256 << 10
	// currentInterval is the time between two entries with the position.
	currentInterval = 500 * time.Millisecond
)

// publisher passes records to the other replicas through the shared store. Its methods do nothing for a nil publisher.
type publisher struct {
	store  *replicas.Store
	key    string
	stream string
	log    *slog.Logger
	failed rate.Sometimes

	// epoch is "" before the first entry, and after one that may not have been added: the others must compare positions
	// then.
	epoch  string
	number int64
	// told is when the last entry with a position was published.
	told time.Time
}

// newPublisher returns nil without a store.
func newPublisher(store *replicas.Store, stream string, log *slog.Logger) *publisher {
	if store == nil {
		return nil
	}
	return &publisher{
		store: store, key: store.Key(storeKey), stream: stream, log: log, failed: rate.Sometimes{Interval: logInterval},
	}
}

// begin publishes the position from which on records are published.
func (p *publisher) begin(ctx context.Context, at live.Position) {
	if p == nil {
		return
	}
	p.epoch, p.number = uuid.NewString(), 0
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
	for len(records) > 0 && p.epoch != "" {
		e, size := &entry{}, 0
		for len(records) > 0 && size < entryBytes {
			encoded, err := records[0].encode()
			if err != nil {
				p.fail(ctx, err)
				return
			}
			e.Records = append(e.Records, encoded)
			size += len(encoded.Old) + len(encoded.New)
			records = records[1:]
		}
		p.send(ctx, e)
	}
}

// current publishes that all records until a time have been published, if that was not just done.
func (p *publisher) current(ctx context.Context, at time.Time, behind live.Position) {
	if p == nil || time.Since(p.told) < currentInterval {
		return
	}
	if p.epoch == "" {
		p.begin(ctx, behind)
	}
	if p.epoch != "" {
		p.send(ctx, &entry{
			Position: maps.Clone(behind), At: at.UnixMilli(), Lag: max(time.Since(at).Milliseconds(), 1),
		})
	}
	p.told = time.Now()
}

func (p *publisher) send(ctx context.Context, e *entry) {
	e.Epoch, e.Number, e.Stream = p.epoch, p.number, p.stream
	text, err := e.encode()
	if err == nil {
		err = p.store.Append(ctx, p.key, text, keptEntries)
	}
	if err != nil {
		p.fail(ctx, err)
		return
	}
	p.number++
}

// fail ends the epoch. What this replica itself reads is not affected.
func (p *publisher) fail(ctx context.Context, err error) {
	p.epoch = ""
	p.failed.Do(func() {
		p.log.WarnContext(ctx, "the changes of the table are not published to the other replicas; it is tried again",
			"error", err.Error())
	})
}
