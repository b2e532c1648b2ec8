package loaders

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// source returns what its functions return.
type source struct {
	Source
	get   func(context.Context, request.GetItem) (request.Result, error)
	batch func(context.Context, request.BatchGetItem) (request.Result, error)
	query func(context.Context, request.Query) (request.Result, error)
}

func (s source) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	return s.get(ctx, r)
}

func (s source) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	return s.batch(ctx, r)
}

func (s source) Query(ctx context.Context, r request.Query) (request.Result, error) {
	return s.query(ctx, r)
}

func text(name, value string) item.Attribute {
	return item.Attribute{Name: name, Value: item.StringValue(value)}
}

func itemAt(pk keys.PK, sk keys.SK) item.Item {
	return item.Item{text(keys.AttributePK, string(pk)), text(keys.AttributeSK, string(sk))}
}

// executorOf returns the executor of an operation with some requests in flight, beside others of the process.
func executorOf(s Source, operation int64, process *share.Pool) *executor {
	log := slog.New(slog.DiscardHandler)
	return &executor{
		source: s, operation: semaphore.NewWeighted(operation), process: process, maxItems: math.MaxInt, log: log,
		roundTrips: (&plan.Schema{MaxInFlight: int(operation)}).RoundTrips,
	}
}

func places(n int) *share.Pool {
	return share.NewPool(share.Limits{Size: n, PerCaller: n, Beside: n, Waiting: math.MaxInt})
}

// ranges returns Ranges of n partitions.
func ranges(n int) []*state {
	states := make([]*state, n)
	for i := range states {
		q := request.Query{PK: keys.PK(fmt.Sprintf("P%d", i)), Limit: 5}
		states[i] = stateOf(plan.Read{Kind: plan.Range, Query: q})
	}
	return states
}

func get(pk keys.PK, sk keys.SK) *state {
	return stateOf(plan.Read{Kind: plan.Get, Key: keys.Key{PK: pk, SK: sk}})
}

// wave returns the requests of a wave of the given Reads.
func wave(d *design.Design, states []*state) []plannedRequest {
	requests, _ := requestsOf(d, states, nil)
	return requests
}

// TestInFlight: requests beyond the limits of the operation and of the process wait for others to end.
func TestInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent, answer := make(chan keys.PK, 100), make(chan struct{})
		s := source{query: func(_ context.Context, q request.Query) (request.Result, error) {
			sent <- q.PK
			<-answer
			return request.Result{Items: []item.Item{itemAt(q.PK, "S")}}, nil
		}}
		process := places(5)
		var waves [2][]*state
		for i, want := range []int{3, 5} { // three of the first operation, then two more of the second
			x := executorOf(s, 3, process)
			waves[i] = ranges(10)
			go x.run(t.Context(), wave(stocks, waves[i]))
			synctest.Wait()
			if got := len(sent); got != want {
				t.Errorf("with %d operations %d requests are in flight, want %d", i+1, got, want)
			}
		}
		close(answer)
		synctest.Wait()
		if len(sent) != 20 {
			t.Errorf("%d requests, want 20", len(sent))
		}
		for _, s := range slices.Concat(waves[:]...) {
			if len(s.items) != 1 || s.items[0].Text(keys.AttributePK) != string(s.ranged.PK) || s.err != nil {
				t.Errorf("%s has the items %v, error %v", s.ranged.PK, s.items, s.err)
			}
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
			return request.Result{Items: []item.Item{itemAt("free", "S")}, Unprocessed: left}, nil
		}}
		stuck, free := get("stuck", "S"), get("free", "S")
		executorOf(s, 1, places(1)).run(t.Context(), wave(stocks, []*state{stuck, free}))
		if requests != maxBatchAttempts {
			t.Errorf("%d requests, want %d", requests, maxBatchAttempts)
		}
		var failed *ReadError
		if !errors.As(stuck.err, &failed) || failed.Code() != CodeThrottled {
			t.Errorf("got %v, want code %s", stuck.err, CodeThrottled)
		}
		if free.err != nil || len(free.items) != 1 {
			t.Errorf("the other key has %v, %v", free.items, free.err)
		}
	})
}

