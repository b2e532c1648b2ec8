package stream

import (
	"context"
	"errors"
	"maps"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/request"
)

const (
	// maxEpochs is how many publishers a follower remembers.
	maxEpochs = 16
	// silence is after how long without an entry a follower looks whether the store has lost some.
	silence = 4 * currentInterval
)

// errGap is the cause if changes are missing that neither the shared store nor the stream has.
var errGap = errors.New("stream: neither the shared store nor the stream has all changes")

// follower passes what another replica publishes to the sink. What the shared store does not have, it reads from the
// stream. It remains while this replica reads the stream by itself, so that it can continue behind the last entry that
// it has had.
type follower struct {
	*Reader
	sink live.Sink
	arn  string
	// other has an element if another replica publishes another stream.
	other chan struct{}
	// released has an element if another replica has released the lease.
	released chan struct{}

	// heard is when the store had the last entry, or was asked whether it still has it.
	heard time.Time
	// last is the id of the last entry, "" before the first.
	last string
	// epochs are those whose records follow the position without a gap. There are several while a replica has not
	// noticed that another one has taken its lease.
	epochs   map[string]*epoch
	position live.Position // nil before the first
	failed   rate.Sometimes
}

// epoch is what a follower knows of a publisher.
type epoch struct {
	number int64 // of its last entry
	// shards are those that it was reading then.
	shards map[string]bool
}

func newFollower(r *Reader, sink live.Sink, arn string) *follower {
	return &follower{
		Reader: r, sink: sink, arn: arn, other: make(chan struct{}, 1), released: make(chan struct{}, 1),
		epochs: map[string]*epoch{}, failed: rate.Sometimes{Interval: logInterval},
	}
}

// run follows until the context ends.
func (f *follower) run(ctx context.Context) {
	f.position = f.known(f.arn) // this replica may have read the stream by itself
	for attempt := 0; ctx.Err() == nil; {
		err := f.begin(ctx)
		if err == nil {
			err = f.next(ctx)
		}
		if attempt++; err == nil {
			attempt = 0
			continue
		}
		f.failed.Do(func() {
			if ctx.Err() == nil {
				f.log.WarnContext(ctx, "the changes of the table that another replica publishes cannot be read; "+
					"it is tried again", "error", err.Error())
			}
		})
		_ = request.Pause(ctx, attempt) // the loop ends with the context
	}
}

// begin sets where to follow from: behind the newest entry.
func (f *follower) begin(ctx context.Context) error {
	if f.last != "" {
		return nil
	}
	last, err := f.options.Store.Last(ctx, f.options.Store.Key(storeKey))
	if err == nil {
		f.last = last
	}
	return err
}

// next takes the entries behind the last one.
func (f *follower) next(ctx context.Context) error {
	entries, err := f.options.Store.Follow(ctx, f.options.Store.Key(storeKey), f.last)
	if err == nil && len(entries) == 0 {
		return f.checkLast(ctx)
	}
	f.heard = time.Now()
	for i := 0; i < len(entries) && err == nil; i++ {
		f.last = entries[i].ID
		var e *entry
		if e, err = decodeEntry(entries[i].Text); err == nil {
			err = f.take(ctx, e, i == len(entries)-1 && len(entries) < replicas.FollowLimit)
		}
	}
	return err
}

// checkLast begins at the oldest entry of a store whose newest one is before the last that this replica has had: it has
// lost that one, and the ids of its next ones may be smaller for a while.
func (f *follower) checkLast(ctx context.Context) error {
	if time.Since(f.heard) < silence {
		return nil
	}
	f.heard = time.Now()
	newest, err := f.options.Store.Last(ctx, f.options.Store.Key(storeKey))
	if err == nil && replicas.CompareIDs(newest, f.last) < 0 {
		f.last = replicas.FirstID
	}
	return err
}

