package loaders

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/write"
)

// Source is the interface to DynamoDB: three reads and transactions. None of
// them can Scan. Its methods may be called concurrently. Errors of reads are those
// of package request.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
}

// maxBatchAttempts is how often one BatchGetItem's unprocessed keys are asked
// for, the first time included.
const maxBatchAttempts = 12

// outcome is what a Read gave: for a Get no item or one, for a Range up to its
// Limit.
type outcome struct {
	items []item.Item
	err   error
}

// executor sends requests within the bounds of the operation and the process.
type executor struct {
	source     Source
	consistent bool
	operation  *semaphore.Weighted
	process    *semaphore.Weighted
	maxItems   int
	observer   Observer
	log        *slog.Logger

	mu   sync.Mutex
	cost Cost
	// items is how many items the operation has read, or asked for by their keys.
	items int
}

// errTooManyItems is the failure of the requests that an operation does not send
// because it has read Options.MaxObjects items already.
var errTooManyItems = errors.New("loaders: the operation has read too many items")

// run sends all requests of a wave and gives each Read's outcome.
func (x *executor) run(ctx context.Context, plan []Request, outcomes map[Read]outcome) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	x.count(Cost{Waves: 1})
	ctx, ended := x.observeWave(ctx, len(plan))
	defer ended()
	one := func(req Request) {
		defer x.recover(ctx)
		got := x.send(ctx, req)
		mu.Lock()
		defer mu.Unlock()
		for r, o := range got {
			outcomes[r] = o
		}
	}
	for _, req := range plan[1:] {
		wg.Go(func() { one(req) })
	}
	one(plan[0])
	wg.Wait()
}