// TestFullResponse: what a full response has left is requested at once, and as often as there is more: it is neither an
// attempt nor throttled.
func TestFullResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keysOfAll, atOnce = 4 * maxBatchAttempts, 2
		large := text("text", strings.Repeat("x", 8_000_000)) // As 20 items have.
		requests, began := 0, time.Now()
		s := source{batch: func(_ context.Context, r request.BatchGetItem) (res request.Result, err error) {
			requests++
			n := min(atOnce, len(r.Keys))
			for _, k := range r.Keys[:n] {
				res.Items = append(res.Items, append(itemAt(k.PK, k.SK), large))
			}
			res.Unprocessed = r.Keys[n:]
			return res, nil
		}}
		all := make([]*state, keysOfAll)
		for i := range all {
			all[i] = get(keys.PK(fmt.Sprint(i)), "S")
		}
		executorOf(s, 1, places(100)).run(t.Context(), wave(stocks, all))
		if requests != keysOfAll/atOnce || time.Since(began) > 0 {
			t.Errorf("%d requests in %v, want %d at once", requests, time.Since(began), keysOfAll/atOnce)
		}
		for _, s := range all {
			if s.err != nil || len(s.items) != 1 {
				t.Errorf("%s has %d items, %v", s.key.PK, len(s.items), s.err)
			}
		}
	})
}

// TestLimitShrinks: a Query that continues requests only the missing items.
func TestLimitShrinks(t *testing.T) {
	var limits []int
	s := source{query: func(_ context.Context, q request.Query) (request.Result, error) {
		limits = append(limits, q.Limit)
		items := []item.Item{
			itemAt("P0", keys.SK(fmt.Sprint(len(limits), "-1"))), itemAt("P0", keys.SK(fmt.Sprint(len(limits), "-2"))),
		}
		return request.Result{Items: items, Last: keys.Position{SK: "2"}}, nil
	}}
	executorOf(s, 1, places(1)).run(t.Context(), wave(stocks, ranges(1)))
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
		return request.Result{Items: []item.Item{itemAt(q.PK, "S")}}, nil
	}}
	reads := ranges(3)
	executorOf(s, 3, places(3)).run(t.Context(), wave(stocks, reads))
	for i, r := range reads {
		if i == 1 {
			if !errors.Is(r.err, errNoAnswer) || r.err.Error() != readMessages[CodeInternal] || r.items != nil {
				t.Errorf("after a panic: %v, %v", r.items, r.err)
			}
		} else if r.err != nil || len(r.items) != 1 {
			t.Errorf("Read %d: %v, %v", i, r.items, r.err)
		}
	}
}

// pageOfThree is a Range of at most three of a collection's items, and the Get of an item that sorts after them all.
func pageOfThree() (ranged, far *state) {
	page := plan.Read{Kind: plan.Range, AtMost: 3, Query: request.Query{PK: "P", Prefix: "B#", Limit: 3}}
	return stateOf(page), get("P", "C")
}

var farDesign = design.MustDesign(nil, []*design.Type{typeAt("Part", "P", "B#{n}"), typeAt("Tail", "P", "C")}, nil)

// TestFarItem: an item that sorts after a page is in the page's Query, or it is left for the next wave if the page was
// full.
func TestFarItem(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []keys.SK
		last  keys.SK // where DynamoDB has stopped
		want  int     // items of the page
		tail  bool
		again bool
	}{
		{"the page is not full", []keys.SK{"B#1", "B#2", "C"}, "", 2, true, false},
		{"the page is just full", []keys.SK{"B#1", "B#2", "B#3", "C"}, "C", 3, true, false},
		{"there are more items", []keys.SK{"B#1", "B#2", "B#3", "B#4"}, "B#4", 3, false, true},
		{"there is no such item", []keys.SK{"B#1", "B#2", "B#3"}, "", 3, false, false},
		{"there is nothing", nil, "", 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := source{
				query: func(_ context.Context, q request.Query) (request.Result, error) {
					if q.Limit != 4 || q.From != "B#" || q.To != "C" {
						t.Errorf("the Query is %+v", q)
					}
					res := request.Result{Last: keys.Position{SK: c.last}}
					for _, sk := range c.items {
						res.Items = append(res.Items, itemAt("P", sk))
					}
					return res, nil
				},
			}
			ranged, far := pageOfThree()
			x := executorOf(s, 1, places(1))
			x.run(t.Context(), wave(farDesign, []*state{far, ranged}))
			if ranged.err != nil || far.err != nil || len(ranged.items) != c.want || far.again != c.again {
				t.Errorf("%d items, again %v, errors %v, %v", len(ranged.items), far.again, ranged.err, far.err)
			}
			if tail := len(far.items) == 1 && far.items[0].Text(keys.AttributeSK) == "C"; tail != c.tail {
				t.Errorf("the far item is %v", far.items)
			}
			if want := (Cost{Waves: 1, Requests: 1}); x.cost != want {
				t.Errorf("the cost is %+v, want %+v", x.cost, want)
			}
		})
	}
}
