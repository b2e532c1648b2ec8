package stream

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/request"
)

// silence is after how long without an entry a follower looks whether the store has lost some.
const silence = 4 * currentInterval

// follower takes what other replicas publish from the shared store.
type follower struct {
	store *replicas.Store
	key   string
	// id is that of this replica.
	id  string
	log *slog.Logger
	// changed has an element if another replica has begun to read, or has ended.
	changed chan struct{}

	// heard is when the store had the last entry, or was asked whether it still has it.
	heard time.Time
	// last is the id of the last entry, "" before the first.
	last   string
	failed rate.Sometimes
}

// fetched are entries of other replicas in their order.
type fetched struct {
	entries []*entry
	// ages are how long before the newest entry of all each of them was added.
	ages []time.Duration
	// at is when the newest one was fetched, the zero time if the store may have had more.
	at time.Time
}

func newFollower(store *replicas.Store, id string, log *slog.Logger) *follower {
	return &follower{
		store: store, key: store.Key(storeKey), id: id, log: log, changed: make(chan struct{}, 1),
		failed: rate.Sometimes{Interval: logInterval},
	}
}

// run follows until the context ends.
func (f *follower) run(ctx context.Context, to chan<- fetched) {
	for attempt := 0; ctx.Err() == nil; {
		err := f.begin(ctx)
		if err == nil {
			err = f.next(ctx, to)
		}
		if attempt++; err == nil {
			attempt = 0
			continue
		}
		f.failed.Do(func() {
			if ctx.Err() == nil {
				f.log.WarnContext(ctx, "the changes of the table that other replicas publish cannot be read; "+
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
	last, err := f.store.Last(ctx, f.key)
	if err == nil {
		f.last = last
	}
	return err
}

// next takes the entries behind the last one. An entry that cannot be read is left out: the next one of its shards
// shows what is missing.
func (f *follower) next(ctx context.Context, to chan<- fetched) error {
	entries, err := f.store.Follow(ctx, f.key, f.last)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return f.checkLast(ctx)
	}
	f.heard = time.Now()
	var all fetched
	if len(entries) < replicas.FollowLimit {
		all.at = f.heard
	}
	newest := addedAt(last(entries).ID)
	for _, one := range entries {
		f.last = one.ID
		e, failed := decodeEntry(one.Text, f.id)
		switch {
		case failed != nil:
			err = failed
			continue
		case e == nil:
			continue
		case e.Changed:
			signal(f.changed)
		}
		all.entries, all.ages = append(all.entries, e), append(all.ages, newest.Sub(addedAt(one.ID)))
	}
	if len(all.entries) > 0 {
		select {
		case to <- all:
		case <-ctx.Done():
		}
	}
	return err
}

// addedAt returns when an entry was added, by the clock of the store.
func addedAt(id string) time.Time {
	ms, _, _ := strings.Cut(id, "-")
	n, _ := strconv.ParseInt(ms, 10, 64) // the store makes ids
	return time.UnixMilli(n)
}

// checkLast begins at the oldest entry of a store whose newest one is before the last that this replica has had: it has
// lost that one, and the ids of its next ones may be smaller for a while.
func (f *follower) checkLast(ctx context.Context) error {
	if time.Since(f.heard) < silence {
		return nil
	}
	f.heard = time.Now()
	newest, err := f.store.Last(ctx, f.key)
	if err == nil && replicas.CompareIDs(newest, f.last) < 0 {
		f.last = replicas.FirstID
	}
	return err
}

// timeOf returns the time of an entry by the clock of this replica, at most: clocks differ. It is zero if it is not
// known.
func (f *fetched) timeOf(i int) time.Time {
	e := f.entries[i]
	if e.At == 0 || f.at.IsZero() {
		return time.Time{}
	}
	at, here := time.UnixMilli(e.At), f.at.Add(-time.Duration(e.Lag)*time.Millisecond-f.ages[i])
	if here.Before(at) {
		return here
	}
	return at
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
