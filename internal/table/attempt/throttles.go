package attempt

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/request"
)

// throttleOf returns why a request was throttled.
func throttleOf(err error) request.Throttle {
	var reasons []types.ThrottlingReason
	if e, is := errors.AsType[*types.ProvisionedThroughputExceededException](err); is {
		reasons = e.ThrottlingReasons
	} else if e, is := errors.AsType[*types.ThrottlingException](err); is {
		reasons = e.ThrottlingReasons
	} else if e, is := errors.AsType[*types.RequestLimitExceeded](err); is {
		reasons = e.ThrottlingReasons
	}
	var t request.Throttle
	for _, r := range reasons {
		t.Reasons = append(t.Reasons, request.ThrottleReason{
			Reason: aws.ToString(r.Reason), Resource: aws.ToString(r.Resource),
		})
	}
	return t
}
