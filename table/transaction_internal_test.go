package table

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aws/smithy-go"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TestThrottledActions: of a cancelled transaction, only the partitions of the items that were throttled are.
func TestThrottledActions(t *testing.T) {
	var table Table
	table.setSchema(Schema{})
	w := write.Transaction{Actions: []write.Action{
		{Key: keys.Key{PK: "A", SK: "1"}}, {Key: keys.Key{PK: "B", SK: "1"}}, {Key: keys.Key{PK: "C", SK: "1"}},
	}}
	reasons := func(codes ...string) (all []wire.Reason) {
		for _, code := range codes {
			all = append(all, wire.Reason{Code: code})
		}
		return all
	}
	got := table.throttledWrite(w, nil, reasons("None", "ThrottlingError", "ProvisionedThroughputExceeded"))
	if len(got) != 1 || !slices.Equal(got[0].Partitions, []string{"B", "C"}) {
		t.Errorf("got %+v", got)
	}
	if got := table.throttledWrite(w, nil, reasons("TransactionConflict")); got != nil {
		t.Errorf("a conflict: got %+v", got)
	}
}

// TestUnprocessedOfFullResponse: keys that a full response has no room for are not throttled.
func TestUnprocessedOfFullResponse(t *testing.T) {
	var table Table
	table.setSchema(Schema{})
	for bytes, want := range map[int]int{14_000_000: 1, 15_600_000: 0} {
		result := request.Result{
			Items:       []item.Item{{{Name: "text", Value: item.StringValue(strings.Repeat("x", bytes))}}},
			Unprocessed: []keys.Key{{PK: "A", SK: "1"}},
		}
		table.throttledRead(request.BatchGetItem{}, &result)
		if len(result.Throttled) != want {
			t.Errorf("after %d bytes: %+v", bytes, result.Throttled)
		}
	}
}

// TestCollectionFull: a collection that may not grow is not a passing state, by itself or in a transaction.
func TestCollectionFull(t *testing.T) {
	for _, err := range []error{
		&smithy.GenericAPIError{Code: "ItemCollectionSizeLimitExceededException"},
		&wire.CanceledError{Err: errors.New("cancelled"), Reasons: []wire.Reason{
			{Code: "ConditionalCheckFailed"}, {Code: "ItemCollectionSizeLimitExceeded"}, {Code: "TransactionConflict"},
		}},
	} {
		again, got := border{}.cancellation(err, canceledBy(err), nil, false)
		if again || !errors.Is(got, write.ErrCollectionFull) || !errors.Is(got, err) {
			t.Errorf("%v: again %v, %v", err, again, got)
		}
	}
}

// TestCancellationInDoubt: if an attempt was not answered, the conditions of all items are needed.
func TestCancellationInDoubt(t *testing.T) {
	err := &wire.CanceledError{Err: errors.New("cancelled"), Reasons: []wire.Reason{
		{Code: "None"}, {Code: "ConditionalCheckFailed"}, {Code: "TransactionConflict"},
	}}
	for _, inDoubt := range []bool{false, true} {
		again, got := border{}.cancellation(err, canceledBy(err), nil, inDoubt)
		_, failed := errors.AsType[*write.ConditionError](got)
		if again != inDoubt || failed == inDoubt || inDoubt && !errors.Is(got, write.ErrConflict) {
			t.Errorf("in doubt %v: %v, again: %v", inDoubt, got, again)
		}
	}
}
