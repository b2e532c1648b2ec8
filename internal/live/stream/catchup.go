package stream

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/partita/partita/internal/live"
)

// errBehind is the error if a publisher has not read the shards yet that this replica has had records of.
var errBehind = errors.New("stream: the publisher is behind")

// catchUp passes the records that are between the follower's position and a publisher's, from the stream of the table,
// and returns the position behind them. The error is errBehind, live.ErrExpired if the stream does not have them, or
// why it cannot be read.
func (f *follower) catchUp(ctx context.Context, until live.Position) (live.Position, error) {
	select {
	case f.replay <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-f.replay }()
	s, err := f.find(ctx)
	if err != nil {
		return nil, err
	}
	shards, err := s.shards(ctx)
	if err != nil {
		return nil, err
	}
	if s.arn != f.arn {
		return nil, errOtherStream
	}
	if newLineage(shards).isBehind(until, f.position) {
		return nil, errBehind
	}
	begun := time.Now()
	out := &catchUpOutput{follower: f, until: until}
	out.session = newSession(s, f.options, f.log, out)
	out.session.until, out.session.isReplay = exact(until), true
	if err := out.session.run(ctx, f.position); err != nil {
		return nil, err
	}
	f.log.InfoContext(ctx, "changes that the shared store does not have were read from the stream of the table",
		"records", out.records, "milliseconds", time.Since(begun).Milliseconds())
	return furthest(until, f.position), nil
}

// exact returns a position without the shards of which it has no sequence number: they are read to their present end,
// which is behind the position.
func exact(p live.Position) live.Position {
	known := maps.Clone(p)
	maps.DeleteFunc(known, func(_, sequence string) bool { return sequence == present })
	return known
}

// furthest returns a position with the shards of p, each as far as it was read there or in the other one.
func furthest(p, read live.Position) live.Position {
	next := make(live.Position, len(p))
	for id, sequence := range p {
		next[id] = sequence
		if own, found := read[id]; found && live.CompareSequences(own, sequence) > 0 {
			next[id] = own
		}
	}
	return next
}

// catchUpOutput passes the records up to a position to the sink of a follower.
type catchUpOutput struct {
	*follower
	session *session
	until   live.Position
	records int
}

func (o *catchUpOutput) begin(context.Context, live.Position)              {}
func (o *catchUpOutput) lost(context.Context, error)                       {}
func (o *catchUpOutput) current(context.Context, time.Time, live.Position) {}

// pass leaves the records out that are behind the position: those of shards that have split since.
func (o *catchUpOutput) pass(_ context.Context, records []*record, _ live.Position) {
	if len(records) == 0 {
		return
	}
	shard := records[0].shard
	if _, has := o.until[shard]; !has && !o.session.lineage.ancestors(o.until)[shard] {
		return
	}
	o.deliver(o.sink, records)
	o.records += len(records)
	for id := range o.session.lineage.ancestors(live.Position{shard: ""}) {
		delete(o.position, id) // they have been read to their end
	}
	o.position[shard] = records[len(records)-1].sequence
	o.setPosition(o.arn, o.position) // reading may fail, and goes on here
}
