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

const (
	// unsuitableInterval is the time between two looks whether the table has a stream.
	unsuitableInterval = 30 * time.Second
	// maxGap is how long ago the stream may have been read for a new reader to continue there. If nobody has read it for
	// longer, nobody waits for its changes.
	maxGap = 15 * time.Minute
	// releaseTimeout is how long the release of a lease may take.
	releaseTimeout = 2 * time.Second
)

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
	held, err := r.acquire(ctx, s, sink)
	if err != nil {
		return err
	}
	r.holds.Store(true)
	defer r.holds.Store(false)
	return r.hold(ctx, s, sink, held)
}

// acquire returns a lease that this replica has, once one is free. Until then it follows what the holder publishes.
func (r *Reader) acquire(ctx context.Context, s *source, sink live.Sink) (*lease, error) {
	leases := []*lease{newLease(r.table, r.id, 0)}
	var other, released <-chan struct{}
	if r.options.Alone {
		if _, err := leases[0].try(ctx, 0); err != nil {
			return nil, err
		}
		return leases[0], nil
	}
	if r.options.Store == nil {
		leases = append(leases, newLease(r.table, r.id, 1)) // for each of the two readers that a shard may have
	} else {
		if r.follower == nil || r.follower.arn != s.arn {
			r.follower = newFollower(r, sink, s.arn)
		}
		other, released = r.follower.other, r.follower.released
		_ = r.follower.begin(ctx) // before the first entry of this replica; run tries again
		followCtx, stop := context.WithCancel(ctx)
		var following sync.WaitGroup
		following.Go(func() { r.follower.run(followCtx) })
		defer following.Wait()
		defer stop()
	}
	ticks := time.NewTicker(r.options.Lease)
	defer ticks.Stop()
	for isLogged := false; ; {
		for _, l := range leases {
			if held, err := l.try(ctx, expiry*r.options.Lease); held || err != nil {
				return l, err
			}
		}
		if !isLogged && r.options.Store == nil {
			isLogged = true
			r.log.WarnContext(ctx, "two other replicas may be reading the stream of the table, and more cannot: "+
				"until one of them ends, there are no subscriptions here",
				"fix", "set SHARED_STORE, through which one replica passes the changes to all others")
		}
		select {
		case <-ticks.C:
		case <-released:
		case <-other:
			return nil, errOtherStream
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// hold reads the stream with a lease until that fails, and releases it.
func (r *Reader) hold(ctx context.Context, s *source, sink live.Sink, held *lease) error {
	r.log.InfoContext(ctx, "this replica reads the stream of the table", "stream", s.arn)
	after := r.known(s.arn)
	if stored := held.seen; after == nil && stored.stream == s.arn && len(stored.position) > 0 &&
		(r.options.Alone || time.Since(stored.at) < maxGap) {
		after = stored.position
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := &sinkOutput{
		Reader: r, arn: s.arn, sink: sink, begun: make(chan struct{}),
		failed: rate.Sometimes{Interval: logInterval},
	}
	if !r.options.Alone {
		out.publisher = newPublisher(&r.options, s.arn, r.log)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		defer cancel()
		if err := held.release(ctx, s.arn, r.known(s.arn), r.readAt()); err != nil {
			r.log.WarnContext(ctx, "the position in the stream of the table is not stored", "error", err.Error())
			return
		}
		out.publisher.released(ctx)
	}()
	var renewing sync.WaitGroup
	renewing.Go(func() { r.renew(ctx, cancel, held, out) })
	defer renewing.Wait()
	defer cancel(nil)
	err := newSession(s, r.options, r.log, out).run(ctx, after)
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

// hasPresent reports whether a position is not exact for one of the shards.
func hasPresent(p live.Position) bool {
	for _, sequence := range p {
		if sequence == present {
			return true
		}
	}
	return false
}

// readAt returns when everything that the stream had was passed to the sink.
func (r *Reader) readAt() time.Time { return time.Unix(0, r.read.Load()) }

// sinkOutput passes records to a sink, and publishes them.
type sinkOutput struct {
	*Reader
	arn       string
	sink      live.Sink
	publisher *publisher // nil without a store
	// begun is closed by begin.
	begun  chan struct{}
	failed rate.Sometimes
}

func (o *sinkOutput) begin(ctx context.Context, p live.Position) {
	if o.hasReadOther(o.arn) {
		o.lost(ctx, errOtherStream)
	}
	o.setPosition(o.arn, p)
	o.publisher.begin(ctx, p)
	close(o.begun)
}

func (o *sinkOutput) lost(ctx context.Context, cause error) {
	o.log.WarnContext(ctx, "changes of the table are lost: subscriptions are ended and the cache is emptied",
		"error", cause.Error())
	o.sink.Lost(cause)
	o.publisher.lost(ctx)
}

func (o *sinkOutput) pass(ctx context.Context, records []*record, p live.Position) {
	o.publisher.publish(ctx, records, p)
	o.deliver(o.sink, records)
	o.setPosition(o.arn, p)
}

func (o *sinkOutput) current(ctx context.Context, at time.Time, p live.Position) {
	o.setPosition(o.arn, p)
	o.report(o.sink, at)
	o.publisher.current(ctx, at, p)
}
