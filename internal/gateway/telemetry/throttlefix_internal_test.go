package telemetry

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/request"
)

// TestFixOfReasons: each reason of DynamoDB has a fix, which names the table or the index.
func TestFixOfReasons(t *testing.T) {
	const table = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
	for reason, want := range map[request.ThrottleReason]string{
		{Reason: "TableWriteKeyRangeThroughputExceeded", Resource: table}: "a partition takes 1,000 write units a second: " +
			"spread the key by shards in its @item; if the table or index is new, set its warm throughput before there is load",
		{Reason: "IndexWriteKeyRangeThroughputExceeded", Resource: table + "/index/GSI1"}: "a partition takes 1,000 write " +
			"units a second: spread the key by shards in its @index; if the table or index is new, set its warm throughput " +
			"before there is load",
		{Reason: "TableReadProvisionedThroughputExceeded", Resource: table}: "raise the provisioned read capacity of the " +
			"table shop, or change it to on-demand",
		{Reason: "IndexWriteMaxOnDemandThroughputExceeded", Resource: table + "/index/GSI1"}: "raise the maximum on-demand " +
			"write throughput of the index GSI1 of the table shop",
		{Reason: "TableReadAccountLimitExceeded", Resource: table}: "raise the read throughput of the account and of a " +
			"table in Service Quotas, because of the table shop",
		{Reason: "TableReadSomethingElse", Resource: table}: "",
		{Reason: "", Resource: ""}:                          "",
	} {
		if got := fixOf(reason); got != want {
			t.Errorf("%s: got %q, want %q", reason.Reason, got, want)
		}
	}
}

// TestFixOnceAMinute: each reason has its fix once a minute.
func TestFixOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f fixes
		of := func(resource string) bool {
			return f.due(request.Throttle{Reasons: []request.ThrottleReason{
				{Reason: "TableReadKeyRangeThroughputExceeded", Resource: resource},
			}}) != ""
		}
		if !of("a") || !of("b") || of("a") || f.due(request.Throttle{}) != "" {
			t.Error("not each reason has its fix once")
		}
		time.Sleep(time.Minute)
		if !of("a") || of("a") {
			t.Error("not once more after a minute")
		}
	})
}
