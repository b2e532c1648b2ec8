package stream

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

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

// output is what a session passes records to. It is called by one goroutine.
type output interface {
	// begin is called once, with the position from which on records are passed.
	begin(ctx context.Context, p live.Position)
	// lost reports that records before the next ones may be missing.
	lost(ctx context.Context, cause error)
	// pass passes the records of one shard that a request has read; those of a replay may have none. The position is the
	// session's, which is behind them. It reports whether they are passed: items that others have published may be gone.
	pass(ctx context.Context, records []*record, p live.Position) bool
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
	if s.shared != nil && r.after == present {
		r.first = s.shared.present[id].first
	}
	r.toTip = s.isReplay && r.until == "" && !s.lineage.parents[id]
	s.readers.Go(func() { r.run(ctx, iterator, lost) })
	return of
}

func (s *session) count() {
	if s.reading != nil {
		s.reading.Store(int64(len(s.running)))
	}
}

// pass passes records behind the position. It reports whether the output has them.
func (s *session) pass(ctx context.Context, shard string, records []*record) bool {
	if len(records) == 0 {
		return true
	}
	before := s.position[shard]
	s.position[shard] = last(records).sequence
	if !s.out.pass(ctx, records, s.position) {
		s.position[shard] = before
		return false
	}
	if s.shared != nil {
		delete(s.shared.present, shard)
	}
	return true
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
