package stream

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
)

const (
	// discoverInterval is the time between two looks for new shards, also if no shard has ended.
	discoverInterval = 30 * time.Second
	// childInterval is the same while the children of a shard that has ended are not known yet.
	childInterval = time.Second
	// maxRequests is how many requests to the stream are in flight at a time.
	maxRequests = 32
)

// errStreamOff is the error of a session that has read all records of a stream that was turned off.
var errStreamOff = errors.New("stream: the stream has been turned off")

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

	lineage lineage
	// ended are the shards of the position that have been read to their end, and have no children yet.
	ended map[string]bool
	// tips are those of the shards that are being read; zero before their first tip.
	tips     map[string]time.Time
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
	// session's, which is behind them.
	pass(ctx context.Context, records []*record, p live.Position)
	// current reports that all records until a time have been passed.
	current(ctx context.Context, at time.Time, p live.Position)
}

func newSession(s *source, o Options, log *slog.Logger, out output) *session {
	return &session{
		source: s, log: log, interval: o.Interval, out: out, ended: map[string]bool{}, tips: map[string]time.Time{},
		passed: make(chan batch), requests: make(chan struct{}, maxRequests), failed: rate.Sometimes{Interval: logInterval},
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
	s.lineage = newLineage(shards)
	if s.isReplay {
		after, s.needed = s.lineage.between(after, s.until)
	}
	switch {
	case after != nil && s.lineage.has(after):
		s.position = maps.Clone(after)
		s.out.begin(ctx, s.position)
		for id := range after {
			s.start(ctx, id, nil)
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
	s.position = live.Position{}
	for _, id := range leaves {
		s.position[id] = present
	}
	s.out.begin(ctx, s.position)
	for i, id := range leaves {
		s.start(ctx, id, iterators[i])
	}
	return nil
}

// start starts the reader of a shard of the position.
func (s *session) start(ctx context.Context, id string, iterator *string) {
	s.tips[id] = time.Time{}
	r := &shardReader{
		source: s.source, id: id, after: s.position[id], until: s.until[id], interval: s.interval, log: s.log,
		failed: &s.failed, requests: s.requests, passed: s.passed, isReplay: s.isReplay,
	}
	r.toTip = s.isReplay && r.until == "" && !s.lineage.parents[id]
	s.readers.Go(func() { r.run(ctx, iterator) })
}

// loop passes what the readers have read.
func (s *session) loop(ctx context.Context) error {
	timer := time.NewTimer(discoverInterval)
	defer timer.Stop()
	for {
		if s.isReplay && len(s.tips) == 0 && len(s.ended) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b := <-s.passed:
			switch {
			case b.err != nil:
				return b.err
			case b.lost != nil && s.isReplay:
				return live.ErrExpired
			}
			s.take(ctx, b)
			if !b.ended {
				continue
			}
		case <-timer.C:
		}
		if err := s.describe(ctx); err != nil {
			return err
		}
		s.discover(ctx)
		if s.isOff && len(s.tips) == 0 && !s.isReplay {
			return errStreamOff
		}
		if len(s.ended) > 0 {
			timer.Reset(childInterval)
		} else {
			timer.Reset(discoverInterval)
		}
	}
}

// take passes a batch.
func (s *session) take(ctx context.Context, b batch) {
	if b.lost != nil {
		s.out.lost(ctx, b.lost)
	}
	if n := len(b.records); n > 0 {
		s.position[b.shard] = b.records[n-1].sequence
		s.out.pass(ctx, b.records, s.position)
	} else if s.isReplay {
		s.out.pass(ctx, nil, s.position) // it counts requests
	}
	if b.ended {
		delete(s.tips, b.shard)
		s.ended[b.shard] = true
		return
	}
	if b.tip.IsZero() {
		return
	}
	s.tips[b.shard] = b.tip
	s.report(ctx)
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

func (s *session) describe(ctx context.Context) error {
	shards, err := s.shards(ctx)
	switch {
	case ctx.Err() != nil || isGone(err):
		return err
	case err != nil:
		s.failed.Do(func() {
			s.log.WarnContext(ctx, "the shards of the stream of the table cannot be read; it is tried again",
				"error", err.Error())
		})
	default:
		s.lineage = newLineage(shards)
	}
	return nil
}

// discover starts the readers of new shards whose parents have been read to their end.
func (s *session) discover(ctx context.Context) {
	read := s.lineage.ancestors(s.position)
	parents := map[string]bool{}
	for _, one := range s.lineage.shards {
		if _, known := s.position[one.id]; known || read[one.id] {
			continue
		}
		isNew := s.ended[one.parent]
		if s.isReplay { // it has begun with all that follow nothing else
			isNew = isNew && s.needed[one.id]
		} else if _, hasParent := s.lineage.byID[one.parent]; !hasParent || read[one.parent] {
			isNew = true
		}
		if isNew {
			s.position[one.id] = ""
			parents[one.parent] = true
			s.start(ctx, one.id, nil)
		}
	}
	for id := range s.ended {
		if _, listed := s.lineage.byID[id]; parents[id] || !listed || s.isReplay {
			delete(s.ended, id)
			delete(s.position, id)
		}
	}
}
