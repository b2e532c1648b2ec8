package stream

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
)

// maxRequests is how many requests to the stream are in flight at a time.
const maxRequests = 32

// session reads a stream from one position on. All of its methods are called by one goroutine, which also calls the
// output's.
type session struct {
	*source
	log      *slog.Logger
	interval time.Duration
	out      output
	// position is how far the records have been passed to the output.
	position live.Position
	// until ends a replay: a session that ends at this position, and at the present end of other shards.
	until    live.Position
	isReplay bool
	// needed are the shards that a replay reads.
	needed map[string]bool

	// shared is how the replicas divide the shards; nil if this session reads all of them.
	shared *shared

	lineage lineage
	// described is when the shards were listed, and isStale is set if they must be again.
	described time.Time
	isStale   bool
	// ended are the shards of the position that have been read to their end, and have no children yet.
	ended map[string]bool
	// tips are those of the other shards of the position; zero before their first tip.
	tips map[string]time.Time
	// running are the readers of shards.
	running  map[string]*running
	reading  *atomic.Int64 // how many there are; may be nil
	passed   chan batch
	requests chan struct{}
	failed   rate.Sometimes
	readers  sync.WaitGroup
}

// running is the reader of a shard.
type running struct {
	stop context.CancelFunc
	// interval is the time between two reads, and woken has an element when it has become shorter.
	interval atomic.Int64
	woken    chan struct{}
	// publishes reports whether the other replicas get what it reads.
	publishes bool
}

// output is what a session passes records to. It is called by one goroutine.
type output interface {
	// begin is called once, with the position from which on records are passed.
	begin(ctx context.Context, p live.Position)
	// lost reports that records before the next ones may be missing.
	lost(ctx context.Context, cause error)
	// pass passes the records of one shard that a request has read; those of a replay may have none. The position is the
	// session's, which is behind them.
	pass(ctx context.Context, records []*record, p live.Position)
	// current reports that all records until a time have been passed.
	current(ctx context.Context, at time.Time, p live.Position)
}

func newSession(s *source, o Options, log *slog.Logger, out output) *session {
	return &session{
		source: s, log: log, interval: o.Interval, out: out, ended: map[string]bool{}, tips: map[string]time.Time{},
		running: map[string]*running{}, passed: make(chan batch), requests: make(chan struct{}, maxRequests),
		failed: rate.Sometimes{Interval: logInterval},
	}
}

// run reads after a position, or with a nil one from the present on, until the context ends, the stream is gone or has
// been read to its end, or everything up to s.until has been passed; its error is nil then. If the stream does not have
// all records after the position, it reads from the present on, and reports that as lost.
func (s *session) run(ctx context.Context, after live.Position) error {
	ctx, cancel := context.WithCancel(ctx)
	defer s.readers.Wait()
	defer cancel()
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	s.lineage, s.described = newLineage(shards), time.Now()
	if s.isReplay {
		after, s.needed = s.lineage.between(after, s.until)
	}
	switch {
	case after != nil && s.lineage.has(after, s.shared != nil):
		s.position = maps.Clone(after)
		s.out.begin(ctx, s.position)
		for id := range after {
			s.start(ctx, id)
		}
		s.discover(ctx)
	case s.isReplay:
		return live.ErrExpired
	default:
		if err := s.startAtPresent(ctx, after); err != nil {
			return err
		}
	}
	return s.loop(ctx)
}

