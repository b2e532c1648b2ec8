package table

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// LimitReads lets the table expect that a partition key takes so many units a second.
func (t *Table) LimitReads(units float64) { t.readLanes = pace.New(units) }

// TestReadGate: a read that is throttled because of its partition keys slows them down, those of an index or of the
// table, as DynamoDB names it.
func TestReadGate(t *testing.T) {
	t.Parallel()
	const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
	throttled := func(reason, resource string) request.Result {
		reasons := []request.ThrottleReason{{Reason: reason, Resource: resource}}
		return request.Result{Throttles: 1, Throttled: []request.Throttle{{Reasons: reasons}}}
	}
	all := []keys.Key{{PK: "A", SK: "1"}, {PK: "A", SK: "2"}, {PK: "B", SK: "1"}}
	get, batch := request.GetItem{Key: all[0]}, request.BatchGetItem{Keys: all}
	query := request.Query{Index: "GSI1", PK: "X"}
	for name, tt := range map[string]struct {
		request any
		result  request.Result
		want    []string
	}{
		"get":         {get, throttled("TableReadKeyRangeThroughputExceeded", arn), []string{"A"}},
		"batch":       {batch, throttled("TableReadKeyRangeThroughputExceeded", arn), []string{"A", "B"}},
		"unprocessed": {batch, request.Result{Unprocessed: all[2:]}, []string{"B"}},
		"query":       {query, throttled("IndexReadKeyRangeThroughputExceeded", arn+"/index/GSI1"), []string{"X"}},
		"capacity":    {query, throttled("IndexReadProvisionedThroughputExceeded", arn+"/index/GSI1"), nil},
		"no reason":   {get, request.Result{Throttles: 1, Throttled: []request.Throttle{{}}}, []string{"A"}},
		"an answer":   {get, request.Result{ReadUnits: 3}, nil},
	} {
		opened := openNowhere(t)
		ctx, pass := opened.paceRead(t.Context(), tt.request)
		if pass != nil || ctx != t.Context() {
			t.Errorf("%s: a read passes a gate before one is throttled", name)
		}
		opened.throttledRead(tt.request, &tt.result)
		opened.pacedRead(pass, tt.request, &tt.result, nil)
		var got []string
		for _, key := range []pace.Key{{Partition: "A"}, {Partition: "B"}, {Index: "GSI1", Partition: "X"}} {
			if isSlow(opened.readLanes, key) {
				got = append(got, key.Partition)
			}
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if _, pass := opened.paceRead(t.Context(), tt.request); (pass == nil) != (tt.want == nil) {
			t.Errorf("%s: the gate of the next read is %+v", name, pass)
		}
	}
}
