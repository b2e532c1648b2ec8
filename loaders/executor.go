package loaders

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// executor sends requests within the limits of the operation and of the process. It is not one of the two executors of
// GraphQL operations.
type executor struct {
	source     Source
	layout     *stored.Layout
	consistent bool
	operation  *semaphore.Weighted
	// inOrder is set if an operation has one slot: its requests are then sent in their order, not in any.
	inOrder bool
	process *share.Pool
	// turn is the operation's turn on the CPUs; nil if it needs none.
	turn     *share.Turn
	maxItems int
	observer Observer
	log      *slog.Logger
	// expiry decides which items are read as missing.
	expiry design.Expiry

	// roundTrips returns how many round trips a wave of so many requests takes.
	roundTrips func(requests float64) float64

	mu   sync.Mutex
	cost Cost
	// waves is how many waves there have been.
	waves int32
	// measured is nil if the operation is not measured.
	measured *measurement
	// items is how many items the operation has read, or requested by their keys.
	items int
	// damage are the damaged items among them, and unreadable the attributes of others.
	damage     damage
	unreadable unreadable
	table      stopwatch
}

// sendFunc sends one request.
type sendFunc func(context.Context) (request.Result, error)

// do sends one request when a slot is free, and counts it. A Read that waits for the request of another operation has a
// slot, too, because it may become one that sends it.
func (x *executor) do(ctx context.Context, sent Sent, by served, send sendFunc) (request.Result, error) {
	if err := x.operation.Acquire(ctx, 1); err != nil {
		return request.Result{}, err
	}
	defer x.operation.Release(1)
	if err := x.process.Acquire(ctx, x.caller()); err != nil {
		return request.Result{}, err
	}
	defer x.process.Release(x.caller())
	if x.isFull() {
		return request.Result{}, errTooManyItems
	}
	x.startWatch()
	res, err := x.observe(ctx, sent, send)
	x.stopWatch()
	by.action = sent.Action
	c := Cost{
		Requests: 1 + res.CompanionReads, ReusedReads: res.Reused, Retries: res.Retries,
		ReadUnits: res.ReadUnits, WriteUnits: res.WriteUnits,
	}
	if res.Unsent {
		c.Requests = 0
	}
	x.spent(by, c, &res)
	if err == nil {
		x.countItems(sent.items(res))
	}
	return res, err
}

func (x *executor) isFull() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.items >= x.maxItems
}

func (x *executor) countItems(items int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.items += items
}

// countWave returns the number of a wave, from 1, and counts the round trips that it takes.
func (x *executor) countWave(requests int) int32 {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waves++
	x.cost.Waves += int(x.roundTrips(float64(requests)))
	return x.waves
}

func (x *executor) observeWave(ctx context.Context, requests int) (context.Context, func()) {
	if x.observer == nil {
		return ctx, func() {}
	}
	return x.observer.Wave(ctx, requests)
}

// errNoAnswer is the error of a request that ended in a panic.
var errNoAnswer = errors.New("loaders: the request was not answered")

func (x *executor) observe(ctx context.Context, sent Sent, send sendFunc) (res request.Result, err error) {
	if x.observer == nil {
		return checked(send(ctx))
	}
	ctx, answered := x.observer.Request(ctx, sent)
	err = errNoAnswer
	defer func() { answered(res, err) }()
	res, err = checked(send(ctx))
	return res, err
}

// deny leaves out the items of Reads whose value is denied.
func (x *executor) deny(reads ...*state) {
	if x.measured == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range reads {
		x.measured.denied[s] = true
	}
}

// spent counts what a request has consumed, or that it is sent again.
func (x *executor) spent(by served, c Cost, res *request.Result) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cost.add(c)
	if x.measured != nil {
		x.measured.add(by, c, res, x.consistent)
	}
}

func (x *executor) startWatch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.table.waiting == 0 {
		x.table.since = time.Now()
	}
	x.table.waiting++
}

func (x *executor) stopWatch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.table.waiting--
	if x.table.waiting == 0 {
		x.table.total += time.Since(x.table.since)
	}
}

// isBusy reports whether the operation has spent more time in the gateway than waiting for the table.
func (x *executor) isBusy() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	waited := x.table.total
	if x.table.waiting > 0 {
		waited += time.Since(x.table.since)
	}
	return 2*waited < time.Since(x.table.arrived)
}

// readError returns the ReadError of a request that has finally failed. If the operation's time is over, the error
// names what has taken most of it.
func (x *executor) readError(err error) error {
	isOver := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, share.ErrFull)
	if isOver && x.isBusy() {
		return &ReadError{CodeTimeout, busyMessage, err}
	}
	return NewReadError(err)
}

// caller returns whose share the operation's requests are part of.
func (x *executor) caller() share.Caller {
	if x.turn == nil {
		return share.Caller{}
	}
	return x.turn.Caller
}

// awaiting gives up the operation's turn on the CPUs while it waits for the table. The result waits for another one.
// Without one, because the operation's time is over, only what has been read is answered.
func (x *executor) awaiting(ctx context.Context) (answered func()) {
	if !x.turn.End() {
		return func() {}
	}
	return func() { _ = x.turn.Begin(ctx) }
}
