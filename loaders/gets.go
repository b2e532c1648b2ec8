package loaders

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

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

// maxBatchAttempts is how often the keys of one BatchGetItem are requested while some of them remain
// unprocessed, including the first time.
const maxBatchAttempts = 12

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
		if len(res.Unprocessed) == 0 || res.IsFull() {
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