// take passes an entry. isLast reports whether there was none behind it.
func (f *follower) take(ctx context.Context, e *entry, isLast bool) error {
	if e.Stream != f.arn { // which the table had before, or has now
		signal(f.other)
		return nil
	}
	if e.Released {
		signal(f.released)
	}
	from, synced := f.epochs[e.Epoch]
	if synced && e.Number <= from.number {
		return nil // it was added twice, or is read again
	}
	if !synced || e.Number != from.number+1 {
		delete(f.epochs, e.Epoch)
		if e.Position == nil {
			return nil
		}
		if follows, err := f.sync(ctx, e.Position); err != nil || !follows {
			return err
		}
		if len(f.epochs) >= maxEpochs {
			clear(f.epochs) // those that go on sync again
		}
		from = &epoch{shards: map[string]bool{}}
		f.epochs[e.Epoch] = from
	}
	from.number = e.Number
	if e.Lost {
		f.sink.Lost(errGap)
	}
	if err := f.pass(from, e.Records); err != nil {
		return err
	}
	if e.Position != nil {
		f.adopt(from, e.Position)
	}
	f.setPosition(f.arn, f.position)
	if e.At != 0 && isLast {
		f.report(f.sink, f.timeOf(e))
	}
	return nil
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// timeOf returns the time of an entry by the clock of this replica, at most: clocks differ.
func (f *follower) timeOf(e *entry) time.Time {
	at, here := time.UnixMilli(e.At), time.Now().Add(-time.Duration(e.Lag)*time.Millisecond)
	if here.Before(at) {
		return here
	}
	return at
}

// sync continues at the position of a publisher that this replica has not followed up to here. What may be missing
// before it is read from the stream, and if that does not have it either, it is reported as lost. It reports whether
// the entries behind the position follow what this replica has had: those of a publisher that is behind do not.
func (f *follower) sync(ctx context.Context, p live.Position) (follows bool, _ error) {
	if f.position != nil && covers(f.position, p) {
		return true, nil
	}
	clear(f.epochs) // of publishers that are behind
	lost := f.hasReadOther(f.arn)
	if f.position != nil {
		caughtUp, err := f.catchUp(ctx, p)
		switch {
		case errors.Is(err, errBehind):
			return false, nil
		case err != nil && !errors.Is(err, live.ErrExpired):
			return false, err
		case err == nil:
			f.position = caughtUp
			return true, nil
		}
		lost = true
	}
	if lost {
		f.log.WarnContext(ctx, "changes of the table are lost: subscriptions are ended and the cache is emptied",
			"error", errGap.Error())
		f.sink.Lost(errGap)
	}
	f.position = maps.Clone(p)
	return true, nil
}

// covers reports whether what was read up to one position includes all up to the other, and everything that follows the
// other is told apart from what was read.
func covers(read, p live.Position) bool {
	if len(read) != len(p) {
		return false
	}
	for id, sequence := range p {
		if own, found := read[id]; !found || sequence == present || live.CompareSequences(own, sequence) < 0 {
			return false
		}
	}
	return true
}

// pass passes the records of a publisher that are behind the position.
func (f *follower) pass(from *epoch, encoded []storedRecord) error {
	var records []*record
	for i := range encoded {
		one, err := encoded[i].decode()
		if err != nil {
			clear(f.epochs)
			return err
		}
		from.shards[one.shard] = true
		if live.CompareSequences(one.sequence, f.position[one.shard]) <= 0 {
			continue
		}
		records = append(records, one)
		f.position[one.shard] = one.sequence
	}
	f.deliver(f.sink, records)
	return nil
}

// adopt sets the shards of a publisher's position, and how far they were read if that is further. Nothing is missing
// between. Shards that it has not read yet remain. Those that it had are read to their end: the epochs of others, who
// may still pass their records, end here, and follow again when they are not behind.
func (f *follower) adopt(from *epoch, p live.Position) {
	before := f.position
	f.position = furthest(p, before)
	for id, sequence := range before {
		switch _, has := p[id]; {
		case has:
		case from.shards[id]:
			maps.DeleteFunc(f.epochs, func(_ string, other *epoch) bool { return other != from })
		default:
			f.position[id] = sequence
		}
	}
	clear(from.shards)
	for id := range p {
		from.shards[id] = true
	}
}
