package stream

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/request"
)

// batch is what the goroutine of a shard has read.
type batch struct {
	shard string
	// of is the reader.
	of      *running
	records []*record
	// next is where the reader continues; nil if that is not known.
	next *string
	// tip is a time at which the shard had no records after these; zero if it may have had some.
	tip time.Time
	// ended reports whether the shard has no records after these, and never will, or they are not needed.
	ended bool
	// lost is why records before these may be missing; nil if none are.
	lost error
	// err is why the shard is not read any longer: the stream is gone.
	err error
}

// shardReader reads one shard.
type shardReader struct {
	*source
	id string
	// after is the position: see source.iterator.
	after string
	// first is the first record to be read if the position is present; "" if it is not known.
	first string
	// horizon reports whether the next records are the oldest ones that the shard has, as some after the position are
	// trimmed.
	horizon bool
	// until is the last record to read; "" for all.
	until string
	// toTip reports whether the shard is read until its present end.
	toTip bool
	// isReplay ends reading at a loss.
	isReplay bool
	// isBorrowed is set while the iterator is that of another replica.
	isBorrowed bool
	of         *running
	log        *slog.Logger
	failed     *rate.Sometimes
	// requests bounds how many requests are in flight at a time.
	requests chan struct{}
	// passed gets what has been read.
	passed chan<- batch
}

// run reads until the end of the shard, or until the context ends. A request that fails is sent again. The iterator may
// be nil, and what is lost before it.
func (r *shardReader) run(ctx context.Context, iterator *string, lost error) {
	defer r.of.stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for attempt := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-r.of.woken:
		}
		interval := time.Duration(r.of.interval.Load())
		b := batch{shard: r.id, of: r.of, lost: lost}
		sent := time.Now()
		p, err := r.next(ctx, &iterator)
		switch {
		case ctx.Err() != nil:
			return
		case isExpired(err), r.isBorrowed && isInvalid(err):
			// An iterator is valid for 15 minutes. Without a record since the present, where it was is not known.
			if iterator, r.isBorrowed = nil, false; r.after == present && r.first == "" {
				lost = err
			}
			timer.Reset(interval)
			continue
		case isTrimmed(err) && r.isReplay:
			b.lost, b.ended = err, true
		case isTrimmed(err):
			iterator, r.horizon, lost = nil, true, err
			timer.Reset(interval)
			continue
		case isGone(err):
			b.err = err
		case err != nil:
			attempt++
			r.failed.Do(func() {
				r.log.WarnContext(ctx, "the stream of the table cannot be read; it is tried again",
					"shard", r.id, "error", err.Error())
			})
			timer.Reset(interval + request.Backoff(attempt))
			continue
		default:
			attempt, lost, r.horizon, r.isBorrowed = 0, nil, false, false
			b.next = p.next
			r.fill(&b, p, sent)
		}
		select {
		case r.passed <- b:
		case <-ctx.Done():
			return
		}
		if b.ended || b.err != nil {
			return
		}
		iterator = p.next
		timer.Reset(interval - min(interval, time.Since(sent)))
	}
}

// next reads a page, and sets the iterator if there is none.
func (r *shardReader) next(ctx context.Context, iterator **string) (page, error) {
	select {
	case r.requests <- struct{}{}:
	case <-ctx.Done():
		return page{}, ctx.Err()
	}
	defer func() { <-r.requests }()
	if *iterator == nil {
		after := r.after
		if r.horizon {
			after = ""
		}
		it, err := r.iterator(ctx, r.id, after, r.first)
		if err != nil {
			return page{}, err
		}
		*iterator = it
	}
	return r.read(ctx, r.id, *iterator)
}

// fill sets what a page that was requested at a time has. Records up to the position are left out.
func (r *shardReader) fill(b *batch, p page, sent time.Time) {
	b.ended = p.next == nil || r.toTip && !p.isFull
	if !p.isFull {
		b.tip = sent
	}
	for _, one := range p.records {
		if live.CompareSequences(one.sequence, r.after) <= 0 {
			continue
		}
		if r.until != "" && live.CompareSequences(one.sequence, r.until) > 0 {
			b.ended = true
			break
		}
		b.records = append(b.records, one)
		r.after = one.sequence
	}
	b.ended = b.ended || r.until != "" && live.CompareSequences(r.after, r.until) >= 0
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
