package loaders

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"testing"
	"testing/synctest"

	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// source returns what its functions return.
type source struct {
	Source
	batch func(context.Context, request.BatchGetItem) (request.Result, error)
	query func(context.Context, request.Query) (request.Result, error)
}

func (s source) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	return s.batch(ctx, r)
}

func (s source) Query(ctx context.Context, r request.Query) (request.Result, error) {
	return s.query(ctx, r)
}

func executorOf(s Source, operation, process *semaphore.Weighted) *executor {
	log := slog.New(slog.DiscardHandler)
	return &executor{source: s, operation: operation, process: process, maxItems: math.MaxInt, log: log}
}

// ranges returns Ranges of n partitions.
func ranges(n int) []Read {
	reads := make([]Read, n)
	for i := range reads {
		reads[i] = Read{Kind: Range, Query: request.Query{PK: keys.PK(fmt.Sprintf("P%d", i)), Limit: 5}}
	}
	return reads
}

// TestInFlight: requests beyond the limits of the operation and of the process wait for others to end.
func TestInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent, answer := make(chan keys.PK, 100), make(chan struct{})
		s := source{query: func(_ context.Context, q request.Query) (request.Result, error) {
			sent <- q.PK
			<-answer
			return request.Result{}, nil
		}}
		process := semaphore.NewWeighted(5)
		outcomes := [2]map[Read]outcome{{}, {}}
		for i, want := range []int{3, 5} { // three of the first operation, then two more of the second
			x := executorOf(s, semaphore.NewWeighted(3), process)
			go x.run(t.Context(), Plan(stocks, ranges(10)), outcomes[i])
			synctest.Wait()
			if got := len(sent); got != want {
				t.Errorf("with %d operations %d requests are in flight, want %d", i+1, got, want)
			}
		}
		close(answer)
		synctest.Wait()
		if len(sent) != 20 || len(outcomes[0]) != 10 || len(outcomes[1]) != 10 {
			t.Errorf("%d requests, %d and %d outcomes; want 20, 10 and 10", len(sent), len(outcomes[0]), len(outcomes[1]))
		}
	})
}

// TestUnprocessedAtLast: keys that remain unprocessed become errors; the others are not affected.
func TestUnprocessedAtLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		s := source{batch: func(_ context.Context, r request.BatchGetItem) (request.Result, error) {
			requests++
			left := slices.DeleteFunc(slices.Clone(r.Keys), func(k keys.Key) bool { return k.PK != "stuck" })
			return request.Result{Unprocessed: left}, nil
		}}
		reads := []Read{
			{Kind: Get, Key: keys.Key{PK: "stuck", SK: "S"}},
			{Kind: Get, Key: keys.Key{PK: "free", SK: "S"}},
		}
		outcomes := map[Read]outcome{}
		executorOf(s, semaphore.NewWeighted(1), semaphore.NewWeighted(1)).run(t.Context(), Plan(stocks, reads), outcomes)
		if requests != maxBatchAttempts {
			t.Errorf("%d requests, want %d", requests, maxBatchAttempts)
		}
		var failed *ReadError
		if !errors.As(outcomes[reads[0]].err, &failed) || failed.Code() != CodeThrottled {
			t.Errorf("got %v, want code %s", outcomes[reads[0]].err, CodeThrottled)
		}
		if o, ok := outcomes[reads[1]]; !ok || o.err != nil {
			t.Errorf("the other key has %v, %v", o, ok)
		}
	})
}

// TestLimitShrinks: a Query that continues requests only the missing items.
func TestLimitShrinks(t *testing.T) {
	var limits []int
	s := source{query: func(_ context.Context, q request.Query) (request.Result, error) {
		limits = append(limits, q.Limit)
		it := func(n int) item.Item {
			return item.Item{{Name: keys.AttributeSK, Value: item.StringValue(fmt.Sprintf("%d-%d", len(limits), n))}}
		}
		return request.Result{Items: []item.Item{it(1), it(2)}, Last: keys.Position{SK: "2"}}, nil
	}}
	outcomes := map[Read]outcome{}
	executorOf(s, semaphore.NewWeighted(1), semaphore.NewWeighted(1)).run(t.Context(), Plan(stocks, ranges(1)), outcomes)
	if want := []int{5, 3, 1}; !slices.Equal(limits, want) {
		t.Errorf("limits %v, want %v", limits, want)
	}
}

// TestPanicInSource: a panic of the Source affects only the Reads of its request.
func TestPanicInSource(t *testing.T) {
	s := source{query: func(_ context.Context, q request.Query) (request.Result, error) {
		if q.PK == "P1" {
			panic("a bug")
		}
		return request.Result{}, nil
	}}
	reads := ranges(3)
	outcomes := map[Read]outcome{}
	executorOf(s, semaphore.NewWeighted(1), semaphore.NewWeighted(1)).run(t.Context(), Plan(stocks, reads), outcomes)
	for i, r := range reads {
		if _, ok := outcomes[r]; ok != (i != 1) {
			t.Errorf("Read %d has an outcome: %v", i, ok)
		}
	}
}
