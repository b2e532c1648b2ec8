package deletion

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Source has the requests of a sweep. table.Table implements it.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
}

// Sweeper removes the orders and follows of deleted users. Any number of sweeps may run at the same time, in any
// number of processes; each skips what another one has removed.
type Sweeper struct {
	Source Source
	// Log has a line for each user who was removed, for each who cannot be, and for each progressEvery items in between.
	Log *slog.Logger
}

// Totals is what a sweep has removed itself, and what it has consumed.
type Totals struct {
	Users, Orders, Edges  int
	ReadUnits, WriteUnits float64
}

// Limits of a sweep.
const (
	// pendingPage is how many tombstones are read at once.
	pendingPage = 100
	// stepTimeout limits a step, retries included. A step is completed even if the sweep is stopped.
	stepTimeout = 10 * time.Second
	// maxTries is how often a step may fail because of the same condition. A Query is not isolated from transactions, so
	// the step may have to read again.
	maxTries = 5
)

// progressEvery is the number of edges and orders between two lines of progress in the log.
const progressEvery = 1000

// DamageError is the error for a user who cannot be removed, because the table has items that no mutation writes.
type DamageError struct {
	// User is the raw id.
	User string
	// Problem is the violation, with the key of an item.
	Problem string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("user %s cannot be removed: %s; see what \"partita table check\" says", e.User, e.Problem)
}

// Sweep removes all deleted users, oldest deletion first, until none is left or the context ends. It ends between two
// steps only, and then returns the context's error. If a user cannot be removed, it continues with the next and
// finally returns the DamageErrors. Other errors are those of requests to the table.
func (s *Sweeper) Sweep(ctx context.Context) (Totals, error) {
	r := &run{Sweeper: s}
	var damaged []error
	for q := (request.Query{Index: pendingIndex, PK: pendingPK, Limit: pendingPage}); ; {
		page, err := r.query(ctx, q)
		if err != nil {
			return r.totals, err
		}
		for _, it := range page.Items {
			switch err := r.removeUser(ctx, keys.KeyOf(it)); {
			case err == nil:
			case isDamage(err):
				damaged = append(damaged, err)
			default:
				return r.totals, err
			}
		}
		if page.Last.IsZero() {
			return r.totals, errors.Join(damaged...)
		}
		q.Start = page.Last
	}
}

// SweepUser is Sweep for one deleted user, with strongly consistent reads: the index that Sweep reads may have the
// deletion a moment later.
func (s *Sweeper) SweepUser(ctx context.Context, id keys.ID) (Totals, error) {
	r := &run{Sweeper: s}
	key, err := typed.UserKey(id)
	if err != nil {
		return r.totals, err
	}
	err = r.removeUser(ctx, key)
	return r.totals, err
}

func isDamage(err error) bool {
	_, is := errors.AsType[*DamageError](err)
	return is
}

// run is one sweep.
type run struct {
	*Sweeper
	totals Totals
}

// swept is a deleted user during a sweep.
type swept struct {
	id  keys.ID
	key keys.Key
	// deletedAt is the time in the tombstone.
	deletedAt item.Value
	// The action with the condition that failed last, and how often in a row.
	failed keys.Key
	tries  int
}

// ifSame is the condition that the tombstone is the one that was read.
func (u *swept) ifSame() write.Precondition {
	return write.IfEquals(keys.AttributeDeletedAt, u.deletedAt)
}

func (u *swept) damage(format string, args ...any) error {
	return &DamageError{User: u.id.Value(), Problem: fmt.Sprintf(format, args...)}
}

// removeUser does all steps of one user. There are none for a user who is not deleted or no longer stored: the index
// may lag behind.
func (r *run) removeUser(ctx context.Context, key keys.Key) error {
	it, err := r.getItem(ctx, key)
	if err != nil || !keys.IsDeleted(it) {
		return err
	}
	deletedAt, _ := it.Get(keys.AttributeDeletedAt)
	u := &swept{id: keys.NewID("User", it.Text("id")), key: key, deletedAt: deletedAt}
	before := r.totals
	for _, step := range []step{r.removeFollowing, r.removeFollowers, r.removeOrder, r.finish} {
		if err := r.repeat(ctx, u, step); err != nil {
			if isDamage(err) {
				r.Log.ErrorContext(ctx, "a deleted user cannot be removed", "error", err.Error())
			}
			return err
		}
	}
	if r.totals.Users > before.Users {
		r.Log.InfoContext(ctx, "a deleted user is removed", "user", u.id.Value(),
			"orders", r.totals.Orders-before.Orders, "edges", r.totals.Edges-before.Edges)
	}
	return nil
}

// step removes a part of a user's items by one transaction, and reports whether there may be more.
type step func(context.Context, *swept) (more bool, err error)

// repeat does a step until nothing is left. If the context ends, it returns before the next step.
func (r *run) repeat(ctx context.Context, u *swept, do step) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		before := r.removed()
		more, err := once(ctx, u, do)
		if now := r.removed(); now/progressEvery > before/progressEvery {
			r.Log.InfoContext(ctx, "removing deleted users", "orders", r.totals.Orders, "edges", r.totals.Edges)
		}
		if err != nil || !more {
			return err
		}
	}
}

func (r *run) removed() int { return r.totals.Orders + r.totals.Edges }

func once(ctx context.Context, u *swept, do step) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	return do(ctx, u)
}

// finish removes the tombstone of a user without any other items.
func (r *run) finish(ctx context.Context, u *swept) (bool, error) {
	a := write.DeleteItem(u.key, u.ifSame())
	for _, counter := range []string{orderCount, followerCount, followingCount} {
		a.If = append(a.If, write.IfEquals(counter, item.NumberValue(0)))
	}
	failed, err := r.transact(ctx, []write.Action{a})
	switch {
	case err != nil:
		return false, err
	case failed == nil:
		r.totals.Users++
	case keys.IsDeleted(failed.Failed[0].Item):
		return false, u.damage("nothing is left of the user, and the counters of %s %s are not 0", u.key.PK, u.key.SK)
	}
	return false, nil
}

// carryOut sends the transaction of a step, and reports whether it was carried out. If a condition does not hold,
// another sweep, or that of the user at the other end, has already done a part of it. The step then reads again.
func (r *run) carryOut(ctx context.Context, u *swept, actions []write.Action) (bool, error) {
	if len(actions) > write.MaxActions {
		return false, u.damage("%d items belong to %s %s, more than were written at once",
			len(actions), actions[0].Key.PK, actions[0].Key.SK)
	}
	failed, err := r.transact(ctx, actions)
	if failed == nil {
		return err == nil, err
	}
	key := actions[failed.Failed[0].Action].Key
	if key != u.failed {
		u.failed, u.tries = key, 0
	}
	u.tries++
	if u.tries == maxTries {
		return false, u.damage("%s %s does not exist, while what belongs to it does", key.PK, key.SK)
	}
	return false, request.Pause(ctx, u.tries)
}
