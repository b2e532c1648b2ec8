package stream

import (
	"context"
	"errors"
	"maps"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/live"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/replicas"
)

// maxEpochs is how many publishers a follower remembers.
const maxEpochs = 16

// errGap is the cause if entries of the shared store are missing.
var errGap = errors.New("stream: the shared store does not have all changes")

// follower passes what another replica publishes to the sink. It remains while this replica reads the stream by itself,
// so that it can continue behind the last entry that it has had.
type follower struct {
	*Reader
	sink live.Sink
	arn  string
	// other has an element if another replica publishes another stream.
	other chan struct{}
	// released has an element if another replica has released the lease.
	released chan struct{}

	// last is the id of the last entry, "" before the first.
	last string
	// numbers are the last entries of the epochs whose records follow the position without a gap. There are several while
	// a replica has not noticed that another one has taken its lease.
	numbers  map[string]int64
	position live.Position // nil before the first
	failed   rate.Sometimes
}

func newFollower(r *Reader, sink live.Sink, arn string) *follower {
	return &follower{
		Reader: r, sink: sink, arn: arn, other: make(chan struct{}, 1), released: make(chan struct{}, 1),
		numbers: map[string]int64{}, failed: rate.Sometimes{Interval: logInterval},
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
	for i := 0; i < len(entries) && err == nil; i++ {
		f.last = entries[i].ID
		var e *entry
		if e, err = decodeEntry(entries[i].Text); err == nil {
			err = f.take(e, i == len(entries)-1 && len(entries) < replicas.FollowLimit)
		}
	}
	return err
}

// take passes an entry. isLast reports whether there was none behind it.
func (f *follower) take(e *entry, isLast bool) error {
	if e.Stream != f.arn { // which the table had before, or has now
		signal(f.other)
		return nil
	}
	if e.Released {
		signal(f.released)
	}
	if last, synced := f.numbers[e.Epoch]; !synced || e.Number != last+1 {
		delete(f.numbers, e.Epoch)
		if e.Position == nil {
			return nil
		}
		f.sync(e.Position)
	}
	if len(f.numbers) > maxEpochs {
		clear(f.numbers) // those that go on sync again
	}
	f.numbers[e.Epoch] = e.Number
	if e.Lost {
		f.sink.Lost(errGap)
	}
	if err := f.pass(e.Records); err != nil {
		return err
	}
	if e.Position != nil {
		f.adopt(e.Position)
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

// sync continues at the position of a publisher that this replica has not followed up to here. If records between may
// be missing, that is reported.
func (f *follower) sync(p live.Position) {
	if f.position != nil && covers(f.position, p) {
		return
	}
	if f.position != nil || f.hasReadOther(f.arn) {
		clear(f.numbers) // of publishers that are behind
		f.log.Warn("changes of the table are lost: subscriptions are ended and the cache is emptied",
			"error", errGap.Error())
		f.sink.Lost(errGap)
	}
	f.position = maps.Clone(p)
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

// pass passes the records that are behind the position.
func (f *follower) pass(encoded []storedRecord) error {
	var records []*record
	for i := range encoded {
		one, err := encoded[i].decode()
		if err != nil {
			clear(f.numbers)
			return err
		}
		if live.CompareSequences(one.sequence, f.position[one.shard]) <= 0 {
			continue
		}
		records = append(records, one)
		f.position[one.shard] = one.sequence
	}
	f.deliver(f.sink, records)
	return nil
}

// adopt sets the shards of a position, and how far they were read if that is further. Nothing is missing between.
func (f *follower) adopt(p live.Position) {
	next := maps.Clone(p)
	for id, sequence := range next {
		if own, found := f.position[id]; found && live.CompareSequences(own, sequence) > 0 {
			next[id] = own
		}
	}
	f.position = next
}
