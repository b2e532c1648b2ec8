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

// Source is the interface to DynamoDB: three reads and transactions. None of them can Scan. Its
// methods may be called concurrently. Errors of reads are those of package request; errors of
// transactions are those of package write, too.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
}

// maxBatchAttempts is how often the keys of one BatchGetItem are requested while some of them remain
// unprocessed, including the first time.
const maxBatchAttempts = 12

// outcome is the result of a Read: at most one item for a Get, at most its Limit for a Range.
type outcome struct {
	items []item.Item
	err   error
}

// executor sends requests within the limits of the operation and of the process.
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
	// items is how many items the operation has read, or requested by their keys.
	items int
}

// errTooManyItems is the error of requests that are not sent because the operation has read
// Options.MaxObjects items already.
var errTooManyItems = errors.New("loaders: the operation has read too many items")

// run sends all requests of a wave, at least one, and adds the outcomes of their Reads.
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

// recover keeps a panic of the Source from ending the process. The request's Reads then have no
// outcome, which is an error of their fields.
func (x *executor) recover(ctx context.Context) {
	if cause := recover(); cause != nil {
		x.log.ErrorContext(ctx, "panic in a request to the table",
			"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
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

// sendFunc sends one request.
type sendFunc func(context.Context) (request.Result, error)

// do sends one request when a slot is free, and counts it.
func (x *executor) do(ctx context.Context, sent Sent, send sendFunc) (request.Result, error) {
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

func (x *executor) count(c Cost) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cost.add(c)
}

func (x *executor) getItem(ctx context.Context, r Read) map[Read]outcome {
	sent := Sent{Action: ActionGetItem, Keys: 1, Consistent: x.consistent}
	res, err := x.do(ctx, sent, func(ctx context.Context) (request.Result, error) {
		return x.source.GetItem(ctx, request.GetItem{Key: r.Key, Consistent: x.consistent})
	})
	if err != nil {
		return map[Read]outcome{r: {err: readError(err)}}
	}
	return map[Read]outcome{r: {items: res.Items}}
}

// batchGetItem requests the keys that DynamoDB left unprocessed again, with backoff, until the
// operation's deadline. The items are in no order. A key without an item does not exist.
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
		sent := Sent{Action: ActionBatchGetItem, Keys: len(open), Consistent: x.consistent}
		res, err := x.do(ctx, sent, func(ctx context.Context) (request.Result, error) {
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

// query continues where DynamoDB stopped at 1 MB, until it has the items of the Range and of a joined
// Get, or the range is exhausted. Tombstones do not count, so that pages are full and hasNextPage is
// right.
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
		// Where there are tombstones there may be as many more. A larger limit saves requests.
		q.Limit = wanted - len(page) - len(single) + deleted
		res, err := x.do(ctx, sent, func(ctx context.Context) (request.Result, error) {
			return x.source.Query(ctx, q)
		})
		if err != nil {
			return failed(readError(err), r, req.Gets...)
		}
		for _, it := range res.Items {
			switch sk := keys.SK(it.Text(sortKey)); {
			case joined != nil && sk == joined.Key.SK:
				single = []item.Item{it}
			case joined != nil && !strings.HasPrefix(string(sk), string(r.Prefix)):
				return x.sendApart(ctx, req)
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
			// The collection has more items than its atMost, so the Query ended before this one.
			outcomes = x.getItem(ctx, *joined)
		}
	}
	outcomes[r] = outcome{items: page[:min(len(page), r.Limit)]}
	return outcomes
}

// sendApart sends a Range and its joined Get as separate requests: the table has items between them
// that are not in the design, and there may be any number of them.
func (x *executor) sendApart(ctx context.Context, req Request) map[Read]outcome {
	outcomes := x.query(ctx, queryFor(*req.Range))
	maps.Copy(outcomes, x.getItem(ctx, req.Gets[0]))
	return outcomes
}

// failed returns the error as the outcome of all the Reads.
func failed(err error, first Read, others ...Read) map[Read]outcome {
	outcomes := map[Read]outcome{first: {err: err}}
	for _, r := range others {
		outcomes[r] = outcome{err: err}
	}
	return outcomes
}
