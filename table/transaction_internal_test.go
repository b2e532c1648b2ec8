package table

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/write"
)

// TestCancellationInDoubt: if an attempt was not answered, the conditions of all items are needed.
func TestCancellationInDoubt(t *testing.T) {
	err := &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{
		{Code: aws.String("None")}, {Code: aws.String("ConditionalCheckFailed")}, {Code: aws.String("TransactionConflict")},
	}}
	for _, inDoubt := range []bool{false, true} {
		again, got := border{}.cancellation(err, canceledBy(err), nil, inDoubt)
		_, failed := errors.AsType[*write.ConditionError](got)
		if again != inDoubt || failed == inDoubt || inDoubt && !errors.Is(got, write.ErrConflict) {
			t.Errorf("in doubt %v: %v, again: %v", inDoubt, got, again)
		}
	}
}
