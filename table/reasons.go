package table

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

// canceledBy returns why each action of a write was not carried out; nil for an error that has no such reasons.
func canceledBy(err error) []wire.Reason {
	if canceled, is := errors.AsType[*wire.CanceledError](err); is {
		return canceled.Reasons
	}
	return nil
}

// The codes of the reasons that are the actions' own.
const (
	reasonCondition = "ConditionalCheckFailed"
	reasonConflict  = "TransactionConflict"

	reasonCollection = "ItemCollectionSizeLimitExceeded"

	reasonThroughput = "ProvisionedThroughputExceeded"
	reasonThrottling = "ThrottlingError"
)

// canceledBySDK returns an error of the SDK as the wire has it.
func canceledBySDK(err error) error {
	var reasons []types.CancellationReason
	if canceled, is := errors.AsType[*types.TransactionCanceledException](err); is {
		reasons = canceled.CancellationReasons
	} else if failed, is := errors.AsType[*types.ConditionalCheckFailedException](err); is {
		reasons = []types.CancellationReason{{Code: aws.String(reasonCondition), Item: failed.Item}}
	} else if isConflict(err) {
		reasons = []types.CancellationReason{{Code: aws.String(reasonConflict)}}
	} else {
		return err
	}
	all := make([]wire.Reason, len(reasons))
	for i, r := range reasons {
		all[i] = wire.Reason{Code: aws.ToString(r.Code), Item: itemIn(r.Item)}
	}
	return &wire.CanceledError{Reasons: all, Err: err}
}

// isConflict reports whether another write was in the way of a single one.
func isConflict(err error) bool {
	_, isLocal := errors.AsType[*types.TransactionConflictException](err)
	_, isReplicated := errors.AsType[*types.ReplicatedWriteConflictException](err)
	return isLocal || isReplicated
}

func itemIn(stored map[string]types.AttributeValue) item.Item {
	if len(stored) == 0 {
		return nil
	}
	return attribute.ToItems([]map[string]types.AttributeValue{stored})[0]
}
