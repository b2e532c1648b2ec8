package telemetry

import (
	"strings"
	"sync"
	"time"

	"github.com/partita/partita/request"
)

// fixes are what to do about throttled requests. Each is in the log once a minute, for each reason and resource.
type fixes struct {
	mu   sync.Mutex
	said map[request.ThrottleReason]time.Time
}

const (
	saidEvery = time.Minute
	// maxSaid limits the memory for reasons and resources. There are few, since both are DynamoDB's.
	maxSaid = 100
)

// due returns what to do about the first reason of a throttled request; "" if the log has it, or if there is none.
func (f *fixes) due(t request.Throttle) string {
	if len(t.Reasons) == 0 {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r := t.Reasons[0]
	if at, is := f.said[r]; is && time.Since(at) < saidEvery {
		return ""
	}
	if f.said == nil || len(f.said) >= maxSaid {
		f.said = map[request.ThrottleReason]time.Time{}
	}
	f.said[r] = time.Now()
	return fixOf(r)
}

// fixOf returns what to do about a reason, "" for one that is not known.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
func fixOf(r request.ThrottleReason) string {
	const key, capacity, maximum, account = "KeyRangeThroughputExceeded", "ProvisionedThroughputExceeded",
		"MaxOnDemandThroughputExceeded", "AccountLimitExceeded"
	isWrite := strings.Contains(r.Reason, "Write")
	how := "read"
	if isWrite {
		how = "write"
	}
	_, limit, isKnown := strings.Cut(r.Reason, strings.ToUpper(how[:1])+how[1:])
	switch {
	case !isKnown:
		return ""
	case limit == key:
		return fixOfKey(strings.Contains(r.Resource, "/index/"), isWrite)
	case limit == capacity:
		return "raise the provisioned " + how + " capacity of " + whose(r) + ", or change it to on-demand"
	case limit == maximum:
		return "raise the maximum on-demand " + how + " throughput of " + whose(r)
	case limit == account:
		return "raise the " + how + " throughput of the account and of a table in Service Quotas, because of " + whose(r)
	}
	return ""
}

// fixOfKey returns what to do about a partition key that is used too much.
func fixOfKey(isIndex, isWrite bool) string {
	limit, directive, other := "3,000 read units", "@item", "; equal reads that are not strongly consistent are sent once"
	if isWrite {
		limit, other = "1,000 write units", ""
	}
	if isIndex {
		directive = "@index"
	}
	return "a partition takes " + limit + " a second: spread the key by shards in its " + directive + other +
		"; if the table or index is new, set its warm throughput before there is load"
}

// whose returns the words for a table or an index.
func whose(r request.ThrottleReason) string {
	table, index, isIndex := strings.Cut(strings.TrimPrefix(nameOf(r.Resource), "table/"), "/index/")
	if isIndex {
		return "the index " + index + " of the table " + table
	}
	return "the table " + table
}
