package loaders

import (
	"context"

	"github.com/partita/partita/request"
)

// Action is an action of DynamoDB's API.
type Action string

// The Actions of a Source.
const (
	ActionGetItem            Action = "GetItem"
	ActionBatchGetItem       Action = "BatchGetItem"
	ActionQuery              Action = "Query"
	ActionTransactWriteItems Action = "TransactWriteItems"
	ActionPutItem            Action = "PutItem"
	ActionUpdateItem         Action = "UpdateItem"
	ActionDeleteItem         Action = "DeleteItem"
)

// Actions returns all actions of a Source.
func Actions() []Action {
	return []Action{
		ActionGetItem, ActionBatchGetItem, ActionQuery,
		ActionTransactWriteItems, ActionPutItem, ActionUpdateItem, ActionDeleteItem,
	}
}

// Sent describes a request that is about to be sent. It contains no key and no value.
type Sent struct {
	Action Action
	// Keys is the number of keys of a GetItem or a BatchGetItem, or the number of actions of a
	// TransactWriteItems; 1 for a single write, 0 for a Query.
	Keys int
	// Index is the name of the index that a Query reads, "" for the table itself.
	Index string
	// Consistent is set if the read is strongly consistent.
	Consistent bool
}

// Observer observes the waves and requests of operations, the damaged items that they read, and the fields that they
// could not read. Its methods are called concurrently. Wave and Request return the given context, with values added,
// and a function that is called once.
type Observer interface {
	// Wave is called before a wave with its number of requests. The requests get the returned context;
	// ended is called when all of them have ended.
	Wave(ctx context.Context, requests int) (_ context.Context, ended func())
	// Request is called before a request is sent, when there is a slot for it. The request is sent with
	// the returned context; answered is called with the result of the Source.
	Request(ctx context.Context, sent Sent) (_ context.Context, answered func(request.Result, error))
	// Damaged is called once for each damaged item that an operation has read, with the name of the item's type; ""
	// if the design does not have its type.
	Damaged(ctx context.Context, typeName string)
	// Unreadable is called once for each field of an item that an operation has selected and could not read, with the
	// name of the item's type.
	Unreadable(ctx context.Context, typeName string)
}

// maxUnits is more than one request can consume.
const maxUnits = 1e9

// checked replaces units that no request can have consumed, such as NaN, by 0. They would remain in the sums, budgets
// and metrics that they are added to.
func checked(res request.Result, err error) (request.Result, error) {
	for _, units := range []*float64{&res.ReadUnits, &res.WriteUnits} {
		if !(*units >= 0 && *units <= maxUnits) {
			*units = 0
		}
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
