package stream

import (
	"context"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/table"
)

// Replay passes the changes after one position up to another one. One replay is under way at a time, because Amazon
// DynamoDB allows two readers per shard.
func (r *Reader) Replay(ctx context.Context, after, until live.Position, deliver func([]*live.Change)) error {
	select {
	case r.replay <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.replay }()
	s, err := r.find(ctx)
	if err != nil {
		return err
	}
	r.replayed.replays++
	r.replayed.requests++ // for the shards
	defer func(begun time.Time) { r.replayed.end(r.log, begun) }(time.Now())
	out := &replayOutput{schema: r.table.Schema(), to: deliver, replayed: &r.replayed}
	replaying := newSession(s, r.options, r.log, out)
	replaying.until, replaying.isReplay = until, true
	return replaying.run(ctx, after)
}

// replayOutput passes records to the function of a replay.
type replayOutput struct {
	schema table.Schema
	to     func([]*live.Change)
	*replayed
}

func (o *replayOutput) begin(context.Context, live.Position)              {}
func (o *replayOutput) lost(context.Context, error)                       {}
func (o *replayOutput) current(context.Context, time.Time, live.Position) {}

func (o *replayOutput) pass(_ context.Context, records []*record, _ live.Position) bool {
	o.requests++
	o.records += len(records)
	o.to(changesOf(o.schema, records))
	return true
}
