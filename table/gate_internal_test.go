package table

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

// openNowhere returns a table with an index that sends nothing.
func openNowhere(t testing.TB) *Table {
	t.Helper()
	opened, err := Open(t.Context(), Settings{Endpoint: "http://127.0.0.1:1"}, Schema{Indexes: []string{"GSI1"}},
		slog.New(slog.DiscardHandler))
	fatal.If(t, err)
	t.Cleanup(func() { opened.Close() })
	return opened
}

func texts(pairs ...string) item.Item {
	var it item.Item
	for i := 0; i < len(pairs); i += 2 {
		it = append(it, item.Attribute{Name: pairs[i], Value: item.StringValue(pairs[i+1])})
	}
	return it
}

// TestPartsOfWrites: a write is about the partition keys of its item and of the indexes that it sets, by its size.
func TestPartsOfWrites(t *testing.T) {
	t.Parallel()
	opened := openNowhere(t)
	long := strings.Repeat("x", 3000)
	put := wire.Write{Kind: wire.Put, Item: texts("PK", "A", "SK", "1", "GSI1PK", "X", "GSI1SK", "1", "text", long)}
	update := wire.Write{
		Kind: wire.Update, Item: texts("PK", "A", "SK", "2"), Condition: "#n0 = :v0", Update: "SET #n1 = :v1, #n2 = :v2",
		Names:  []string{"version", "GSI1PK", "text"},
		Values: []item.Value{item.StringValue("1"), item.StringValue("Y"), item.StringValue(long)},
	}
	remove := wire.Write{Kind: wire.Delete, Item: texts("PK", "B", "SK", "1")}
	part := func(index, key string, units float64) pace.Part {
		return pace.Part{Key: pace.Key{Index: index, Partition: key}, Units: units}
	}
	for name, tt := range map[string]struct {
		all           []wire.Write
		isTransaction bool
		want          []pace.Part
	}{
		"put":    {[]wire.Write{put}, false, []pace.Part{part("", "A", 3), part("GSI1", "X", 3)}},
		"update": {[]wire.Write{update}, false, []pace.Part{part("", "A", 3), part("GSI1", "Y", 3)}},
		"delete": {[]wire.Write{remove}, false, []pace.Part{part("", "B", 1)}},
		"transaction": {
			[]wire.Write{put, remove}, true, []pace.Part{part("", "A", 6), part("", "B", 2), part("GSI1", "X", 3)},
		},
		"transaction of one write": {[]wire.Write{remove}, true, []pace.Part{part("", "B", 2)}},
	} {
		got := merged(opened.newGate(tt.all, tt.isTransaction).parts())
		slices.SortFunc(got, func(a, b pace.Part) int {
			return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Partition, b.Partition))
		})
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestGate: what is throttled because of its key is slowed down, by the table or the index that DynamoDB names, or both
// if it names none.
func TestGate(t *testing.T) {
	t.Parallel()
	const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
	reason := func(reason, resource string) func(*gate) {
		return func(g *gate) {
			g.Throttled(request.Throttle{Reasons: []request.ThrottleReason{{Reason: reason, Resource: resource}}})
		}
	}
	canceled := func(codes ...string) func(*gate) {
		return func(g *gate) {
			err := &wire.CanceledError{Err: errors.New("made by the test")}
			for _, code := range codes {
				err.Reasons = append(err.Reasons, wire.Reason{Code: code})
			}
			g.answered(err)
		}
	}
	for name, tt := range map[string]struct {
		throttle func(*gate)
		want     []string
	}{
		"key of the table":   {reason("TableWriteKeyRangeThroughputExceeded", arn), []string{"A", "B"}},
		"key of the index":   {reason("IndexWriteKeyRangeThroughputExceeded", arn+"/index/GSI1"), []string{"X"}},
		"another index":      {reason("IndexWriteKeyRangeThroughputExceeded", arn+"/index/GSI2"), nil},
		"capacity":           {reason("TableWriteProvisionedThroughputExceeded", arn), nil},
		"maximum":            {reason("TableWriteMaxOnDemandThroughputExceeded", arn), nil},
		"no reason":          {func(g *gate) { g.Throttled(request.Throttle{}) }, []string{"A", "B", "X"}},
		"one of the actions": {canceled("None", "ThrottlingError"), []string{"B"}},
		"a condition":        {canceled("ConditionalCheckFailed", "None"), nil},
	} {
		opened := openNowhere(t)
		tt.throttle(opened.newGate([]wire.Write{
			{Kind: wire.Put, Item: texts("PK", "A", "SK", "1", "GSI1PK", "X", "GSI1SK", "1")},
			{Kind: wire.Put, Item: texts("PK", "B", "SK", "1")},
		}, true))
		var got []string
		for _, key := range []pace.Key{{Partition: "A"}, {Partition: "B"}, {Index: "GSI1", Partition: "X"}} {
			if isSlow(opened.writeLanes, key) {
				got = append(got, key.Partition)
			}
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// isSlow reports whether a write waits after another one that has consumed all.
func isSlow(lanes *pace.Lanes, key pace.Key) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	parts := []pace.Part{{Key: key, Units: 1e6}}
	_, _ = lanes.Pass(context.Background(), parts)
	_, err := lanes.Pass(ctx, parts)
	return err != nil
}