// recover keeps a bug behind the border to the table from ending the process.
// The request's Reads have no outcome then, which is an error of their fields.
func (x *executor) recover(ctx context.Context) {
	if cause := recover(); cause != nil {
		x.log.ErrorContext(ctx, "panic in a request to the table", "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	}
}

func (x *executor) send(ctx context.Context, req Request) map[Read]outcome {
	switch {
	case req.Range != nil:
		return x.query(ctx, req)
	case len(req.Gets) == 1:
		return x.getItem(ctx, req.Gets[0])
	default:
		return x.batchGetItem(ctx, req.Gets)
	}
}

// do sends one request when a slot is free and counts it.
func (x *executor) do(ctx context.Context, sent Sent, send func(context.Context) (request.Result, error)) (request.Result, error) {
	if err := x.operation.Acquire(ctx, 1); err != nil {
		return request.Result{}, err
	}
	defer x.operation.Release(1)
	if err := x.process.Acquire(ctx, 1); err != nil {
		return request.Result{}, err
	}
	defer x.process.Release(1)
	if x.isFull() {
		return request.Result{}, errTooManyItems
	}
	res, err := x.observe(ctx, sent, send)
	x.count(Cost{Requests: 1, Retries: res.Retries, ReadUnits: res.ReadUnits, WriteUnits: res.WriteUnits})
	if err == nil {
		x.keep(sent.items(res))
	}
	return res, err
}

// items is how many items an answered request counts as. A key counts even when
// there is no item: what may not be seen would else show in where the limit is met.
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

func (x *executor) keep(items int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.items += items
}

func (x *executor) count(c Cost) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cost.add(c)
}

func (x *executor) getItem(ctx context.Context, r Read) map[Read]outcome {
	res, err := x.do(ctx, Sent{Action: ActionGetItem, Keys: 1, Consistent: x.consistent}, func(ctx context.Context) (request.Result, error) {
		return x.source.GetItem(ctx, request.GetItem{Key: r.Key, Consistent: x.consistent})
	})
	if err != nil {
		return map[Read]outcome{r: {err: readError(err)}}
	}
	return map[Read]outcome{r: {items: res.Items}}
}

// batchGetItem asks again for the keys that DynamoDB left unprocessed, with
// backoff, until the operation's deadline. The items come in no order and carry
// their keys; a key without an item is one that the table does not hold.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html#Programming.Errors.BatchOperations
func (x *executor) batchGetItem(ctx context.Context, gets []Read) map[Read]outcome {
	outcomes := make(map[Read]outcome, len(gets))
	byKey := make(map[keys.Key]Read, len(gets))
	open := make([]keys.Key, len(gets))
	for i, g := range gets {
		open[i] = g.Key
		byKey[open[i]] = g
		outcomes[g] = outcome{}
	}
	fail := func(err error) map[Read]outcome {
		for _, k := range open {
			outcomes[byKey[k]] = outcome{err: readError(err)}
		}
		return outcomes
	}
	for attempt := 0; ; attempt++ {
		res, err := x.do(ctx, Sent{Action: ActionBatchGetItem, Keys: len(open), Consistent: x.consistent}, func(ctx context.Context) (request.Result, error) {
			return x.source.BatchGetItem(ctx, request.BatchGetItem{Keys: open, Consistent: x.consistent})
		})
		if err != nil {
			return fail(err)
		}
		for _, it := range res.Items {
			k := keys.Key{PK: keys.PK(it.Text(keys.AttributePK)), SK: keys.SK(it.Text(keys.AttributeSK))}
			if r, ok := byKey[k]; ok {
				outcomes[r] = outcome{items: []item.Item{it}}
			}
		}
		if open = res.Unprocessed; len(open) == 0 {
			return outcomes
		}
		if attempt == maxBatchAttempts-1 {
			return fail(request.ErrThrottled)
		}
		if err := request.Pause(ctx, attempt+1); err != nil {
			return fail(errors.Join(err, request.ErrThrottled))
		}
		x.count(Cost{Retries: 1})
	}
}

// query goes on where DynamoDB stopped at 1 MB, until it has what the Range and
// a joined Get want or the range is exhausted. Items that are marked as deleted
// do not count, so that a page is full, and hasNextPage right, whatever lies
// between its items.
func (x *executor) query(ctx context.Context, req Request) map[Read]outcome {
	r := *req.Range
	q := req.Query
	q.Consistent = x.consistent
	sent := Sent{Action: ActionQuery, Index: q.Index, Consistent: q.Consistent && q.Index == ""}
	sortKey := keys.AttributeSK
	if q.Index != "" {
		sortKey = keys.IndexSK(q.Index)
	}
	var joined *Read
	if len(req.Gets) > 0 {
		joined = &req.Gets[0]
	}
	var page, single []item.Item
	more, deleted := true, 0
	for wanted := q.Limit; more && wanted > len(page)+len(single); {
		// Where some are marked, as many more may be: that keeps the requests few.
		q.Limit = wanted - len(page) - len(single) + deleted
		res, err := x.do(ctx, sent, func(ctx context.Context) (request.Result, error) { return x.source.Query(ctx, q) })
		if err != nil {
			return failed(readError(err), r, req.Gets...)
		}
		for _, it := range res.Items {
			switch sk := keys.SK(it.Text(sortKey)); {
			case joined != nil && sk == joined.Key.SK:
				single = []item.Item{it}
			case joined != nil && !strings.HasPrefix(string(sk), string(r.Prefix)):
				return x.apart(ctx, req)
			case keys.IsDeleted(it):
				deleted++
			case r.Skip == "" || sk != r.Skip:
				page = append(page, it)
			}
		}
		q.Start, more = res.Last, !res.Last.IsZero()
	}
	outcomes := map[Read]outcome{}
	if joined != nil {
		outcomes[*joined] = outcome{items: single}
		last := (joined.Key.SK > r.Prefix) != r.Descending
		if last && more && single == nil {
			// The collection holds more than its atMost, so that the Query ended
			// before it came to the item.
			outcomes = x.getItem(ctx, *joined)
		}
	}
	outcomes[r] = outcome{items: page[:min(len(page), r.Limit)]}
	return outcomes
}

// apart reads a Range and its joined Get by requests of their own: the table holds
// items between them of which the design knows nothing, any number of them.
func (x *executor) apart(ctx context.Context, req Request) map[Read]outcome {
	outcomes := x.query(ctx, queryFor(*req.Range))
	maps.Copy(outcomes, x.getItem(ctx, req.Gets[0]))
	return outcomes
}

func failed(err error, first Read, others ...Read) map[Read]outcome {
	outcomes := map[Read]outcome{first: {err: err}}
	for _, r := range others {
		outcomes[r] = outcome{err: err}
	}
	return outcomes
}
