package stream

import (
	"context"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/live"
)

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
			iterators[i], err = s.iterator(groupCtx, id, present, "")
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
