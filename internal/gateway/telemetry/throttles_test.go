package telemetry_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// TestThrottles: metrics count throttled requests by reason, and by hashes of their keys. The keys are in the log, at
// most once a second besides what to do about each reason, and in what is for this machine.
func TestThrottles(t *testing.T) {
	const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
	throttled := func(reason, resource, index string, partitions ...string) request.Throttle {
		return request.Throttle{
			Reasons: []request.ThrottleReason{{Reason: reason, Resource: resource}}, Index: index, Partitions: partitions,
		}
	}
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		m := telemetry.NewMetrics(telemetry.MetricsOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		o := telemetry.NewObserver(m, nil)
		answer := func(action loaders.Action, all ...request.Throttle) {
			_, answered := o.Request(t.Context(), loaders.Sent{Action: action})
			answered(request.Result{Throttled: all}, nil)
		}
		onIndex := throttled("IndexReadKeyRangeThroughputExceeded", arn+"/index/GSI1", "GSI1", "STATUS#A")
		answer(loaders.ActionQuery)
		answer(loaders.ActionQuery, onIndex, onIndex)
		answer(loaders.ActionQuery, onIndex)
		answer(loaders.ActionPutItem, throttled("TableWriteAccountLimitExceeded", arn, "", "USER#1"))
		answer(loaders.ActionBatchGetItem, request.Throttle{Partitions: []string{"USER#1", "USER#2"}, IsUnprocessed: true})
		time.Sleep(time.Second)
		answer(loaders.ActionGetItem, request.Throttle{Partitions: []string{"USER#1"}})

		get := func(h http.Handler) string {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
			return w.Body.String()
		}
		var lines []string
		for line := range strings.Lines(get(m.Handler())) {
			if strings.HasPrefix(line, "partita_dynamodb_thrott") && !strings.HasSuffix(line, " 0\n") {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
		want := []string{
			`partita_dynamodb_throttled_key_requests{index="",key="3c2263ab8ba2"} 3`,
			`partita_dynamodb_throttled_key_requests{index="",key="8e350d89eeb8"} 1`,
			`partita_dynamodb_throttled_key_requests{index="GSI1",key="f71cf62f6df0"} 3`,
			`partita_dynamodb_throttles_total{action="GetItem",reason="",resource=""} 1`,
			`partita_dynamodb_throttles_total{action="PutItem",reason="TableWriteAccountLimitExceeded",resource="table"} 1`,
			`partita_dynamodb_throttles_total{action="Query",reason="IndexReadKeyRangeThroughputExceeded",resource="index"} 3`,
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		keys := `{"3c2263ab8ba2":"USER#1","8e350d89eeb8":"USER#2","f71cf62f6df0":"STATUS#A"}`
		if got := strings.TrimSpace(get(m.Keys())); got != keys {
			t.Errorf("got %s", got)
		}
		logged := []string{
			`action=Query reason=IndexReadKeyRangeThroughputExceeded resource=table/shop/index/GSI1 index=GSI1 ` +
				`unprocessedKeys=false partitions=[STATUS#A] fix="a partition takes 3,000 read units a second: spread the key ` +
				`by shards in its @index; equal reads that are not strongly consistent are sent once; if the table or index is ` +
				`new, set its warm throughput before there is load"`,
			`action=Query reason=IndexReadKeyRangeThroughputExceeded resource=table/shop/index/GSI1 index=GSI1 ` +
				`unprocessedKeys=false partitions=[STATUS#A]`,
			`action=PutItem reason=TableWriteAccountLimitExceeded resource=table/shop index="" unprocessedKeys=false ` +
				`partitions=[USER#1] fix="raise the write throughput of the account and of a table in Service Quotas, because ` +
				`of the table shop"`,
			`action=GetItem reason="" resource="" index="" unprocessedKeys=false partitions=[USER#1]`,
		}
		var got []string
		for line := range strings.Lines(log.String()) {
			_, line, _ = strings.Cut(strings.TrimSpace(line), `level=WARN msg="DynamoDB throttles requests" `)
			got = append(got, line)
		}
		if diff := cmp.Diff(logged, got); diff != "" {
			t.Errorf("the log: -want +got\n%s", diff)
		}
	})
}
