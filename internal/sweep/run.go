package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Limits of a step.
const (
	// stepTimeout limits a step, retries included. A step is completed even if the sweep is stopped.
	stepTimeout = 10 * time.Second
	// maxTries is how often a step may fail because of the same item. A Query is not isolated from transactions, so the
	// step may have to read again.
	maxTries = 5
)

// progressEvery is the number of objects between two lines of progress in the log.
const progressEvery = 1000

// run is one sweep. It is the write.Store of its steps.
type run struct {
	*Sweeper
	totals Totals
	// listed is how many objects it has added to the list.
	listed int
}

// swept is a deleted object during a sweep.
type swept struct {
	*write.Sweep
	// failed is the key of the item with the condition that failed last, and tries how often in a row.
	failed keys.Key
	tries  int
	// isGone is set once there is no such tombstone any more: another sweep has ended.
	isGone bool
}

// remove does all steps of the object of an item of the list.
func (r *run) remove(ctx context.Context, listed item.Item) error {
	n, is := write.DeletionOf(r.Design, listed)
	if !is {
		return nil
	}
	sw, err := write.NewSweep(r.Design, n)
	if err != nil {
		return r.damaged(ctx, n.ID, err.Error())
	}
	s := &swept{Sweep: sw}
	before := r.totals.Objects()
	for isDone := false; !isDone; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if isDone, err = r.once(ctx, s); err != nil {
			return err
		}
		if now := r.totals.Objects(); now/progressEvery > before/progressEvery {
			r.Log.InfoContext(ctx, "removing what is below deleted objects", "removed", r.totals.String())
			before = now
		}
	}
	return nil
}

// once does one step, and reports whether it was the last one.
func (r *run) once(ctx context.Context, s *swept) (isDone bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	if s.isGone {
		return true, r.unlist(ctx, s)
	}
	step, err := s.Next(ctx)
	if invalid, is := errors.AsType[*write.InvalidItemError](err); is {
		return false, r.damaged(ctx, s.ID, invalid.Error())
	}
	switch {
	case err != nil:
		return false, err
	case step == nil:
		return r.finish(ctx, s)
	case len(step.Actions) == 0:
		return false, nil
	case len(step.Actions) > write.MaxActions:
		at := step.Actions[0].Key
		return false, r.damaged(ctx, s.ID, fmt.Sprintf("%d items belong to %s %s, more than were written at once",
			len(step.Actions), at.PK, at.SK))
	}
	failed, err := r.transact(ctx, step.Transaction)
	switch {
	case err != nil:
		return false, err
	case failed != nil:
		return false, r.again(ctx, s, step.Transaction, failed)
	}
	for _, name := range step.Removed {
		r.totals.Removed[name]++
	}
	r.listed += step.Listed
	s.tries = 0
	return false, nil
}

// again begins anew with an object after the conditions of a step did not hold: another sweep has done a part of it.
func (r *run) again(ctx context.Context, s *swept, t write.Transaction, failed *write.ConditionError) error {
	for _, f := range failed.Failed {
		if t.Actions[f.Action].Key == s.Key() && !s.Is(f.Item) {
			s.isGone = true
			return nil
		}
	}
	key := t.Actions[failed.Failed[0].Action].Key
	if key != s.failed {
		s.failed, s.tries = key, 0
	}
	if s.tries++; s.tries == maxTries {
		problem := fmt.Sprintf("%s %s does not exist, while what belongs to it does", key.PK, key.SK)
		if key == s.Key() {
			problem = fmt.Sprintf("nothing is left of it, and the counters of %s %s are not 0", key.PK, key.SK)
		}
		return r.damaged(ctx, s.ID, problem)
	}
	if err := request.Pause(ctx, s.tries); err != nil {
		return err
	}
	var err error
	s.Sweep, err = write.NewSweep(r.Design, s.Deletion)
	return err
}

// finish removes the tombstone of an object with nothing below it, and its item in the list.
func (r *run) finish(ctx context.Context, s *swept) (isDone bool, err error) {
	last := s.Finish()
	failed, err := r.transact(ctx, last)
	switch {
	case err != nil:
		return false, err
	case failed == nil:
		r.totals.Removed[s.ID.Type()]++
		r.Log.InfoContext(ctx, "a deleted object is removed with what was below it", "type", s.ID.Type(),
			"id", s.ID.Encode())
	case s.Is(failed.Failed[0].Item):
		return false, r.again(ctx, s, last, failed)
	}
	return true, r.unlist(ctx, s)
}

func (r *run) unlist(ctx context.Context, s *swept) error {
	_, err := r.transact(ctx, s.Unlist())
	return err
}

func (r *run) damaged(ctx context.Context, id keys.ID, problem string) error {
	err := &DamageError{id, problem}
	r.Log.ErrorContext(ctx, "a deleted object cannot be removed", "error", err.Error())
	return err
}

// transact carries out a transaction. A failed condition is not an error.
func (r *run) transact(ctx context.Context, t write.Transaction) (*write.ConditionError, error) {
	err := t.Send(ctx, func(ctx context.Context, t write.Transaction) error {
		_, err := r.Write(ctx, t)
		return err
	})
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		return failed, nil
	}
	return nil, err
}

// ReadItem implements write.Store.
func (r *run) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := r.Source.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	r.totals.ReadUnits += res.ReadUnits
	if err != nil || len(res.Items) == 0 || r.Design.ExpiryAt(r.Now()).IsMissing(res.Items[0]) {
		return nil, err
	}
	return res.Items[0], nil
}

// ReadRange implements write.Store.
func (r *run) ReadRange(ctx context.Context, in write.Range) ([]item.Item, keys.Position, error) {
	res, err := r.Source.Query(ctx, request.Query{
		PK: in.PK, Prefix: in.Prefix, From: in.From, To: in.To, Start: in.Start, Limit: in.Limit, Consistent: true,
	})
	r.totals.ReadUnits += res.ReadUnits
	return res.Items, res.Last, err
}

// Write implements write.Store. Tombstones are not hidden.
func (r *run) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	res, err := r.Source.TransactWriteItems(ctx, t)
	r.totals.WriteUnits += res.WriteUnits
	return nil, err
}

// Now implements write.Store.
func (r *run) Now() time.Time { return r.Source.Now() }
