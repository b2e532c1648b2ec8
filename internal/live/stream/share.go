package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/partita/partita/internal/live"
)

// share reads the shards of this replica, and follows the others through the store, until that fails.
func (r *Reader) share(ctx context.Context, s *source, sink live.Sink) error {
	expires := expiry * r.options.Lease
	if r.shared == nil || r.shared.arn != s.arn {
		r.shared = newShared(&r.options, r.id, s.arn, r.table.Schema(), expires)
	}
	d := r.shared
	_ = d.follower.begin(ctx) // before this replica reads; run tries again
	all := newReaders(r.table, r.id, s.arn, expires)
	living, stored, err := all.renew(ctx, r.known(s.arn), r.readAt())
	if err != nil {
		return err
	}
	r.log.InfoContext(ctx, "this replica reads its part of the stream of the table", "stream", s.arn,
		"replicas", len(living))
	d.begin(living)
	d.publisher.changed(ctx)
	out := r.newOutput(s.arn, sink)
	out.owes = d.owes
	defer r.leave(ctx, all)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { r.renewShare(ctx, all, out) })
	running.Go(func() { d.follower.run(ctx, d.followed) })
	reading := newSession(s, r.options, r.log, out)
	reading.shared, reading.reading = d, &r.reading
	return reading.run(ctx, r.begun(s.arn, stored))
}

// renewShare renews the registration of this replica until the context ends, and says who else is registered.
func (r *Reader) renewShare(ctx context.Context, all *readers, out *sinkOutput) {
	ticks := time.NewTicker(r.options.Lease)
	defer ticks.Stop()
	var known []string
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		case <-r.shared.follower.changed:
		}
		living, _, err := all.renew(ctx, r.known(out.arn), r.readAt())
		switch {
		case err == nil && !slices.Equal(living, known):
			r.shared.view(living)
			known = living
		case err != nil && ctx.Err() == nil:
			out.failed.Do(func() {
				r.log.WarnContext(ctx, "this replica cannot say that it reads the stream of the table; it is tried again",
					"error", err.Error())
			})
		}
	}
}

// leave lets the others read the shards of this replica at once.
func (r *Reader) leave(ctx context.Context, all *readers) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := all.leave(ctx, r.known(all.stream), r.readAt()); err != nil {
		r.log.WarnContext(ctx, "the position in the stream of the table is not stored", "error", err.Error())
		return
	}
	r.shared.publisher.changed(ctx)
}
