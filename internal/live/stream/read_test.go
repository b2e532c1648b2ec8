package stream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// alone are the options of a reader of the local engine.
var alone = stream.Options{Alone: true}

// remove deletes an item that put has written.
func remove(t *testing.T, e *tabletest.Engine, pk keys.PK) {
	t.Helper()
	_, _, err := table.Call(t.Context(), e.Table, e.Table.Client().DeleteItem, &dynamodb.DeleteItemInput{
		TableName: aws.String(e.Table.Name()),
		Key:       attribute.FromKey(stored.DefaultLayout(), keys.Key{PK: pk, SK: "A"}),
	})
	fatal.If(t, err)
}

// TestChanges: each write after the start is a change with the item before and after it, in the order of the writes.
func TestChanges(t *testing.T) {
	e := tabletest.Start(t, streamed)
	put(t, e, "old", 0)
	r := read(t, e.Table, alone)
	for n := range 20 {
		put(t, e, "a", n)
	}
	remove(t, e, "a")
	r.awaitCurrent(t)
	wantValues(t, r.values(), append(numbers(0, 19), "-"))
	last := r.changes[19]
	if last.Key.PK != "a" || last.Key.SK != "A" || last.Old.Text("n") != "18" || last.Sequence == "" || last.At.IsZero() {
		t.Errorf("the change is %+v", last)
	}
	if r.changes[0].Old != nil || r.changes[20].Old.Text("n") != "19" {
		t.Errorf("the old items are %v and %v", r.changes[0].Old, r.changes[20].Old)
	}
	if lag, known := r.Lag(); !known || lag < 0 || r.Records() != 21 || !r.Holds() {
		t.Errorf("lag %v, known: %v, %d records, holds: %v", lag, known, r.Records(), r.Holds())
	}
	r.stop() // the last request may not have arrived
	if sent := int64(e.Proxy.Counts().Requests["GetRecords"]); sent < 1 || r.Requests() < sent || r.Requests() > sent+1 {
		t.Errorf("%d requests of GetRecords are counted, and %d were sent", r.Requests(), sent)
	}
}

// TestTenants: the tenant of an item is cut from its keys.
func TestTenants(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.With(t, table.Schema{Tenants: true}).Table, alone)
	put(t, e, "acme#a", 1)
	put(t, e, "globex#a", 2)
	r.awaitCurrent(t)
	var got []string
	for _, c := range r.changes {
		got = append(got, c.Tenant+": "+string(c.Key.PK)+" "+c.New.Text(keys.AttributePK))
	}
	if want := []string{"acme: a a", "globex: a a"}; !slices.Equal(got, want) {
		t.Errorf("the changes are %q, want %q", got, want)
	}
}

// TestOwner: while all belongs to one tenant, each item is its own. The other form of one has a key that nobody has.
func TestOwner(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.With(t, table.Schema{Owner: &table.Owner{Name: "acme", Prefix: "acme#"}}).Table, alone)
	put(t, e, "acme#a", 1)
	put(t, e, "a", 2)
	r.awaitCurrent(t)
	var got []string
	for _, c := range r.changes {
		got = append(got, fmt.Sprintf("%s: %q %q", c.Tenant, c.Key.PK, c.New.Text(keys.AttributePK)))
	}
	if want := []string{`acme: "a" "a"`, `acme: "\x00a" "\x00a"`}; !slices.Equal(got, want) {
		t.Errorf("the changes are %q, want %q", got, want)
	}
}

// TestRestart: a reader continues where the one before was stopped.
func TestRestart(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	for n := range 5 {
		put(t, e, "a", n)
	}
	r.awaitCurrent(t)
	r.stop()
	for n := 5; n < 10; n++ {
		put(t, e, "a", n)
	}
	next := read(t, e.Table, alone)
	wantValues(t, next.values(), numbers(5, 9))
	next.wantLost(t, 0)
}