// startAtPresent starts a reader for each shard behind its newest record.
func (s *session) startAtPresent(ctx context.Context, after live.Position) error {
	leaves := s.lineage.leaves()
	if s.shared != nil {
		s.begin(ctx, leaves, after)
		return nil
	}
	iterators := make([]*string, len(leaves))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(maxRequests)
	for i, id := range leaves {
		group.Go(func() (err error) {
			iterators[i], err = s.iterator(groupCtx, id, present)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if after != nil { // not before the iterators, behind which nothing is lost
		s.out.lost(ctx, live.ErrExpired)
	}
	s.begin(ctx, leaves, nil)
	for i, id := range leaves {
		s.running[id] = s.read(ctx, id, iterators[i], nil, s.interval)
	}
	return nil
}

// begin begins at the present end of some shards.
func (s *session) begin(ctx context.Context, leaves []string, after live.Position) {
	s.position = live.Position{}
	for _, id := range leaves {
		s.position[id], s.tips[id] = present, time.Time{}
		if s.shared != nil && after != nil {
			s.shared.owes[id] = live.ErrExpired
		}
	}
	s.out.begin(ctx, s.position)
}

// start adds a shard of the position to those that are being read.
func (s *session) start(ctx context.Context, id string) {
	s.tips[id] = time.Time{}
	if s.shared != nil {
		s.shared.isChanged = true // its reader is started when it is known whose it is
		return
	}
	s.running[id] = s.read(ctx, id, nil, nil, s.interval)
}

// read starts the reader of a shard. The iterator may be nil. What is lost is reported with what the first request has
// read.
func (s *session) read(ctx context.Context, id string, iterator *string, lost error, every time.Duration) *running {
	ctx, stop := context.WithCancel(ctx)
	of := &running{stop: stop, woken: make(chan struct{}, 1)}
	of.interval.Store(int64(every))
	r := &shardReader{
		source: s.source, id: id, after: s.position[id], until: s.until[id], log: s.log,
		failed: &s.failed, requests: s.requests, passed: s.passed, isReplay: s.isReplay, of: of,
		isBorrowed: s.shared != nil && iterator != nil,
	}
	r.toTip = s.isReplay && r.until == "" && !s.lineage.parents[id]
	s.readers.Go(func() { r.run(ctx, iterator, lost) })
	return of
}

// loop passes what the readers have read.
func (s *session) loop(ctx context.Context) error {
	timer := time.NewTimer(discoverInterval)
	defer timer.Stop()
	var views <-chan []string
	var followed <-chan fetched
	var ticks <-chan time.Time
	if s.shared != nil {
		ticker := time.NewTicker(currentInterval)
		defer ticker.Stop()
		views, followed, ticks = s.shared.views, s.shared.followed, ticker.C
		s.divide(ctx)
	}
	for {
		s.count()
		if s.isReplay && len(s.tips) == 0 && len(s.ended) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b := <-s.passed:
			if s.running[b.shard] != b.of {
				continue // its reader was stopped
			}
			switch {
			case b.err != nil:
				return b.err
			case b.lost != nil && s.isReplay:
				return live.ErrExpired
			}
			s.take(ctx, b)
		case f := <-followed:
			if err := s.follow(ctx, f); err != nil {
				return err
			}
		case readers := <-views:
			s.shared.readers, s.shared.isChanged = readers, true
		case <-ticks:
			s.shared.publisher.flush(ctx) // what waits may be of shards that others read now
			s.divide(ctx)
		case <-timer.C:
			s.isStale = true
		}
		if s.isStale {
			if err := s.refresh(ctx); err != nil {
				return err
			}
			if len(s.ended) > 0 {
				timer.Reset(childInterval)
			} else {
				timer.Reset(discoverInterval)
			}
		}
		if s.shared != nil && s.shared.isChanged {
			s.divide(ctx)
		}
	}
}

func (s *session) count() {
	if s.reading != nil {
		s.reading.Store(int64(len(s.running)))
	}
}

// take passes a batch.
func (s *session) take(ctx context.Context, b batch) {
	if b.lost != nil {
		s.out.lost(ctx, b.lost)
	}
	if s.shared != nil {
		s.share(ctx, &b)
	}
	if len(b.records) > 0 {
		s.pass(ctx, b.shard, b.records)
	} else if s.isReplay {
		s.out.pass(ctx, nil, s.position) // it counts requests
	}
	if b.ended {
		s.end(b.shard)
		return
	}
	if b.tip.IsZero() {
		return
	}
	s.tips[b.shard] = b.tip
	s.report(ctx)
	if s.shared != nil {
		s.tell(ctx)
	}
}

// pass passes records behind the position.
func (s *session) pass(ctx context.Context, shard string, records []*record) {
	if len(records) == 0 {
		return
	}
	s.position[shard] = last(records).sequence
	if s.shared != nil {
		delete(s.shared.present, shard)
	}
	s.out.pass(ctx, records, s.position)
}

// end ends a shard that has been read to its end.
func (s *session) end(shard string) {
	if r := s.running[shard]; r != nil {
		r.stop()
		delete(s.running, shard)
	}
	delete(s.tips, shard)
	s.ended[shard], s.isStale = true, true
	if s.shared != nil {
		s.shared.isChanged = true
	}
}

// report reports the time until which all shards have been read. While the children of a shard are not known, there may
// be records of which nothing is known.
func (s *session) report(ctx context.Context) {
	if len(s.ended) > 0 || s.isReplay {
		return
	}
	var at time.Time
	for _, tip := range s.tips {
		if tip.IsZero() {
			return
		}
		if at.IsZero() || tip.Before(at) {
			at = tip
		}
	}
	s.out.current(ctx, at, s.position)
}
