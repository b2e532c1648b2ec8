package loaders

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/share"
	"github.com/partita/partita/write"
)

// Source is the interface to DynamoDB: three reads, transactions and the time. None of them can Scan. Its
// methods may be called concurrently. Errors of reads are those of package request; errors of
// transactions are those of package write, too. A transaction with write.Transaction.IsSingle is a single write.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
	// Now returns the time by the clock of DynamoDB.
	Now() time.Time
}

// maxBatchAttempts is how often the keys of one BatchGetItem are requested while some of them remain
// unprocessed, including the first time.
const maxBatchAttempts = 12

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

	mu   sync.Mutex
	cost Cost
	// measured is nil if the operation is not measured.
	measured *measurement
	// items is how many items the operation has read, or requested by their keys.
	items int
	// damage are the damaged items among them, and unreadable the attributes of others.
	damage     damage
	unreadable unreadable
	table      stopwatch
}

// errTooManyItems is the error of requests that are not sent because the operation has read
// Options.MaxObjects items already.
var errTooManyItems = errors.New("loaders: the operation has read too many items")

// run sends all requests of a wave, at least one, and sets the outcomes of their Reads.
func (x *executor) run(ctx context.Context, requests []plannedRequest) {
	wave := x.countWave()
	for i := range requests {
		requests[i].wave = wave
	}
	ctx, ended := x.observeWave(ctx, len(requests))
	defer ended()
	defer x.awaiting(ctx)()
	if len(requests) == 1 || x.inOrder {
		for i := range requests {
			x.send(ctx, &requests[i])
		}
		return
	}
	var wg sync.WaitGroup
	for i := range requests[1:] {
		wg.Go(func() { x.send(ctx, &requests[1+i]) })
	}
	x.send(ctx, &requests[0])
	wg.Wait()
}

// awaiting gives up the operation's turn on the CPUs while it waits for the table. The result waits for another one.
// Without one, because the operation's time is over, only what has been read is answered.
func (x *executor) awaiting(ctx context.Context) (answered func()) {
	if !x.turn.End() {
		return func() {}
	}
	return func() { _ = x.turn.Begin(ctx) }
}

// send sends a request and sets the outcomes of its Reads. A panic of the Source does not end the process.
func (x *executor) send(ctx context.Context, req *plannedRequest) {
	defer func() {
		if cause := recover(); cause != nil {
			x.log.ErrorContext(ctx, "panic in a request to the table",
				"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			req.fail(x.readError(errNoAnswer))
		}
	}()
	switch {
	case req.ranged != nil:
		x.query(ctx, req)
	case len(req.gets) == 1:
		x.getItem(ctx, req)
	default:
		x.batchGetItem(ctx, req)
	}
}

// fail sets the error of all Reads of a request.
func (r *plannedRequest) fail(err error) {
	if r.ranged != nil {
		r.ranged.items, r.ranged.err = nil, err
	}
	failAll(r.gets, err)
}

func failAll(gets []*state, err error) {
	for _, s := range gets {
		s.items, s.err = nil, err
	}
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
		Requests: 1, ReusedReads: res.Reused, Retries: res.Retries,
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

// items returns how many items a request counts as. A key counts even if it has no item. Otherwise the
// limit would show whether an object exists that the viewer may not read.
func (s Sent) items(res request.Result) int {
	switch s.Action {
	case ActionGetItem, ActionBatchGetItem:
		return s.Keys - len(res.Unprocessed)
	default:
		return len(res.Items)
	}
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

// countWave returns the number of the wave, from 1.
func (x *executor) countWave() int32 {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cost.Waves++
	return int32(x.cost.Waves)
}

func (x *executor) getItem(ctx context.Context, req *plannedRequest) {
	s := req.gets[0]
	consistent := x.consistent || s.consistent
	sent := Sent{Action: ActionGetItem, Keys: 1, Consistent: consistent}
	res, err := x.do(ctx, sent, req.served(), func(ctx context.Context) (request.Result, error) {
		return x.source.GetItem(ctx, request.GetItem{Key: s.key, Consistent: consistent})
	})
	if s.items = res.Items; err != nil {
		s.items, s.err = nil, x.readError(err)
	}
}

// keysBeside is how many keys a BatchGetItem has at most beside other callers, if few requests are in flight at a time:
// each then occupies a large part of what answers them. smallProcess is how many are few: the local engine has 8.
const keysBeside, smallProcess = 20, 16

// mayBeLarge reports whether a request may occupy the endpoint for as long as DynamoDB allows.
func (x *executor) mayBeLarge() bool {
	return x.process.Size() > smallProcess || x.process.IsAlone(x.caller())
}

// batchGetItem requests the keys that DynamoDB left unprocessed again, with backoff, until the operation's deadline.
// The items are in no order. A key without an item does not exist.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html#Programming.Errors.BatchOperations
func (x *executor) batchGetItem(ctx context.Context, req *plannedRequest) {
	gets, by, consistent := req.gets, req.served(), x.consistent || req.gets[0].consistent
	byKey := make(map[keys.Key]*state, len(gets))
	open := make([]keys.Key, len(gets))
	for i, s := range gets {
		open[i] = s.key
		byKey[s.key] = s
	}
	fail := func(err error) {
		for _, k := range open {
			byKey[k].err = x.readError(err)
		}
	}
	for attempt := 0; ; attempt++ {
		var rest []keys.Key
		if len(open) > keysBeside && !x.mayBeLarge() {
			open, rest = open[:keysBeside:keysBeside], open[keysBeside:]
		}
		sent := Sent{Action: ActionBatchGetItem, Keys: len(open), Consistent: consistent}
		res, err := x.do(ctx, sent, by, func(ctx context.Context) (request.Result, error) {
			return x.source.BatchGetItem(ctx, request.BatchGetItem{Keys: open, Consistent: consistent})
		})
		open = append(open, rest...)
		if err != nil {
			fail(err)
			return
		}
		for i, it := range res.Items {
			if s := byKey[keys.KeyOf(it)]; s != nil {
				s.items = res.Items[i : i+1 : i+1]
			}
		}
		if open = append(slices.Clip(res.Unprocessed), rest...); len(open) == 0 {
			return
		}
		if len(res.Unprocessed) == 0 {
			attempt--
			continue
		}
		if attempt == maxBatchAttempts-1 {
			fail(request.ErrThrottled)
			return
		}
		x.startWatch()
		err = request.Pause(ctx, attempt+1)
		x.stopWatch()
		if err != nil {
			fail(errors.Join(err, request.ErrThrottled))
			return
		}
		by.action, by.gets = sent.Action, statesOf(byKey, open)
		x.spent(by, Cost{Retries: 1}, nil)
	}
}

// statesOf returns the states of keys.
func statesOf(byKey map[keys.Key]*state, open []keys.Key) []*state {
	states := make([]*state, len(open))
	for i, k := range open {
		states[i] = byKey[k]
	}
	return states
}
