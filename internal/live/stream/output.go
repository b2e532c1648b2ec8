package stream

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
)

// sinkOutput passes records to a sink.
type sinkOutput struct {
	*Reader
	arn  string
	sink live.Sink
	// owes takes losses in shards whose position is present, if their readers have not begun yet; otherwise it is nil.
	owes map[string]error
	// begun is closed by begin.
	begun  chan struct{}
	failed rate.Sometimes
}

func (r *Reader) newOutput(arn string, sink live.Sink) *sinkOutput {
	return &sinkOutput{
		Reader: r, arn: arn, sink: sink, begun: make(chan struct{}), failed: rate.Sometimes{Interval: logInterval},
	}
}

func (o *sinkOutput) begin(ctx context.Context, p live.Position) {
	if o.hasReadOther(o.arn) {
		owed := 0
		for id, sequence := range p {
			if o.owes != nil && sequence == present {
				o.owes[id] = errOtherStream
				owed++
			}
		}
		if owed == 0 || owed < len(p) {
			o.lost(ctx, errOtherStream)
		}
	}
	o.setPosition(o.arn, p)
	close(o.begun)
}

func (o *sinkOutput) lost(ctx context.Context, cause error) {
	o.log.WarnContext(ctx, "changes of the table are lost: subscriptions are ended and the cache is emptied",
		"error", cause.Error())
	o.sink.Lost(cause)
}

func (o *sinkOutput) pass(_ context.Context, records []*record, p live.Position) bool {
	if !o.deliver(o.sink, records) {
		return false
	}
	o.setPosition(o.arn, p)
	return true
}

func (o *sinkOutput) current(_ context.Context, at time.Time, p live.Position) {
	o.setPosition(o.arn, p)
	o.report(o.sink, at)
}
