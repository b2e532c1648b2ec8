package loaders

import (
	"context"
	"errors"

	"github.com/partita/partita/loaders/request"
)

// Action is what a request asks of DynamoDB, named as DynamoDB's API does.
type Action string

// The Actions of a Source.
const (
	ActionGetItem            Action = "GetItem"
	ActionBatchGetItem       Action = "BatchGetItem"
	ActionQuery              Action = "Query"
	ActionTransactWriteItems Action = "TransactWriteItems"
)

// Actions are all that a Source is asked for.
func Actions() []Action {
	return []Action{ActionGetItem, ActionBatchGetItem, ActionQuery, ActionTransactWriteItems}
}

// Sent is a request that is about to be sent. It holds no key and no value.
type Sent struct {
	Action Action
	// Keys is how many keys a GetItem or a BatchGetItem asks for, or how many items
	// a TransactWriteItems is about; 0 for a Query.
	Keys int
	// Index is the one that a Query reads, "" for the table itself.
	Index string
	// Consistent says whether the read is strongly consistent.
	Consistent bool
}

// Observer is told what operations ask of the table while they ask it, by several
// goroutines at a time. A context that it returns is the one it was given, with
// values of its own. Each function that it returns is called once.
type Observer interface {
	// Wave is told that a wave begins, and of how many requests. The context is
	// that of the requests; ended is called once all of them have answered.
	Wave(ctx context.Context, requests int) (_ context.Context, ended func())
	// Request is told of a request once there is a slot for it. The context is the
	// one that it is sent with; answered is called with what the Source returned.
	Request(ctx context.Context, sent Sent) (_ context.Context, answered func(request.Result, error))
}

func (x *executor) observeWave(ctx context.Context, requests int) (context.Context, func()) {
	if x.observer == nil {
		return ctx, func() {}
	}
	return x.observer.Wave(ctx, requests)
}

// errNoAnswer is the outcome of a request that a panic has ended.
var errNoAnswer = errors.New("loaders: the request was not answered")

func (x *executor) observe(ctx context.Context, sent Sent,
	send func(context.Context) (request.Result, error),
) (res request.Result, err error) {
	if x.observer == nil {
		return send(ctx)
	}
	ctx, answered := x.observer.Request(ctx, sent)
	err = errNoAnswer
	defer func() { answered(res, err) }()
	res, err = send(ctx)
	return res, err
}