// TestKilled: a reader whose last positions are not stored is followed by one that begins at the one that is.
func TestKilled(t *testing.T) {
	e := tabletest.Start(t, streamed)
	first := read(t, e.Table, alone)
	put(t, e, "a", 0)
	first.awaitCurrent(t)
	first.stop()
	killed := e.Again(t)
	r := read(t, killed.Table, alone)
	killed.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException", Only: func(r tabletest.Request) bool {
		return r.Operation == "UpdateItem"
	}})
	put(t, e, "a", 1)
	r.awaitCurrent(t)
	put(t, e, "a", 2)
	next := read(t, e.Table, alone)
	wantValues(t, next.values(), numbers(1, 2))
	next.wantLost(t, 0)
}

// TestPositionIsStoredOnlyIfItChanges: the local engine is written to only when its data change.
func TestPositionIsStoredOnlyIfItChanges(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	put(t, e, "a", 0)
	r.awaitCurrent(t)
	idle := func() int {
		for range 10 {
			r.awaitCurrent(t)
		}
		return e.Proxy.Counts().Requests["UpdateItem"]
	}
	idle()
	if before, after := idle(), idle(); before != after {
		t.Errorf("the position is written without changes: %d and then %d times", before, after)
	}
}

// once lets the first requests of an operation have a fault.
func once(operation string, times int64) func(tabletest.Request) bool {
	var count atomic.Int64
	return func(r tabletest.Request) bool { return r.Operation == operation && count.Add(1) <= times }
}

// TestExpiredIterators: an iterator that is too old is replaced by one behind the last record.
func TestExpiredIterators(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	put(t, e, "a", 0)
	r.awaitCurrent(t)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "ExpiredIteratorException", Only: once("GetRecords", 3)})
	for n := 1; n < 10; n++ {
		put(t, e, "a", n)
	}
	r.awaitCurrent(t)
	r.awaitCurrent(t)
	wantValues(t, r.values(), numbers(0, 9))
	if got := e.Proxy.Counts().Requests["GetShardIterator"]; got != 4 {
		t.Errorf("%d iterators, want one at the start and one for each that has expired", got)
	}
	r.wantLost(t, 0)
}

// TestTrimmedRecords: the sink learns that records are missing before it gets the next ones.
func TestTrimmedRecords(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "TrimmedDataAccessException", Only: once("GetRecords", 1)})
	r.await(t, "the loss is reported", func() bool { return r.losses == 1 })
	put(t, e, "a", 1)
	r.awaitCurrent(t)
	wantValues(t, r.values(), numbers(1, 1))
	if r.lost() != 1 || !strings.Contains(r.log.String(), "are lost") {
		t.Errorf("%d losses; the log: %s", r.lost(), r.log)
	}
}

// TestFaults: whatever happens to requests, no change is left out, passed twice or out of order.
func TestFaults(t *testing.T) {
	for name, faults := range map[string]tabletest.Faults{
		"throttled":       {Throttled: 0.5},
		"failed":          {Failed: 0.5},
		"connections cut": {Reset: 0.5},
		"answers lost":    {Lost: 0.5},
		"limit exceeded":  {ErrorCode: "LimitExceededException", Only: every(3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, streamed)
			faults.Seed = 1
			e.Proxy.Inject(faults)
			r := read(t, e.Table, alone)
			for n := range 50 {
				put(t, e, "a", n)
			}
			r.awaitCurrent(t)
			wantValues(t, r.values(), numbers(0, 49))
			r.wantLost(t, 0)
		})
	}
}

// every lets each n-th request that is no write have a fault.
func every(n int64) func(tabletest.Request) bool {
	var count atomic.Int64
	return func(r tabletest.Request) bool { return !r.IsWrite() && count.Add(1)%n == 0 }
}

// TestOutage: while the stream cannot be read, the sink is not told that it has been, and then it gets everything.
func TestOutage(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException", Only: func(r tabletest.Request) bool {
		return r.Operation == "GetRecords"
	}})
	put(t, e, "a", 0)
	for !strings.Contains(r.log.String(), "cannot be read") {
		put(t, e, "b", 0)
	}
	if got := r.values(); len(got) > 0 && got[0] != "0" {
		t.Errorf("the changes are %q", got)
	}
	e.Proxy.Inject(tabletest.Faults{})
	r.awaitCurrent(t)
	put(t, e, "a", 1)
	r.awaitCurrent(t)
	got := r.values()
	if got[len(got)-1] != "1" || r.lost() != 0 {
		t.Errorf("the changes are %q, %d losses", got, r.lost())
	}
}

