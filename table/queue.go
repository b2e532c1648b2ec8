package table

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// queues has a queue for each item that several transactions of the process contend for, so that
// they are sent one after the other. DynamoDB cancels all but one of those that conflict and
// charges for each attempt, so that waiting is both cheaper and faster. An item has a queue from
// the first conflict on it until no transaction waits in the queue.
type queues struct {
	mu    sync.Mutex
	byKey map[keys.Key]*queue
}

// queue lets through one transaction at a time, in the order of their arrival.
type queue struct {
	waiting int // how many transactions, the one that was let through included
	free    chan struct{}
}

// existing returns those of the transaction's items that have a queue.
func (q *queues) existing(actions []write.Action) []keys.Key {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.byKey) == 0 {
		return nil
	}
	var found []keys.Key
	for _, a := range actions {
		if q.byKey[a.Key] != nil {
			found = append(found, a.Key)
		}
	}
	return found
}

// wait returns when the transaction is first in the queues of all of the items.
// Every transaction enters them in the same order, so that no two wait for each
// other.
func (q *queues) wait(ctx context.Context, items []keys.Key) (release func(), err error) {
	slices.SortFunc(items, func(a, b keys.Key) int {
		return cmp.Or(cmp.Compare(a.PK, b.PK), cmp.Compare(a.SK, b.SK))
	})
	passed := 0
	release = func() {
		for _, key := range items[:passed] {
			q.leave(key, true)
		}
	}
	for _, key := range items {
		select {
		case <-q.enter(key).free:
			passed++
		case <-ctx.Done():
			q.leave(key, false)
			release()
			return nil, ctx.Err()
		}
	}
	return release, nil
}

func (q *queues) enter(key keys.Key) *queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := q.byKey[key]
	if at == nil {
		if q.byKey == nil {
			q.byKey = map[keys.Key]*queue{}
		}
		at = &queue{free: make(chan struct{}, 1)}
		at.free <- struct{}{}
		q.byKey[key] = at
	}
	at.waiting++
	return at
}

// leave ends the transaction's place in a queue. passed is set when it was first.
func (q *queues) leave(key keys.Key, passed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := q.byKey[key]
	if passed {
		at.free <- struct{}{}
	}
	if at.waiting--; at.waiting == 0 {
		delete(q.byKey, key)
	}
}

// writeFunc sends a write with the retries of the SDK.
type writeFunc func(context.Context) (request.Result, error)

// inTurn sends a write once it is first in the queue of each contended item.
func (t *Table) inTurn(ctx context.Context, contended []keys.Key, send writeFunc) (request.Result, error) {
	release, err := t.queues.wait(ctx, contended)
	if err != nil {
		return request.Result{}, fmt.Errorf("%w: %w", write.ErrConflict, err)
	}
	defer release()
	return send(ctx)
}
