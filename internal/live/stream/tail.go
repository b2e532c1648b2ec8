package stream

import (
	"cmp"
	"context"
	"maps"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/table"
)

// Tail is how far the stream of a table has been read by one process, which keeps that itself. There is no lease: it
// reads beside the replicas, and is throttled rather than they, because it reads seldom.
type Tail struct {
	// Stream is the ARN of the stream, and Position how far it has been read.
	Stream   string        `json:"stream"`
	Position live.Position `json:"position"`
	// At is a time until which everything has been read.
	At time.Time `json:"at"`
}

// Check returns a *Unsuitable if the table has no stream with both images.
func Check(ctx context.Context, t *table.Table) error {
	_, err := find(ctx, t)
	return err
}

// maxTail is how long ago a position may be for a Tail to continue there. DynamoDB keeps records for 24 hours.
const maxTail = 23 * time.Hour

// TailSink gets what a Tail reads. An error ends it, before what was passed counts as read.
type TailSink interface {
	// Begin is called first, with whether everything since the Tail is passed, and again if changes were lost.
	Begin(isComplete bool)
	// Pass gets changes of one shard.
	Pass(context.Context, []*live.Change) error
	// Read gets how far everything has been passed.
	Read(Tail)
}

// Follow passes the changes after a Tail, or for the zero one from the present on, until the context ends. Changes may
// be passed again. The error is a *Unsuitable if the table has no stream with both images.
func Follow(ctx context.Context, t *table.Table, o Options, after Tail, sink TailSink) error {
	o.Interval = cmp.Or(o.Interval, time.Second)
	s, err := find(ctx, t)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := &tailOutput{sink: sink, schema: t.Schema(), tail: Tail{Stream: s.arn}, cancel: cancel}
	var from live.Position
	if after.Stream == s.arn && time.Since(after.At) < maxTail {
		out.after, out.isComplete = after.At.Add(-tailMargin), true
		from = maps.Clone(after.Position)
		for id, sequence := range from {
			if sequence == present { // Its oldest records were read, and are left out by their time.
				from[id] = ""
			}
		}
	}
	err = newSession(s, o, o.Logger, out).run(ctx, from)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// tailMargin is how much older than its time a record may be that a position does not have: DynamoDB rounds times to
// seconds, and its clocks are not this one.
const tailMargin = time.Minute

// tailOutput passes records to a sink.
type tailOutput struct {
	sink   TailSink
	schema table.Schema
	tail   Tail
	// after is the time of the oldest records that are passed, and isComplete is unset if some may be missing.
	after      time.Time
	isComplete bool
	hasBegun   bool
	cancel     context.CancelCauseFunc
}

func (o *tailOutput) begin(context.Context, live.Position) {
	o.hasBegun = true
	o.sink.Begin(o.isComplete)
}

// lost is called before begin if the stream does not have the position any more, and later if records were trimmed
// before they were read.
func (o *tailOutput) lost(context.Context, error) {
	o.isComplete, o.after = false, time.Time{}
	if o.hasBegun {
		o.sink.Begin(false)
	}
}

func (o *tailOutput) pass(ctx context.Context, records []*record, p live.Position) bool {
	var changes []*live.Change
	for _, c := range changesOf(o.schema, records) {
		if !c.At.Before(o.after) {
			changes = append(changes, c)
		}
	}
	if err := o.sink.Pass(ctx, changes); err != nil {
		o.cancel(err)
		return true // nothing is passed any more
	}
	o.tail.Position = maps.Clone(p)
	return true
}

func (o *tailOutput) current(ctx context.Context, at time.Time, p live.Position) {
	if ctx.Err() == nil && context.Cause(ctx) == nil {
		o.tail.Position, o.tail.At = maps.Clone(p), at
		o.sink.Read(o.tail)
	}
}