// TestTableWithoutStream: the log has the command that turns the stream on, and it is read as soon as it is.
func TestTableWithoutStream(t *testing.T) {
	e := tabletest.Start(t, table.Schema{})
	s := newSink()
	r := begin(t, e.Table, alone, s)
	for !strings.Contains(r.log.String(), "StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES") {
		if t.Context().Err() != nil {
			t.Fatalf("the log is %s", r.log)
		}
	}
	var unsuitable *stream.Unsuitable
	err := r.Replay(t.Context(), nil, nil, func([]*live.Change) {})
	if !errors.As(err, &unsuitable) || unsuitable.ViewType != "" {
		t.Errorf("the error is %v", err)
	}
	turn(t, e.Table, &types.StreamSpecification{
		StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly,
	})
	err = r.Replay(t.Context(), nil, nil, func([]*live.Change) {})
	if !errors.As(err, &unsuitable) || unsuitable.ViewType != "KEYS_ONLY" ||
		!strings.Contains(unsuitable.Fix(), "=false && ") {
		t.Errorf("the error is %v", err)
	}
}

// TestEndpointWithoutStreams: the log says so, with what to do, and the endpoint is not asked again at once.
func TestEndpointWithoutStreams(t *testing.T) {
	e := tabletest.Start(t, streamed)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "UnknownOperationException", Only: func(r tabletest.Request) bool {
		return r.Operation == "DescribeStream"
	}})
	r := begin(t, e.Table, alone, newSink())
	for !strings.Contains(r.log.String(), "has no DynamoDB Streams, so that there are no subscriptions") {
		if t.Context().Err() != nil || strings.Contains(r.log.String(), "is tried again") {
			t.Fatalf("the log is %s", r.log)
		}
	}
	if n := e.Proxy.Counts().Requests["DescribeStream"]; n != 1 || !strings.Contains(r.log.String(), "LIVE=off") {
		t.Errorf("%d requests were sent, and the log is %s", n, r.log)
	}
}

// turn turns the stream of a table on or off.
func turn(t *testing.T, tb *table.Table, to *types.StreamSpecification) {
	t.Helper()
	_, _, err := table.Call(t.Context(), tb, tb.Client().UpdateTable, &dynamodb.UpdateTableInput{
		TableName: aws.String(tb.Name()), StreamSpecification: to,
	})
	fatal.If(t, err)
}

// TestReplay: a replay passes what is between two positions, while the reader goes on.
func TestReplay(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	for n := range 10 {
		put(t, e, "a", n)
	}
	r.awaitCurrent(t)
	at := func(i int) live.Position { return live.Position{r.changes[i].Shard: r.changes[i].Sequence} }
	for _, tt := range []struct {
		name         string
		after, until live.Position
		want         []string
	}{
		{"between", at(2), at(6), numbers(3, 6)},
		{"nothing", at(6), at(6), nil},
		{"the second is earlier", at(6), at(2), nil},
		{"to the present end", at(6), nil, numbers(7, 9)},
		{"from the beginning", nil, at(3), numbers(0, 3)},
		{"everything", nil, nil, numbers(0, 9)},
	} {
		var changes []*live.Change
		err := r.Replay(t.Context(), tt.after, tt.until, func(more []*live.Change) { changes = append(changes, more...) })
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := valuesOf(changes); !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
			t.Errorf("%s: the changes are %q, want %q", tt.name, got, tt.want)
		}
	}
	const line = `"the stream has been read for clients that resume" replays=1 requests=`
	if strings.Count(r.log.String(), line) != 1 {
		t.Errorf("the log is %s", r.log)
	}
	unknown := live.Position{"shardId-other": "5"}
	if err := r.Replay(t.Context(), unknown, at(9), func([]*live.Change) {}); !errors.Is(err, live.ErrExpired) {
		t.Errorf("a position of another stream: %v", err)
	}
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "TrimmedDataAccessException", Only: func(r tabletest.Request) bool {
		return r.Operation == "GetShardIterator"
	}})
	if err := r.Replay(t.Context(), at(0), at(9), func([]*live.Change) {}); !errors.Is(err, live.ErrExpired) {
		t.Errorf("a trimmed position: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Replay(ctx, at(0), at(9), func([]*live.Change) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
