package stream

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/request"
)

// unsuitableInterval is the time between two looks whether the table has a stream.
const unsuitableInterval = 30 * time.Second

// errLeaseLost is the error of a session whose lease another replica has taken.
var errLeaseLost = errors.New("stream: another replica reads the stream")

// Read passes changes to the sink until the context ends; its error is that of the context. See the package for which
// replica reads the stream.
func (r *Reader) Read(ctx context.Context, sink live.Sink) error {
	sometimes := rate.Sometimes{Interval: logInterval}
	for attempt := 1; ; attempt++ {
		started := time.Now()
		err := r.readOnce(ctx, sink)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var unsuitable *Unsuitable
		wait := request.Backoff(attempt)
		switch {
		case errors.As(err, &unsuitable):
			wait = unsuitableInterval
			sometimes.Do(func() {
				r.log.WarnContext(ctx, unsuitable.Error()+"; until then there are no subscriptions", "fix", unsuitable.Fix())
			})
		case isUnknown(err):
			wait = unsuitableInterval
			sometimes.Do(func() {
				r.log.WarnContext(ctx, "the endpoint has no DynamoDB Streams, so that there are no subscriptions",
					"endpoint", r.table.Location(), "error", err.Error(),
					"fix", "set LIVE=off, or use Amazon DynamoDB, DynamoDB Local or the local engine")
			})
		default:
			sometimes.Do(func() {
				r.log.WarnContext(ctx, "the stream of the table is not read; it is tried again", "error", err.Error())
			})
		}
		if time.Since(started) > logInterval {
			attempt = 1
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// readOnce reads the stream until that fails. It always returns an error.
func (r *Reader) readOnce(ctx context.Context, sink live.Sink) error {
	s, err := r.find(ctx)
	if err != nil {
		return err
	}
	defer r.reading.Store(0)
	if r.options.Store != nil && !r.options.Alone {
		return r.share(ctx, s, sink)
	}
	held, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	return r.hold(ctx, s, sink, held)
}

// acquire returns a lease that this replica has, once one is free.
func (r *Reader) acquire(ctx context.Context) (*lease, error) {
	first := newLease(r.table, r.id, 0)
	if r.options.Alone {
		_, err := first.try(ctx, 0)
		return first, err
	}
	leases := []*lease{first, newLease(r.table, r.id, 1)} // for each of the two readers that a shard may have
	ticks := time.NewTicker(r.options.Lease)
	defer ticks.Stop()
	for isLogged := false; ; {
		for _, l := range leases {
			if held, err := l.try(ctx, expiry*r.options.Lease); held || err != nil {
				return l, err
			}
		}
		if !isLogged {
			isLogged = true
			r.log.WarnContext(ctx, "two other replicas may be reading the stream of the table, and more cannot: "+
				"until one of them ends, there are no subscriptions here",
				"fix", "set SHARED_STORE, through which the replicas divide the stream")
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// hold reads the stream with a lease until that fails, and releases it.
func (r *Reader) hold(ctx context.Context, s *source, sink live.Sink, held *lease) error {
	r.log.InfoContext(ctx, "this replica reads the stream of the table", "stream", s.arn)
	after := r.begun(s.arn, held.seen)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := r.newOutput(s.arn, sink)
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		defer cancel()
		if err := held.release(ctx, s.arn, r.known(s.arn), r.readAt()); err != nil {
			r.log.WarnContext(ctx, "the position in the stream of the table is not stored", "error", err.Error())
		}
	}()
	var renewing sync.WaitGroup
	renewing.Go(func() { r.renew(ctx, cancel, held, out) })
	defer renewing.Wait()
	defer cancel(nil)
	reading := newSession(s, r.options, r.log, out)
	reading.reading = &r.reading
	err := reading.run(ctx, after)
	if cause := context.Cause(ctx); errors.Is(cause, errLeaseLost) {
		return cause
	}
	return err
}

// renew renews the lease until the context ends. It cancels the context if another replica has taken the lease. If no
// other process can, it only stores the position when that has changed.
func (r *Reader) renew(ctx context.Context, cancel context.CancelCauseFunc, held *lease, out *sinkOutput) {
	select {
	case <-out.begun:
	case <-ctx.Done():
		return
	}
	ticks := time.NewTicker(r.options.Lease)
	defer ticks.Stop()
	var stored live.Position
	var records int64
	for {
		p, n := r.known(out.arn), r.Records()
		// The lease itself is in the stream, and changes the position.
		if !r.options.Alone || n != records || len(p) != len(stored) || hasPresent(stored) && !maps.Equal(p, stored) {
			isHeld, err := held.renew(ctx, out.arn, p, r.readAt())
			switch {
			case err == nil && !isHeld:
				cancel(errLeaseLost)
				return
			case err != nil && ctx.Err() == nil:
				out.failed.Do(func() {
					r.log.WarnContext(ctx, "the position in the stream of the table is not stored; it is tried again",
						"error", err.Error())
				})
			case err == nil:
				stored, records = p, n
			}
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}
