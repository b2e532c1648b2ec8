package table_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TestThrottles: a result has why each of its HTTP requests was throttled, and which partitions it was about.
func TestThrottles(t *testing.T) {
	t.Parallel()
	e, _ := tenants(t)
	ctx := request.WithTenant(t.Context(), "acme")
	var mu sync.Mutex
	seen := map[string]bool{}
	e.Proxy.Inject(tabletest.Faults{Throttled: 1, Only: func(r tabletest.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		isFirst := !seen[r.Operation]
		seen[r.Operation] = true
		return isFirst
	}})
	put := func(pk string) write.Action { return write.PutItem(tabletest.Stored(pk, "1"), write.IfMissing()) }
	result := func(r request.Result, err error) []request.Throttle {
		if err != nil || r.Throttles != 1 || r.Retries != 1 {
			t.Errorf("%+v, %v", r, err)
		}
		return r.Throttled
	}
	got := map[string][]request.Throttle{
		"GetItem": result(e.Table.GetItem(ctx, request.GetItem{Key: keys.Key{PK: "A", SK: "1"}})),
		"BatchGetItem": result(e.Table.BatchGetItem(ctx, request.BatchGetItem{
			Keys: []keys.Key{{PK: "A", SK: "1"}, {PK: "A", SK: "2"}, {PK: "B", SK: "1"}},
		})),
		"Query":   result(e.Table.Query(ctx, request.Query{Index: "GSI1", PK: "P"})),
		"PutItem": result(e.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{put("A")}})),
		"TransactWriteItems": result(e.Table.TransactWriteItems(ctx, write.Transaction{
			Actions: []write.Action{put("B"), put("C")},
		})),
	}
	throttle := func(reason, index string, partitions ...string) []request.Throttle {
		resource := strings.TrimSuffix("arn:aws:dynamodb:eu-west-1:123456789012:table/partita/index/"+index, "/index/")
		reasons := []request.ThrottleReason{{Reason: reason + "KeyRangeThroughputExceeded", Resource: resource}}
		return []request.Throttle{{Reasons: reasons, Index: index, Partitions: partitions}}
	}
	want := map[string][]request.Throttle{
		"GetItem":            throttle("TableRead", "", "acme#A"),
		"BatchGetItem":       throttle("TableRead", "", "acme#A", "acme#B"),
		"Query":              throttle("IndexRead", "GSI1", "acme#P"),
		"PutItem":            throttle("TableWrite", "", "acme#A"),
		"TransactWriteItems": throttle("TableWrite", "", "acme#B", "acme#C"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
